//go:build unix

package hook

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// shellProgram runs the shell form of a command.
const shellProgram = "/bin/sh"

// ownGroup makes the process the first of a group that can be killed as one.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills all processes of the group. It is called as long as the group has a
// member, be it one that has ended and was not waited for: its number is ours.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }

// groupOf says what is left of the group after its leader was waited for.
func groupOf(leader *os.Process) group {
	for {
		// In a container we may be the process that inherits orphans.
		pid, err := syscall.Wait4(-leader.Pid, nil, syscall.WNOHANG, nil)
		if err != syscall.EINTR && (err != nil || pid <= 0) {
			break
		}
	}
	switch {
	case syscall.Kill(-leader.Pid, 0) == syscall.ESRCH:
		return groupGone
	case onlyZombies(leader.Pid):
		return groupDead
	}
	return groupLives
}

// signalOf names the signal that ended a process; "" when it ended by itself.
func signalOf(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return fmt.Sprintf("signal %d (%s)", int(status.Signal()), unix.SignalName(status.Signal()))
}

// stop ends the reading and takes what is in the pipe already. Somebody outside of the
// group may still hold the other end, so it never waits for the end of the output.
func (s *stream) stop() {
	if s.file.SetReadDeadline(time.Unix(1, 0)) != nil {
		_ = s.file.Close() // wakes the reader, too
	}
	<-s.done
	if !s.ended {
		s.drain()
	}
	_ = s.file.Close()
}

func (s *stream) drain() {
	if s.file.SetReadDeadline(time.Time{}) != nil {
		return
	}
	raw, err := s.file.SyscallConn()
	if err != nil {
		return
	}
	piece := make([]byte, pieceSize)
	for {
		n := 0
		err := raw.Read(func(fd uintptr) bool {
			for {
				var err error
				if n, err = syscall.Read(int(fd), piece); err != syscall.EINTR {
					return true // also when there is nothing: do not wait
				}
			}
		})
		if err != nil || n <= 0 || !s.take(piece[:n]) {
			return
		}
	}
}
