//go:build !linux

package main

// Here nobody looks at the processes above: the variable of the environment has to do.

func parentOf(int) int { return 0 }

func openFiles(int) []openFile { return nil }

func programOf(int) (program, bool) { return program{}, false }
