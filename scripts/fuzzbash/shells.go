//go:build linux

package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// shell is a way in which an agent runs a script.
type shell struct {
	name string
	// sh is what the program of that name is.
	sh   string
	argv []string // the script comes last
}

// shells are all ways; the first is the usual one.
var shells = []shell{
	{name: "bash", sh: "bash", argv: []string{"bash", "-c"}},
	{name: "dash", sh: "dash", argv: []string{"bash", "-c"}}, // as sh inside of bash
	{name: "eval", sh: "bash", argv: []string{"bash", "-c", `eval "$1" </dev/null`, "bash"}},
	{name: "zsh", sh: "dash", argv: []string{"zsh", "-f", "-c"}},
}

func shellNamed(name string) *shell {
	for i := range shells {
		if shells[i].name == name {
			return &shells[i]
		}
	}
	return nil
}

const (
	// patience is how long a script may take.
	patience = 2 * time.Second
	// held is a descriptor that whatever a script starts inherits: when all of them have
	// closed it, all of them have ended.
	held = 20
)

// harmless reports whether a script may run. Where it runs as the user who runs this it could end
// the user's other processes; a long one takes all the time and is there to be judged.
func harmless(script string) bool { return !strings.Contains(script, "kill") && len(script) < 8<<10 }

// outcome is what a script did.
type outcome struct {
	calls  [][]string
	events []event
}

// run runs a script and waits for everything that it has started.
func (s *sandbox) run(sh *shell, script string) (o outcome, err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return o, err
	}
	defer null.Close()
	ends, end, err := os.Pipe()
	if err != nil {
		return o, err
	}
	defer ends.Close()
	inherited := make([]*os.File, held+1)
	inherited[0], inherited[1], inherited[2], inherited[held] = null, null, null, end
	attributes := &syscall.SysProcAttr{Setsid: true, Chroot: s.jail, Pdeathsig: syscall.SIGKILL} // nothing works on when this is interrupted
	if s.user >= 0 {
		attributes.Credential = &syscall.Credential{Uid: uint32(s.user), Gid: uint32(s.user)}
	}
	process, err := os.StartProcess("/program/"+sh.argv[0], append(sh.argv[:len(sh.argv):len(sh.argv)], script), &os.ProcAttr{
		Dir: workDir, Files: inherited, Sys: attributes,
		Env: []string{"PATH=" + binDir(sh.sh), "HOME=" + homeDir, "TMPDIR=" + tmpDir, "TMPPREFIX=" + tmpDir + "/zsh", "FUNCNEST=20", "LC_ALL=C.UTF-8"},
	})
	end.Close()
	if err != nil {
		return o, err
	}
	limit(process.Pid, s.user)
	late := time.AfterFunc(patience, func() { endSession(process.Pid) })
	_ = ends.SetReadDeadline(time.Now().Add(2 * patience))
	_, left := io.Copy(io.Discard, ends)
	_, err = process.Wait()
	late.Stop()
	// What has closed the descriptor may still work, and the next script would be blamed for it.
	if left != nil {
		endSession(process.Pid)
	}
	for tries := 0; reap(process.Pid) && tries < 1000; tries++ {
		endSession(process.Pid)
		time.Sleep(time.Millisecond)
	}
	if err != nil {
		return o, err
	}
	if o.calls, err = s.calls(); err != nil {
		return o, err
	}
	o.events, err = s.events()
	for _, e := range o.events {
		if e.changed && err == nil {
			err = s.restore()
			break
		}
	}
	return o, err
}

// limit bounds what a script uses up.
func limit(pid, user int) {
	bounds := map[int]uint64{unix.RLIMIT_CPU: 2, unix.RLIMIT_FSIZE: 1 << 20, unix.RLIMIT_CORE: 0, unix.RLIMIT_NPROC: 64}
	if user < 0 {
		bounds[unix.RLIMIT_NPROC] = 4096 // it counts what else this user runs, too
	}
	for resource, most := range bounds {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil) // it may have ended
	}
}

// reap takes leave of the processes in the group of a script that have ended: this process gets those
// whose parents have gone, see [newSandbox]. It reports whether others still work.
func reap(leader int) (working bool) {
	for {
		switch pid, err := unix.Wait4(-leader, nil, unix.WNOHANG, nil); {
		case err == unix.EINTR:
		case err != nil:
			return false
		case pid == 0:
			return true
		}
	}
}

// endSession ends everything that a script has started, in whichever group of processes.
func endSession(leader int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state parent group session: the name may hold anything, blanks too.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) > 3 && fields[3] == strconv.Itoa(leader) {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}
}
