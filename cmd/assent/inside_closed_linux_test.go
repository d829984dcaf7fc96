package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// An agent sees to it that what it starts may not look into the processes above, although it sees
// that they are there, and answers a ticket from there.
func TestT1_AnAgentBehindClosedProcesses(t *testing.T) {
	t.Parallel()
	s := newSelfAnswer(t)
	approve := s.bare + " " + s.program + " approve " + s.ticket
	for name, before := range map[string]string{
		"in a namespace of users":          "unshare -U",
		"as the root of one":               "unshare -Ur",
		"as the root of one below another": "unshare -Ur unshare -U",
		"without capabilities":             "setpriv --bounding-set -all --inh-caps -all",
		"without those to look":            "setpriv --bounding-set -sys_ptrace --inh-caps -sys_ptrace",
		"as others with a right to open":   "setpriv --reuid 61001 --inh-caps +dac_override --ambient-caps +dac_override",
		"fenced in without the processes":  confined(t, "all-but-proc"),
		"fenced in with all that there is": confined(t, "all"),
		"fenced in without any list":       confined(t, "no-lists"),
		"fenced in with the way up alone":  confined(t, "no-lists-but-the-way-up"),
		"with few files":                   "prlimit --nofile=5",
		"with some more files":             "prlimit --nofile=12",
	} {
		words := append(strings.Fields(before), "true")
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Logf("%s: it cannot be made here: %v: %s", name, err, out)
			continue
		}
		for kept, flags := range map[string][]string{"": nil, " and nothing is kept": {"--no-session-persistence"}} {
			if kept != "" && (strings.Contains(before, "prlimit") || strings.Contains(before, "all-but-proc") || strings.Contains(before, "no-lists")) {
				continue // neither its processes nor its lock are there to be seen
			}
			id, said := s.runs(name+kept, before+" "+approve, flags...)
			if now, err := s.tickets.Find(t.Context(), s.ticket); err != nil || now.State != approval.Pending {
				t.Fatalf("%s%s: %+v, %v: %s", name, kept, now, err, said)
			}
			if strings.Contains(before, "prlimit") {
				continue // the program may not even come to the question
			}
			if !strings.Contains(said, "is for a person") {
				t.Errorf("%s%s: %s", name, kept, said)
			}
			if !strings.Contains(before, "no-lists") && !s.recorded(id) { // of which nobody knows that it is at work
				t.Errorf("%s%s: it is not on record: %s", name, kept, said)
			}
		}
	}
}

// Nor does it help that the program above has a name by which nobody knows it: the lock of its
// session is held, and cannot be seen.
func TestT1_AnAgentOfAnotherNameBehindClosedProcesses(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("unshare", "-U", "true").CombinedOutput(); err != nil {
		t.Skipf("a namespace of users cannot be made here: %v: %s", err, out)
	}
	s := newSelfAnswer(t)
	id := session.NewID()
	lock := filepath.Join(s.state, "sessions", id, "lock")
	if err := os.MkdirAll(filepath.Dir(lock), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("flock", "--close", lock, "unshare", "-U", "sh", "-c", s.bare+" "+s.program+" approve "+s.ticket+"; exit $?")
	cmd.Dir, cmd.Env = s.dir, s.env()
	said, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "nobody can see from here who has started this") || !strings.Contains(string(said), "session "+id+" is at work") {
		t.Errorf("%v: %s", err, said)
	}
	if !s.recorded(id) {
		t.Error("it is not on record")
	}
}

// Below the processes of others, as a person is who has signed in, one may not look into them
// either. That keeps nobody from answering, also while a session is at work that can be seen.
func TestT1_APersonBelowTheProcessesOfOthersCanAnswer(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{"nobody works": "", "a session works beside": "flock $lock sleep 60 > /dev/null 2>&1 & until ! flock -n $lock true; do :; done; "} {
		s := newSelfAnswer(t)
		lock := filepath.Join(s.state, "sessions", session.NewID(), "lock")
		script := "lock=" + lock + "; mkdir -p ${lock%/*}; touch $lock; " + before + s.bare + " " + s.program + " approve " + s.ticket + "; r=$?; kill $! 2> /dev/null; exit $r"
		cmd := exec.Command("bash", "-c", script)
		cmd.Dir, cmd.Env = s.dir, s.env()
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v, %s", name, err, said)
		}
	}
}

