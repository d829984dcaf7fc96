package line

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// peer is the user of the process at the other end, when it connected or began to listen.
func peer(fd int) (uid uint32, known bool, err error) {
	who, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, false, err
	}
	return who.Uid, true, nil
}

// send writes; Go's runtime turns the signal for a server that has gone into an error for
// all but the standard output.
func send(fd int, text []byte) (int, error) { return syscall.Write(fd, text) }
