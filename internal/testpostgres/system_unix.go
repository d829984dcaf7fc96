//go:build unix

package testpostgres

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// immediate is the signal at which a server ends without putting anything in order.
const immediate = syscall.SIGQUIT

// identity is who runs the server: PostgreSQL refuses to be run by root. It is nil for
// anybody else.
func identity() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, badUser := strconv.ParseUint(found.Uid, 10, 32)
		gid, badGroup := strconv.ParseUint(found.Gid, 10, 32)
		if badUser == nil && badGroup == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	return nil
}

// own gives a directory to who runs the server.
func own(dir string) error {
	if who := identity(); who != nil {
		return os.Chown(dir, int(who.Uid), int(who.Gid))
	}
	return nil
}

// asServer makes a command run as the server does, and apart from the tests: what ends these
// at a terminal does not reach it.
func asServer(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Credential: identity(), Setpgid: true}
}
