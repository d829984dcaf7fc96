//go:build !windows

package guard_test

import "syscall"

// makePipe makes a file whose reader would wait for a writer.
func makePipe(path string) error { return syscall.Mkfifo(path, 0o600) }
