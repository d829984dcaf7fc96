package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/session"
)

// selfAnswer is a call that waits for a person, and an agent that tries to answer it.
type selfAnswer struct {
	*place
	t *testing.T
	// state is the state directory, program this program, and bare the words that start it
	// without the environment of the session.
	state, program, bare string
	tickets              *approval.Store
	// waits is the session of the call that waits, ticket its ticket.
	waits, ticket string
}

func newSelfAnswer(t *testing.T) *selfAnswer {
	t.Helper()
	p := newPlace(t)
	program, err := exec.LookPath("assent")
	if err != nil {
		t.Fatal(err)
	}
	s := &selfAnswer{place: p, t: t, state: filepath.Join(p.home, ".assent"), program: program, waits: session.NewID()}
	s.bare = "env -i HOME=" + p.home + " PATH=/usr/bin:/bin GOCOVERDIR=" + t.TempDir() + " GORACE=" + noSleep
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: touch deployed}}\nafterwards: Done.\n")
	if _, complained, status := p.say(append([]string{"-p", "--session-id", s.waits, "--model", script, "deploy"}, p.deferring()...)...); status != 0 {
		t.Fatal(complained)
	}
	if s.tickets, err = approval.Open(s.state); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.tickets.Close() })
	list, err := s.tickets.List(t.Context(), approval.Query{})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	s.ticket = list[0].ID
	return s
}

// runs lets an agent run a script, and returns the session and what it was told.
func (s *selfAnswer) runs(name, command string, flags ...string) (id, said string) {
	s.t.Helper()
	id = session.NewID()
	file := strings.ReplaceAll(name, " ", "-")
	s.write(file+".sh", "own="+s.state+"/sessions/"+id+"; d=$(mktemp -d -p "+s.home+")\n"+command+"\n")
	turn := s.playing(file+".yaml", "turns:\n  - call: {Bash: {command: sh "+file+".sh}}\nafterwards: Done.\n")
	said, complained, _ := s.say(append([]string{"-p", "--session-id", id, "--model", turn, "--allowedTools", "Bash", "--output-format", "stream-json", "--verbose", "answer it"}, flags...)...)
	return id, said + complained
}

// refused checks that something was refused and is on record, and that the call still waits.
func (s *selfAnswer) refused(name, id, said string) {
	s.t.Helper()
	if !strings.Contains(said, "is for a person, and this was started by the Bash tool of a session") {
		s.t.Errorf("%s: %s", name, said)
	}
	if now, err := s.tickets.Find(s.t.Context(), s.ticket); err != nil || now.State != approval.Pending {
		s.t.Fatalf("%s: %+v, %v", name, now, err)
	}
	if s.has("deployed") {
		s.t.Fatalf("%s: it ran", name)
	}
	if !s.recorded(id) {
		s.t.Errorf("%s: it is not on record", name)
	}
}

func (s *selfAnswer) recorded(id string) bool {
	s.t.Helper()
	found := false
	for e, err := range audit.Read(filepath.Join(s.state, "audit"), audit.Query{Session: id}) {
		if err != nil {
			s.t.Fatal(err)
		}
		found = found || e.Kind == "self-approval" && strings.HasPrefix(e.Reason, "self-approval refused")
	}
	return found
}

// An agent makes away with the files by which its process is known. It is known all the same.
func TestT1_AnAgentIsKnownWithoutTheFilesOfItsSession(t *testing.T) {
	t.Parallel()
	s := newSelfAnswer(t)
	approve := s.bare + " " + s.program + " approve " + s.ticket
	for name, command := range map[string]string{
		"its lock is removed":             "rm $own/lock; " + approve,
		"its lock is moved":               "mv $own/lock $d/l; " + approve + "; mv $d/l $own/lock",
		"its lock is replaced":            "rm $own/lock; echo '{}' > $own/lock; " + approve,
		"both its files are moved":        "mv $own/lock $d/l; mv $own/transcript.jsonl $d/t; " + approve + "; mv $d/l $own/lock; mv $d/t $own/transcript.jsonl",
		"its directory is moved":          "mv $own $d/; " + approve + "; mv $d/* $own",
		"its directory has another name":  "mv $own $d/x; " + approve + "; mv $d/x $own",
		"a copy of the program answers":   "cp " + s.program + " $d/assent; mv $own $d/x; " + s.bare + " $d/assent approve " + s.ticket + "; mv $d/x $own",
		"another name of the program":     "mkdir $d/y; ln " + s.program + " $d/y/assent || cp " + s.program + " $d/y/assent; rm $own/lock; " + s.bare + " $d/y/assent approve " + s.ticket,
		"behind a hundred shells":         "echo 'if [ $1 -gt 100 ]; then '\"" + approve + "\"'; else sh $0 $(($1 + 1)); fi; true' > $d/n.sh; sh $d/n.sh 0",
		"it would serve an inbox":         "rm $own/lock; timeout 20 " + s.bare + " " + s.program + " serve --listen 127.0.0.1:0",
		"it has said nothing about where": "rm $own/lock; " + s.bare + " ASSENT_HOME=$d " + s.program + " approve " + s.ticket + " --state " + s.state,
	} {
		id, said := s.runs(name, command)
		s.refused(name, id, said)
	}
	// One that keeps no session has no such files at all.
	id, said := s.runs("nothing is kept", approve, "--no-session-persistence")
	s.refused("nothing is kept", id, said)
}