// Nor does a session that works with more rights, and cannot be looked into, as in a service that
// may listen on a low port: the kernel says which process has its lock, and that is none above.
func TestT1_APersonBesideASessionWithMoreRightsCanAnswer(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root gives others a right")
	}
	s := newSelfAnswer(t)
	lock := filepath.Join(s.state, "sessions", session.NewID(), "lock")
	for _, path := range []string{filepath.Dir(lock), lock} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script := "lock=" + lock + "; touch $lock; flock --close $lock sleep 60 > /dev/null 2>&1 & until ! flock -n " + lock + " true; do :; done; " +
		"setpriv --bounding-set -sys_ptrace --inh-caps -sys_ptrace " + s.bare + " " + s.program + " approve " + s.ticket + "; r=$?; kill $!; exit $r"
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.Env = s.dir, s.env()
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v, %s", err, said)
	}
}

// The same holds for those who are not root, below processes of root.
func TestT1_AnOrdinaryUserBehindClosedProcesses(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	for _, name := range []string{"TestT1_AnAgentBehindClosedProcesses", "TestT1_AnAgentOfAnotherNameBehindClosedProcesses", "TestT1_APersonBelowTheProcessesOfOthersCanAnswer"} {
		out, err := h.as(keeperID, "stranger.test", "-test.v", "-test.run=^"+name+"$").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: "+name) {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// confinedVariable says what a process that confines itself may open.
const confinedVariable = "ASSENT_TEST_CONFINED"

// confined are the words before a command that is kept from opening everything else: by Landlock,
// which asks for no privilege, and closes the processes outside.
func confined(t *testing.T, what string) string {
	t.Helper()
	test, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// What becomes another program does not clear up its own directory of temporary files.
	return "env TMPDIR=" + t.TempDir() + " " + confinedVariable + "=" + what + " " + test + " -test.run=^TestConfinedAtWork$ --"
}

// TestConfinedAtWork is no test, but the process that confines itself, and becomes another.
func TestConfinedAtWork(t *testing.T) {
	what := os.Getenv(confinedVariable)
	if what == "" {
		t.Skip("this is a process of another test")
	}
	runtime.LockOSThread()
	const everything = 1<<13 - 1
	allowed := uint64(everything)
	if strings.HasPrefix(what, "no-lists") {
		allowed &^= unix.LANDLOCK_ACCESS_FS_READ_DIR
	}
	rules := unix.LandlockRulesetAttr{Handled_access_fs: everything}
	set, _, failed := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), unsafe.Sizeof(rules.Handled_access_fs), 0)
	if failed != 0 {
		t.Fatal(failed)
	}
	top, err := os.ReadDir("/")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range top {
		if !one.IsDir() || one.Name() == "proc" && what != "all" {
			continue
		}
		dir, err := unix.Open("/"+one.Name(), unix.O_PATH|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		beneath := unix.LandlockPathBeneathAttr{Allowed_access: allowed, Parent_fd: int32(dir)}
		if _, _, failed := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, set, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0); failed != 0 {
			t.Fatal(failed)
		}
	}
	if what == "no-lists-but-the-way-up" {
		stats := []string{"/proc/self/stat"}
		for pid, told := os.Getpid(), true; told && pid > 0; pid, told = parentOf(pid) {
			stats = append(stats, fmt.Sprintf("/proc/%d/stat", pid))
		}
		for _, stat := range stats {
			file, err := unix.Open(stat, unix.O_PATH|unix.O_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			shown := unix.LandlockPathBeneathAttr{Allowed_access: unix.LANDLOCK_ACCESS_FS_READ_FILE, Parent_fd: int32(file)}
			if _, _, failed := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, set, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&shown)), 0, 0, 0); failed != 0 {
				t.Fatal(failed)
			}
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	if _, _, failed := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0); failed != 0 {
		t.Fatal(failed)
	}
	words := os.Args[3:]
	program, err := exec.LookPath(words[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Fatal(fmt.Errorf("%s: %w", program, syscall.Exec(program, words, os.Environ())))
}
