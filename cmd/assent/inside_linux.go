package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// parentOf is the process above another; 0 when nobody can tell.
func parentOf(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name comes in parentheses, and may hold anything.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}

// openFiles are the files that a process has open, as far as one may look.
func openFiles(pid int) []openFile {
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	var files []openFile
	for _, link := range links {
		path, err := os.Readlink(link)
		if err != nil || !filepath.IsAbs(path) { // a pipe, a socket
			continue
		}
		file := openFile{path: path}
		if info, err := os.Stat(link); err == nil {
			file.info = info
		}
		files = append(files, file)
	}
	return files
}
