package oslinks

import "syscall"

// notALink is what Windows says of a file that is no link (ERROR_NOT_A_REPARSE_POINT).
const notALink = syscall.Errno(4390)
