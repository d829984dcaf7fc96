//go:build unix && !linux

package builtin

import "golang.org/x/sys/unix"

const folderFlags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC

// openAtOnce is for a kernel that can walk a path and refuse links.
func openAtOnce(string) (fd int, err error, ok bool) { return -1, nil, false }
