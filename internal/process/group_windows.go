package process

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup kills the main process. Windows has no groups that end as one: children of
// a killed process go on, and nobody waits for them.
func killGroup(leader *os.Process) { _ = leader.Kill() }

func groupGone(int) bool { return true }

func signalOf(*os.ProcessState) string { return "" }
