package main

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// row writes one row of a table.
func row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// nanoseconds shows a time with three digits that mean something.
func nanoseconds(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	}
	return fmt.Sprintf("%.3g ms", ns/1e6)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.0f ms", d.Seconds()*1e3) }

func megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/(1<<20)) }

func times(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.1f×", ratio)
	}
	return thousands(int(ratio+0.5)) + "×"
}

func allocations(n int) string {
	if n == 1 {
		return "1 alloc"
	}
	return thousands(n) + " allocs"
}

// thousands puts a comma between each three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// module names a dependency with the version that is linked.
func module(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return path
	}
	for _, dep := range info.Deps {
		if dep.Path == path {
			return path + " " + dep.Version
		}
	}
	return path
}
