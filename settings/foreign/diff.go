package foreign

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// DiffLine is a line of a unified diff, without its line break.
type DiffLine struct {
	// Mark is '+', '-', ' ', '@' for the head of a hunk or 'f' for the names of the
	// files.
	Mark byte
	Text string // with the mark, as it is printed
}

// diffContext is how many lines around a change are shown.
const diffContext = 3

// Diff is the change of the file as a unified diff.
func (c Change) Diff() []DiffLine {
	old, new := "--- "+c.File, "+++ "+c.File
	if c.Before == nil {
		old = "--- /dev/null"
	}
	if c.After == nil {
		new = "+++ /dev/null"
	}
	all := []DiffLine{{'f', old}, {'f', new}}
	a, b := splitLines(c.Before), splitLines(c.After)
	for _, h := range hunks(script(a, b)) {
		all = append(all, h...)
	}
	return all
}

// splitLines keeps the line breaks: a missing last one is a difference.
func splitLines(text []byte) []string {
	var all []string
	for line := range bytes.Lines(text) {
		all = append(all, string(line))
	}
	return all
}

// op is one line of an edit script.
type op struct {
	mark byte
	line string
}

// script finds a shortest way from a to b (Myers 1986). Changes are small, so the
// effort grows with the size of the file and little else.
func script(a, b []string) []op {
	var trace [][]int
	reach := []int{0, 0, 0}
	for d := 0; ; d++ {
		// reach[k+d+1] is how far in a the diagonal k goes with d changes.
		next := make([]int, 2*d+3)
		for k := -d; k <= d; k += 2 {
			x := 0
			switch at := k + d; {
			case d == 0:
			case k == -d || k != d && reach[at-1] < reach[at+1]:
				x = reach[at+1]
			default:
				x = reach[at-1] + 1
			}
			y := x - k
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			next[k+d+1] = x
			if x == len(a) && y == len(b) {
				return backtrack(a, b, append(trace, next))
			}
		}
		trace, reach = append(trace, next), next
	}
}

// backtrack reads the way from the reached points, from the end.
func backtrack(a, b []string, trace [][]int) []op {
	var all []op
	x, y := len(a), len(b)
	for d := len(trace) - 1; d > 0; d-- {
		k, reach := x-y, trace[d-1]
		at := k + d // of k in the step before, whose diagonals start at -(d-1)-1
		down := k == -d || k != d && reach[at-1] < reach[at+1]
		fromX := 0
		if down {
			fromX = reach[at+1]
		} else {
			fromX = reach[at-1]
		}
		startX := fromX
		if !down {
			startX++
		}
		for ; x > startX; x, y = x-1, y-1 {
			all = append(all, op{' ', a[x-1]})
		}
		if down {
			y--
			all = append(all, op{'+', b[y]})
		} else {
			x--
			all = append(all, op{'-', a[x]})
		}
	}
	for ; x > 0; x-- {
		all = append(all, op{' ', a[x-1]})
	}
	slices.Reverse(all)
	return all
}

// hunks are the changed parts of a script with some lines around them.
func hunks(ops []op) [][]DiffLine {
	var all [][]DiffLine
	oldLine, newLine := 1, 1
	for i := 0; i < len(ops); {
		if ops[i].mark == ' ' {
			i, oldLine, newLine = i+1, oldLine+1, newLine+1
			continue
		}
		from := max(0, i-diffContext)
		to := hunkEnd(ops, i)
		oldLine, newLine = oldLine-(i-from), newLine-(i-from)
		lines, olds, news := hunkLines(ops[from:to])
		all = append(all, slices.Insert(lines, 0, DiffLine{'@', fmt.Sprintf("@@ -%s +%s @@", span(oldLine, olds), span(newLine, news))}))
		i, oldLine, newLine = to, oldLine+olds, newLine+news
	}
	return all
}

// hunkEnd is where the hunk that starts at i ends: where twice the context follows
// without a change.
func hunkEnd(ops []op, i int) int {
	last := i
	for j := i; j < len(ops) && j-last <= 2*diffContext; j++ {
		if ops[j].mark != ' ' {
			last = j
		}
	}
	return min(len(ops), last+1+diffContext)
}

func hunkLines(ops []op) (lines []DiffLine, olds, news int) {
	for _, o := range ops {
		text, ended := strings.CutSuffix(o.line, "\n")
		lines = append(lines, DiffLine{o.mark, string(o.mark) + strings.TrimSuffix(text, "\r")})
		if !ended {
			lines = append(lines, DiffLine{' ', `\ No newline at end of file`})
		}
		if o.mark != '+' {
			olds++
		}
		if o.mark != '-' {
			news++
		}
	}
	return lines, olds, news
}

// span is a range of lines as diffs write it.
func span(line, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}
