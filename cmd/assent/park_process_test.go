package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// deferring is the flag for settings by which every call of Bash waits.
func (p *place) deferring() []string {
	p.write("defer.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"cat answer.json"}]}]}}`)
	p.write("answer.json", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}}`)
	return []string{"--settings", filepath.Join(p.dir, "defer.json")}
}

// say runs the program without a standard input.
func (p *place) say(args ...string) (said, complained string, status int) {
	p.t.Helper()
	c := p.start(p.env(), args...)
	c.stdin.Close()
	said = c.rest()
	status = c.end()
	return said, c.stderr.String(), status
}

// A run that ends because a call waits says so where a person sees it, and not where the
// answer of the model is expected.
func TestD1_ARunThatIsParkedSaysSo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	flags := append(p.deferring(), "--model", p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: touch deployed}}\nafterwards: Done.\n"))
	for name, c := range map[string]struct {
		args []string
		want string // all of standard error
		out  bool   // something stands on standard output
	}{
		"text":         {nil, "assent: 1 call waits for an answer: assent sessions show " + chosenID + "\n", false},
		"nothing kept": {[]string{"--no-session-persistence"}, "assent: 1 call waits for an answer, and nobody can give one: the session is not kept (leave --no-session-persistence out)\n", false},
		"json":         {[]string{"--output-format", "json"}, "", true},
	} {
		if err := os.RemoveAll(filepath.Join(p.home, ".assent")); err != nil {
			t.Fatal(err)
		}
		said, complained, status := p.say(append(append([]string{"-p", "--session-id", chosenID}, flags...), append(c.args, "deploy")...)...)
		if status != 0 || complained != c.want || (said != "") != c.out {
			t.Errorf("%s: exit status %d, said %q, complained %q", name, status, said, complained)
		}
		if p.has("deployed") {
			t.Fatalf("%s: it ran", name)
		}
	}
}

// tree is every file below a directory with its content.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.WriteString(path + "\n" + string(text) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// Without a prompt, and without a call that waits, there is nothing to go on with.
func TestS28_NothingToGoOnWith(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if _, complained, status := p.short("--session-id", chosenID, "hello"); status != 0 {
		t.Fatal(complained)
	}
	state := filepath.Join(p.home, ".assent")
	before := tree(t, state)
	for _, more := range [][]string{{"--resume", chosenID}, {"--continue"}, {"--resume", chosenID, "--fork-session"}} {
		said, complained, status := p.short(more...)
		if status != 1 || said != "" || !strings.Contains(complained, "there is nothing to go on with: no call of the session waits for an answer (pass a prompt)") {
			t.Errorf("%q: exit status %d, said %q, complained %q", more, status, said, complained)
		}
		if after := tree(t, state); after != before {
			t.Errorf("%q: there was\n%s\nand is\n%s", more, before, after)
		}
	}
}

// A session that is not there is a result for programs, and a sentence for people.
func TestS28_NoSuchSession(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"99999999-9999-4999-8999-999999999999", "not-a-uuid", "../../etc/passwd"} {
		p := newPlace(t)
		want := "No conversation found with session ID: " + id
		for _, prompt := range [][]string{nil, {"go on"}} {
			said, complained, status := p.short(append([]string{"--resume", id}, prompt...)...)
			if status != 1 || said != "" || !strings.Contains(complained, want) {
				t.Errorf("%s: exit status %d, said %q, complained %q", id, status, said, complained)
			}
			said, complained, status = p.short(append([]string{"--resume", id, "--output-format", "json"}, prompt...)...)
			var result struct {
				Subtype string   `json:"subtype"`
				IsError bool     `json:"is_error"`
				Errors  []string `json:"errors"`
			}
			if err := strictjson.Unmarshal([]byte(said), &result); err != nil || status != 1 || complained != "" || result.Subtype != "error_during_execution" ||
				!result.IsError || len(result.Errors) != 1 || !strings.HasPrefix(result.Errors[0], want) {
				t.Errorf("%s: exit status %d, said %q, complained %q, %v", id, status, said, complained, err)
			}
		}
		if left, err := os.ReadDir(p.home); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
	}
}

// The directory of a session, copied by hand to another machine, is the session there: its
// call waits, is answered and runs once.
func TestD8_ADirectoryThatWasCopiedByHand(t *testing.T) {
	t.Parallel()
	here, there := newPlace(t), newPlace(t)
	there.dir = here.dir // the project has the same place on both
	script := here.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo ran >> effects}}\nafterwards: Done.\n")
	flags := here.deferring()
	if _, complained, status := here.say(append([]string{"-p", "--session-id", chosenID, "--model", script}, append(flags, "deploy")...)...); status != 0 {
		t.Fatal(complained)
	}
	of := func(p *place) string { return filepath.Join(p.home, ".assent", "sessions", chosenID) }
	if err := os.MkdirAll(of(there), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(of(there), os.DirFS(of(here))); err != nil {
		t.Fatal(err)
	}
	if said, complained, status := there.say("sessions", "list"); status != 0 || !strings.Contains(said, "no ticket yet  pending  Bash  echo ran >> effects") {
		t.Fatalf("exit status %d, said %q, complained %q", status, said, complained)
	}
	if _, complained, status := there.say("approve", chosenID); status != 0 {
		t.Fatal(complained)
	}
	if said, complained, status := there.short(append([]string{"--resume", chosenID}, flags...)...); status != 0 || said != "Well.\n" {
		t.Errorf("exit status %d, said %q, complained %q", status, said, complained)
	}
	if text, err := os.ReadFile(filepath.Join(here.dir, "effects")); err != nil || string(text) != "ran\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// A call runs where it was parked, or not at all. It is not tried beside other tests: this process
// writes a session, and what others start meanwhile would be taken for an agent's.
func TestS27_ACallRunsWhereItWasParked(t *testing.T) {
	park := func(t *testing.T, p *place, cwd string) {
		input := strictjson.Raw(`{"command":"echo ran >> effects"}`)
		tr, err := session.NewStore(filepath.Join(p.home, ".assent", "sessions")).Create(chosenID, session.Start{Cwd: p.dir, Model: "m", Mode: "default"})
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		turn := model.Message{Role: model.Assistant, Content: []model.Block{{Kind: model.ToolUse, ID: "a", Name: "Bash", Input: input}}}
		parked := session.Pending{Calls: []session.PendingCall{{ToolUseID: "a", Tool: "Bash", Input: input, Cwd: cwd, Risk: "medium"}}}
		state := filepath.Join(tr.Dir(), "state.json")
		if err := errors.Join(tr.Append(session.Said, turn), tr.Append(session.Parked, parked), os.WriteFile(state, []byte("{}"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for name, tamper := range map[string]func(t *testing.T, p *place, elsewhere string){
		"the call names another directory": func(t *testing.T, p *place, elsewhere string) { park(t, p, elsewhere) },
		"the directory leads elsewhere now": func(t *testing.T, p *place, elsewhere string) {
			park(t, p, p.dir)
			if err := os.Rename(p.dir, p.dir+"-before"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(elsewhere, p.dir); err != nil {
				t.Fatal(err)
			}
		},
	} {
		for _, more := range [][]string{nil, {"--fork-session"}} {
			t.Run(name+strings.Join(more, ""), func(t *testing.T) {
				p := newPlace(t)
				elsewhere := filepath.Join(p.home, "elsewhere")
				if err := os.Mkdir(elsewhere, 0o755); err != nil {
					t.Fatal(err)
				}
				tamper(t, p, elsewhere)
				if _, complained, status := p.say("approve", chosenID); status != 0 {
					t.Fatal(complained)
				}
				said, complained, status := p.short(append([]string{"--resume", chosenID}, more...)...)
				if status != 1 || said != "" || !strings.Contains(complained, "would run in another directory than it was parked in") || !strings.Contains(complained, "nothing was run") {
					t.Errorf("exit status %d, said %q, complained %q", status, said, complained)
				}
				if ids, err := session.NewStore(filepath.Join(p.home, ".assent", "sessions")).IDs(); err != nil || len(ids) != 1 {
					t.Errorf("a fork was made: %v, %v", ids, err)
				}
				said, complained, status = p.short(append([]string{"--resume", chosenID, "--output-format", "json"}, more...)...)
				if status != 1 || !strings.Contains(said, `"is_error":true`) || !strings.Contains(said, "would run in another directory") {
					t.Errorf("exit status %d, said %q, complained %q", status, said, complained)
				}
				for _, dir := range []string{p.dir, elsewhere} {
					if _, err := os.Stat(filepath.Join(dir, "effects")); err == nil {
						t.Errorf("it ran in %s", dir)
					}
				}
			})
		}
	}
}
