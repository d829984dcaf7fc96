package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket"
)

// guarded is a home and a project in which the guard of Codex works.
type guarded struct {
	*testing.T
	home, proj string
}

func newGuarded(t *testing.T, settings string) *guarded {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &guarded{t, filepath.Join(top, "home"), filepath.Join(top, "proj")}
	t.Setenv("HOME", g.home)
	t.Setenv("ASSENT_HOME", "")
	g.makes(os.MkdirAll(filepath.Join(g.home, ".claude"), 0o755))
	g.makes(os.MkdirAll(g.proj, 0o755))
	g.makes(os.WriteFile(filepath.Join(g.home, ".claude", "settings.json"), []byte(settings), 0o644))
	return g
}

func (g *guarded) makes(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

// run is the program in this home.
func (g *guarded) run(in io.Reader, args ...string) (status int, out, errOut string) {
	var stdout, stderr strings.Builder
	status = run(args, in, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// hook lets Codex make a call.
func (g *guarded) hook(session, command string) string {
	g.Helper()
	event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%q,"cwd":%q,"tool_name":"Bash","tool_input":{"command":%s}}`, session, g.proj, strconv.Quote(command))
	status, out, errOut := g.run(strings.NewReader(event), "hook", "--agent", "codex")
	if status != 0 || errOut != "" {
		g.Fatalf("status %d: %s%s", status, out, errOut)
	}
	return out
}

func (g *guarded) assent(args ...string) string {
	g.Helper()
	_, out, errOut := g.run(strings.NewReader(""), args...)
	return out + errOut
}

var ticketInAnswer = regexp.MustCompile("ticket ([a-z0-9]{12}): a person has to approve it \\(in the inbox, or with `assent approve ([a-z0-9]{12})`")

func (g *guarded) pending(answer string) string {
	g.Helper()
	found := ticketInAnswer.FindStringSubmatch(answer)
	if found == nil || found[1] != found[2] || !strings.Contains(answer, `"permissionDecision":"deny"`) {
		g.Fatalf("no ticket in %s", answer)
	}
	return found[1]
}

func (g *guarded) contains(text string, parts ...string) {
	g.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			g.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

// A person answers between two tries of the agent.
func TestA1_CodexTriesAgainAfterAnAnswer(t *testing.T) {
	g := newGuarded(t, `{"assent": {"guard": {"wait": "1ms"}}}`)
	id := g.pending(g.hook("thread-1", "make"))
	if again := g.pending(g.hook("thread-1", "make")); again != id {
		t.Errorf("another ticket: %s, %s", id, again)
	}
	g.contains(g.assent("sessions", "list"), "Waiting for an answer", id, "held for codex, session thread-1", g.proj)
	shown := g.assent("sessions", "show", id)
	g.contains(shown, "of codex", "nobody has answered", `"command": "make"`, "assent approve "+id, "the guard of codex")
	if strings.Contains(shown, "does not exist any more") || strings.Contains(shown, "--resume") {
		t.Error(shown)
	}
	g.contains(g.assent("approve", id), "approved "+id+": Bash make", "codex gets the answer now if its guard still waits, or else when it tries this call again")
	g.contains(g.assent("sessions", "list"), "Answered; their agents have not taken it yet", "approved")
	for _, other := range [][2]string{{"thread-2", "make"}, {"thread-1", "make all"}} {
		if got := g.pending(g.hook(other[0], other[1])); got == id {
			t.Errorf("%q got the yes", other)
		}
	}
	if out := g.hook("thread-1", "make"); out != "" { // which Codex takes for yes
		t.Errorf("%s", out)
	}
	if again := g.pending(g.hook("thread-1", "make")); again == id {
		t.Error("the yes was used twice")
	}
	no := g.pending(g.hook("thread-3", "make"))
	g.contains(g.assent("deny", no, "--reason", "not on a Friday"), "denied "+no, "codex gets the answer")
	g.contains(g.hook("thread-3", "make"), "denied by", "not on a Friday")
}

// Without a server, and without settings that want it, nothing waits.
func TestA1_NothingWaitsWhereNobodyLooks(t *testing.T) {
	g := newGuarded(t, `{}`)
	g.contains(g.hook("thread-1", "make"), `"permissionDecision":"deny"`, "This needs a person", "answer such calls in the inbox (`assent serve`)")
	if approval.Exists(filepath.Join(g.home, ".assent")) {
		t.Error("there are tickets")
	}
}

// With a server the guard waits there, and has the answer at once.
func TestA1_TheGuardWaitsAtTheServer(t *testing.T) {
	g := newGuarded(t, `{}`)
	dir := filepath.Join(g.home, ".assent")
	tickets, err := approval.Open(dir)
	g.makes(err)
	defer tickets.Close()
	ctx, stop := context.WithCancel(t.Context())
	keeper := socket.NewKeeper(tickets)
	server, err := socket.Listen(dir, keeper)
	g.makes(err)
	ended, followed := make(chan error, 1), make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	go func() {
		followed <- tickets.Follow(ctx, 0, nil, func(list []approval.Change) {
			keeper.Tell(list)
			for _, c := range list {
				if c.To != approval.Pending {
					continue
				}
				t, err := tickets.Find(ctx, c.Ticket)
				if err == nil {
					_, err = tickets.Approve(ctx, t.ID, t.Digest, "ana", "", nil)
				}
				if err != nil {
					g.Error(err)
				}
			}
		})
	}()
	if out := g.hook("thread-1", "make"); out != "" {
		t.Errorf("%s", out)
	}
	stop()
	g.makes(<-ended)
	g.makes(<-followed)
}

// Tickets that cannot be used let nothing through.
func TestT11_TicketsThatCannotBeUsed(t *testing.T) {
	g := newGuarded(t, `{"assent": {"guard": {"wait": "1ms"}}}`)
	g.makes(os.MkdirAll(filepath.Join(g.home, ".assent"), 0o700))
	g.makes(os.WriteFile(filepath.Join(g.home, ".assent", "state.db"), []byte(strings.Repeat("not a database ", 100)), 0o600))
	g.contains(g.hook("thread-1", "make"), `"permissionDecision":"deny"`, "could not be put to one", "state.db")
}

func TestT14_TheGuardIsOnRecord(t *testing.T) {
	g := newGuarded(t, `{"permissions": {"deny": ["Bash(rm:*)"]}, "assent": {"guard": {"audit": true}}}`)
	g.hook("thread-1", "ls")
	g.hook("thread-1", "rm x")
	log := g.assent("audit", "log")
	g.contains(log, "allow", "deny", "Bash(rm:*)")
	g.contains(g.assent("audit", "verify"), "2 records")
	g.makes(os.RemoveAll(filepath.Join(g.home, ".assent", "audit")))
	g.makes(os.WriteFile(filepath.Join(g.home, ".assent", "audit"), nil, 0o600)) // where a directory should be
	g.contains(g.hook("thread-1", "ls"), `"permissionDecision":"deny"`, "the decision log cannot be written")
}

// The small program of the guard hands calls over as lines.
func TestA1_HoldingForTheSmallProgram(t *testing.T) {
	g := newGuarded(t, `{}`)
	for text, want := range map[string]string{
		``:                       "not a whole line",
		`{"hold":`:               "not a whole line",
		"{}\n":                   "asks for nothing",
		`{"approve":"x"}` + "\n": "approve",
		`{"hold":{}}` + "\n":     "",
	} {
		status, out, _ := g.run(strings.NewReader(text), "hook", "--held", g.home)
		if status != 0 || !strings.HasPrefix(out, `{"error":`) || !strings.Contains(out, want) {
			t.Errorf("%q: status %d: %s", text, status, out)
		}
	}
	hold := `{"hold":{"asker":"codex","session":"s","tool":"Bash","input":{},"cwd":"/","why":"","policy":"","risk":"low","kin":"","lasts_ms":0,"wait_ms":0,"nonce":"0123456789abcdef"}}` + "\n"
	open, write := io.Pipe() // as long as the guard lives
	go func() { _, _ = write.Write([]byte(hold)) }()
	if status, out, _ := g.run(open, "hook", "--held", g.home); status != 0 || !strings.Contains(out, `"state":"pending"`) {
		t.Errorf("status %d: %s", status, out)
	}
}

// Codex is given another input than its own, where a person has approved that one.
func TestA3_CodexIsGivenAnotherInput(t *testing.T) {
	g := newGuarded(t, `{"permissions": {"deny": ["Bash(rm:*)"]}, "assent": {"guard": {"wait": "1ms"}}}`)
	id := g.pending(g.hook("thread-1", "make deploy"))
	g.contains(g.assent("approve", id, "--input", `{"command":"rm -r build"}`), "was not approved: the rule Bash(rm:*)", "denies it")
	g.contains(g.assent("approve", id, "--input", `{"command":"make deploy ENV=staging"}`), "approved "+id, "it runs with this input", "ENV=staging")
	if other := g.pending(g.hook("thread-1", "make deploy ENV=staging")); other == id {
		t.Error("the yes is one for the edited call of the agent, too")
	}
	const given = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow",`
	out := g.hook("thread-1", "make deploy")
	if !strings.HasPrefix(out, given) || !strings.Contains(out, `"updatedInput":{"command":"make deploy ENV=staging"}`) {
		t.Errorf("%s", out)
	}
	if again := g.pending(g.hook("thread-1", "make deploy")); again == id {
		t.Error("the yes was used twice")
	}

	// A rule that was made after the yes denies the edited input, and nothing runs.
	id = g.pending(g.hook("thread-2", "make deploy"))
	g.contains(g.assent("approve", id, "--input", `{"command":"make publish"}`), "approved "+id)
	g.makes(os.WriteFile(filepath.Join(g.home, ".claude", "settings.json"), []byte(`{"permissions": {"deny": ["Bash(make publish:*)"]}, "assent": {"guard": {"wait": "1ms"}}}`), 0o644))
	g.contains(g.hook("thread-2", "make deploy"), `"permissionDecision":"deny"`, "Bash(make publish:*)")
}

// What an agent cannot be given is refused where it is said, with the reason.
func TestA3_AgentsThatTakeNoOtherInput(t *testing.T) {
	g := newGuarded(t, `{"assent": {"guard": {"wait": "1ms"}}}`)
	for name, tt := range map[string]struct{ agent, event, says string }{
		"Cursor":              {"cursor", `{"hook_event_name":"beforeShellExecution","session_id":"s1","cwd":"PROJ","command":"make"}`, "the hooks of cursor have no way to be given another input"},
		"Codex, in its words": {"codex", `{"hook_event_name":"PreToolUse","session_id":"s2","cwd":"PROJ","tool_name":"exec_command","tool_input":{"cmd":"make"}}`, "codex said it in other words"},
	} {
		t.Run(name, func(t *testing.T) {
			_, out, _ := g.run(strings.NewReader(strings.ReplaceAll(tt.event, "PROJ", g.proj)), "hook", "--agent", tt.agent)
			found := ticketInAnswer.FindStringSubmatch(out)
			if found == nil {
				t.Fatal(out)
			}
			g.contains(g.assent("approve", found[1], "--input", `{"command":"make -n"}`), tt.says, "approve it as it is, or deny it with a reason")
			g.contains(g.assent("approve", found[1]), "approved "+found[1])
		})
	}
}

// A patch was approved for the files that it led to. Behind a link that came since lies another
// one, for which somebody is asked anew; the yes is there when the link has gone.
func TestT7_CodexGetsNoYesForAnotherFile(t *testing.T) {
	g := newGuarded(t, `{"assent": {"guard": {"wait": "1ms"}}}`)
	name, profile := filepath.Join(g.proj, "d", "n.txt"), filepath.Join(g.home, ".bashrc")
	g.makes(os.Mkdir(filepath.Dir(name), 0o755))
	g.makes(os.WriteFile(profile, nil, 0o600))
	event := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"t","cwd":%q,"tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: d/n.txt\n+x\n*** End Patch"}}`, g.proj)
	hook := func() string {
		t.Helper()
		_, out, errOut := g.run(strings.NewReader(event), "hook", "--agent", "codex")
		return out + errOut
	}
	id := g.pending(hook())
	g.contains(g.assent("sessions", "show", id), name+", when it was parked")
	g.contains(g.assent("approve", id), "approved "+id)
	g.makes(os.Symlink(profile, name))
	if other := g.pending(hook()); other == id {
		t.Error("the patch of another file has the same ticket")
	} else {
		g.contains(g.assent("sessions", "show", other), profile+", when it was parked")
	}
	g.makes(os.Remove(name))
	if out := hook(); out != "" { // which Codex takes for yes
		t.Error(out)
	}
}
