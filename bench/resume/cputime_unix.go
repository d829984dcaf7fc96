//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used of all cores; 0 when it is not known.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
