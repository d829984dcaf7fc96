//go:build linux || darwin

package process

import (
	"syscall"
	"unsafe"
)

// awaitExit waits until the main process has ended and leaves it unwaited for: until
// somebody does, its number and that of its group are not given to anybody else, and
// the rest of the group can be killed without hitting strangers.
func awaitExit(g *Group) {
	const byPid = 1 // P_PID
	// Large enough for the siginfo_t of every system; nobody reads it.
	var info [128]byte
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, byPid, uintptr(g.cmd.Process.Pid), uintptr(unsafe.Pointer(&info)),
			syscall.WEXITED|syscall.WNOWAIT, 0, 0)
		if err == 0 {
			return
		}
		if err != syscall.EINTR {
			break
		}
	}
	g.wait()
}
