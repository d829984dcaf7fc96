package main

import (
	"fmt"
	"slices"
	"strings"
)

// everywhere is where assent runs.
var everywhere = []string{
	"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64",
}

type target struct{ os, arch string }

func parseTargets(names string) ([]target, error) {
	var all []target
	for name := range strings.SplitSeq(names, ",") {
		system, arch, _ := strings.Cut(name, "/")
		if !slices.Contains(everywhere, name) {
			return nil, fmt.Errorf("there is no release for %q: want some of %s", name, strings.Join(everywhere, ","))
		}
		all = append(all, target{system, arch})
	}
	return all, nil
}

// program is the name of a program's file there.
func (t target) program(name string) string {
	if t.os == "windows" {
		return name + ".exe"
	}
	return name
}

// env makes the go command work for the target, whatever machine it runs on.
func (t target) env() []string {
	return []string{"GOOS=" + t.os, "GOARCH=" + t.arch, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT="}
}
