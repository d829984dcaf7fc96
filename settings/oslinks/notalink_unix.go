//go:build !windows

package oslinks

import "syscall"

// notALink is what readlink says of a file that is no link.
const notALink = syscall.EINVAL
