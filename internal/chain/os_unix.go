//go:build !windows

package chain

import "syscall"

// noFollow opens without following a link at the end and without waiting.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
