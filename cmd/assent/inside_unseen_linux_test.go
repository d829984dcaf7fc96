package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// An agent makes a place in which it cannot be seen, and answers its own ticket from there.
func TestT1_AnAgentIsNotOutOfSight(t *testing.T) {
	t.Parallel()
	s := newSelfAnswer(t)
	approve := s.bare + " " + s.program + " approve " + s.ticket
	for name, hidden := range map[string]struct {
		possible []string // can be done on this machine
		command  string
	}{
		"in a namespace of processes":   {[]string{"unshare", "-Urpf", "--mount-proc", "true"}, "unshare -Urpf --mount-proc " + approve},
		"in one below another":          {[]string{"unshare", "-Urpf", "--mount-proc", "unshare", "-Urpf", "--mount-proc", "true"}, "unshare -Urpf --mount-proc unshare -Urpf --mount-proc " + approve},
		"in one that serves":            {[]string{"unshare", "-Urpf", "--mount-proc", "true"}, "timeout 20 unshare -Urpf --mount-proc " + s.bare + " " + s.program + " serve --listen 127.0.0.1:0"},
		"beside one who opens the lock": {[]string{"unshare", "-Urpf", "--mount-proc", "true"}, "unshare -Urpf --mount-proc sh -c 'sleep 20 9<>" + s.state + "/sessions/'${own##*/}'/lock > /dev/null 2>&1 & " + approve + "; exit $?'"},
		"without the processes at all":  {[]string{"unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/proc"}, `unshare -Urm sh -c "mount -t tmpfs none /proc && exec ` + approve + `"`},
		"with processes of its own": {
			[]string{"unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/proc"},
			`unshare -Urm sh -c 'mount -t tmpfs none /proc && mkdir -p /proc/self/ns /proc/$PPID /proc/$$ && ln -s "pid:[4026531836]" /proc/self/ns/pid && echo "1 (sh) S 0" | tee /proc/$PPID/stat > /proc/$$/stat && ` + approve + `'`,
		},
	} {
		if out, err := exec.Command(hidden.possible[0], hidden.possible[1:]...).CombinedOutput(); err != nil {
			t.Logf("%s: it cannot be made here: %v: %s", name, err, out)
			continue
		}
		id, said := s.runs(name, hidden.command)
		if !strings.Contains(said, "is for a person, and nobody can see from here who has started this") || !strings.Contains(said, "session "+id+" is at work") {
			t.Errorf("%s: %s", name, said)
		}
		if now, err := s.tickets.Find(t.Context(), s.ticket); err != nil || now.State != approval.Pending {
			t.Fatalf("%s: %+v, %v", name, now, err)
		}
		if !s.recorded(id) {
			t.Errorf("%s: it is not on record", name)
		}
	}
}

// In a namespace the kernel names no parent, and /proc may be that of the machine all the same.
func TestT1_AnAgentBehindANamespaceIsFound(t *testing.T) {
	t.Parallel()
	s := newSelfAnswer(t)
	for _, flags := range []string{"-pf", "-Urpf", "-pf unshare -pf"} {
		words := strings.Fields("unshare " + flags + " true")
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Logf("unshare %s: it cannot be made here: %v: %s", flags, err, out)
			continue
		}
		id, said := s.runs("behind "+flags, "unshare "+flags+" "+s.bare+" "+s.program+" approve "+s.ticket)
		if !strings.Contains(said, "is for a person") {
			t.Errorf("unshare %s: %s", flags, said)
		}
		if now, err := s.tickets.Find(t.Context(), s.ticket); err != nil || now.State != approval.Pending {
			t.Fatalf("unshare %s: %+v, %v", flags, now, err)
		}
		if !s.recorded(id) {
			t.Errorf("unshare %s: it is not on record", flags)
		}
	}
}

// A container in which a person works is no reason to refuse anything: neither when no session
// is at work, nor when one is that can be seen there and has not started this.
func TestT1_APersonInAContainerCanAnswer(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("unshare", "-Urpf", "--mount-proc", "true").CombinedOutput(); err != nil {
		t.Skipf("a namespace of processes cannot be made here: %v: %s", err, out)
	}
	// The one beside ends with the namespace.
	for name, before := range map[string]string{"nobody works": "", "a session works beside": "flock $lock sleep 60 > /dev/null 2>&1 & until ! flock -n $lock true; do :; done; "} {
		s := newSelfAnswer(t)
		lock := filepath.Join(s.state, "sessions", session.NewID(), "lock")
		script := "lock=" + lock + "; mkdir -p ${lock%/*}; touch $lock; " + before + s.bare + " " + s.program + " approve " + s.ticket + "; exit $?"
		cmd := exec.Command("unshare", "-Urpf", "--mount-proc", "bash", "-c", script)
		cmd.Dir, cmd.Env = s.dir, s.env()
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v, %s", name, err, said)
		}
	}
}
