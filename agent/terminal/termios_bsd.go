//go:build darwin || freebsd || netbsd || openbsd

package terminal

import "golang.org/x/sys/unix"

// How the settings of a terminal are read, and changed with what was typed thrown away.
const (
	getTermios  = unix.TIOCGETA
	setAndFlush = unix.TIOCSETAF
)