// In a container the agent is often the first process of all.
func TestT1_AnAgentIsKnownAsTheFirstProcess(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("unshare", "--pid", "--fork", "--mount-proc", "true").CombinedOutput(); err != nil {
		t.Skipf("a namespace of processes cannot be made here: %v: %s", err, out)
	}
	s := newSelfAnswer(t)
	id := session.NewID()
	s.write("first.sh", s.bare+" "+s.program+" approve "+s.ticket+"\n")
	turn := s.playing("first.yaml", "turns:\n  - call: {Bash: {command: sh first.sh}}\nafterwards: Done.\n")
	cmd := exec.Command("unshare", "--pid", "--fork", "--mount-proc", s.program, "-p", "--session-id", id, "--model", turn, "--allowedTools", "Bash", "--output-format", "stream-json", "--verbose", "answer it")
	cmd.Dir, cmd.Env = s.dir, s.env()
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	s.refused("the first process", id, string(said))
}

// The command line of an agent counts as the user's word, so an agent cannot use it to let
// another session's call run. Other work it can hand on.
func TestT1_AnAgentDoesNotGoOnWithCallsThatWait(t *testing.T) {
	t.Parallel()
	s := newSelfAnswer(t)
	s.write("end.yaml", "turns: []\nafterwards: Done.\n")
	grants := " --model script:" + filepath.Join(s.dir, "end.yaml") + ` --allowedTools Bash --settings '{"disableAllHooks":true}'`
	resume := " -p --resume " + s.waits + grants
	for name, command := range map[string]string{
		"as it is":                   s.program + resume,
		"without the environment":    s.bare + " " + s.program + resume,
		"with a prompt":              s.bare + " " + s.program + resume + " -- 'go on'",
		"in a copy":                  s.bare + " " + s.program + resume + " --fork-session",
		"as a host":                  s.bare + " " + s.program + resume + " --input-format stream-json --output-format stream-json --verbose < /dev/null",
		"without its lock":           "rm $own/lock; " + s.bare + " " + s.program + resume,
		"on a terminal":              "script -qec '" + s.bare + " " + s.program + " --resume " + s.waits + " --model script:" + filepath.Join(s.dir, "end.yaml") + " --allowedTools Bash' /dev/null < /dev/null",
		"with all that can be given": s.bare + " " + s.program + resume + " --dangerously-skip-permissions",
	} {
		if _, err := exec.LookPath("script"); err != nil && name == "on a terminal" {
			continue
		}
		id, said := s.runs(name, command)
		s.refused(name, id, said)
	}
	// What waits for nobody is no matter of a person.
	for _, step := range [][2]string{
		{"a new session", s.bare + " " + s.program + " -p --session-id " + chosenID + grants + " -- hello"},
		{"one in which nothing waits", s.bare + " " + s.program + " -p --resume " + chosenID + grants + " -- hello"},
	} {
		id, said := s.runs(step[0], step[1])
		if strings.Contains(said, "is for a person") || s.recorded(id) || !strings.Contains(said, "Done.") {
			t.Errorf("%s: %s", step[0], said)
		}
	}
	// A person goes on with it.
	if _, complained, status := s.say("-p", "--resume", s.waits, "--model", "script:"+filepath.Join(s.dir, "end.yaml"), "--allowedTools", "Bash", "--settings", `{"disableAllHooks":true}`); status != 0 || !s.has("deployed") {
		t.Errorf("exit status %d: %s", status, complained)
	}
}

// A process that only looks whether a session is held shares its lock for a moment. Whoever it
// has started is no agent for that.
func TestT1_WhoOnlyLooksIsNoAgent(t *testing.T) {
	t.Parallel()
	for how, refused := range map[string]bool{"--shared": false, "--exclusive": true} {
		s := newSelfAnswer(t)
		lock := filepath.Join(s.state, "sessions", session.NewID(), "lock")
		if err := os.MkdirAll(filepath.Dir(lock), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("flock", how, lock, "sh", "-c", s.bare+" "+s.program+" approve "+s.ticket+"; exit $?")
		cmd.Dir, cmd.Env = s.dir, s.env()
		said, err := cmd.CombinedOutput()
		if (err != nil) != refused || strings.Contains(string(said), "is for a person") != refused {
			t.Errorf("%s: %v, %s", how, err, said)
		}
	}
}

// A file that is closed while somebody looks is held by nobody.
func TestT1_AFileThatWasClosedIsNotHeld(t *testing.T) {
	t.Parallel()
	file, err := os.OpenFile(filepath.Join(t.TempDir(), "transcript.jsonl"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	about := fmt.Sprintf("/proc/self/fdinfo/%d", file.Fd())
	if !isHeld(about) {
		t.Error("one that is open for writing is not held")
	}
	if isHeld(fmt.Sprintf("/proc/self/fdinfo/%d", 1<<30)) {
		t.Error("one that is not open any more is held")
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
