package line

import "syscall"

// peer is the user of the process at the other end, when it connected or began to listen.
func peer(fd int) (uid uint32, known bool, err error) {
	who, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, false, err
	}
	return who.Uid, true, nil
}

// send writes without a signal for a server that has gone.
func send(fd int, text []byte) (int, error) {
	return syscall.SendmsgN(fd, text, nil, nil, syscall.MSG_NOSIGNAL)
}
