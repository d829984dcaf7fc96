//go:build !windows

package main

import (
	"os"
	"syscall"
)

// makePipe makes a file whose reader waits for a writer.
func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }

// kill sends a signal to a process, or to a group of them if the number is negative.
func kill(pid int, s syscall.Signal) error { return syscall.Kill(pid, s) }

// lockShared and lockAlone wait for a lock that ends with the process.
func lockShared(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_SH) }

func lockAlone(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
