//go:build unix

package process

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownGroup gives a process a session of its own, and so a group. It has no terminal then:
// on one it could type the answers to questions that a person is asked there.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killGroup is called as long as the group has a member, be it one that has ended and
// was not waited for: its number is ours.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }

// groupGone looks whether the group has a member after its first process was waited for.
func groupGone(leader int) bool {
	for {
		// In a container we may be the process that inherits orphans.
		pid, err := syscall.Wait4(-leader, nil, syscall.WNOHANG, nil)
		if err != syscall.EINTR && (err != nil || pid <= 0) {
			break
		}
	}
	return syscall.Kill(-leader, 0) == syscall.ESRCH
}

func signalOf(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return fmt.Sprintf("signal %d (%s)", int(status.Signal()), unix.SignalName(status.Signal()))
}
