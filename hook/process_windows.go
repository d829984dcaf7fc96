package hook

import (
	"os"
	"syscall"
	"time"
)

// shellProgram runs the shell form of a command; it comes with Git for Windows.
const shellProgram = "sh"

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the main process. Windows has no groups that end as one: children
// of a killed hook go on, and nobody waits for them.
func killGroup(leader *os.Process) { _ = leader.Kill() }

func groupOf(*os.Process) group { return groupGone }

func signalOf(*os.ProcessState) string { return "" }

// stop waits a moment for the end of the output and then closes it.
func (s *stream) stop() {
	timer := time.NewTimer(lingerTime)
	defer timer.Stop()
	select {
	case <-s.done:
	case <-timer.C:
	}
	_ = s.file.Close()
}
