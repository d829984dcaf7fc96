//go:build !windows

package script

import "syscall"

// noWait opens a pipe without waiting for who writes into it.
const noWait = syscall.O_NONBLOCK
