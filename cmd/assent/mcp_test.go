package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/socket"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// asked is a client of the MCP server, in the home and project of a guard.
type asked struct {
	*guarded
	client  *sdk.ClientSession
	tickets *approval.Store
	// progress is what the client was told while it waited.
	progress chan string
}

func newAsked(t *testing.T, settings string, f mcpFlags) *asked {
	t.Helper()
	a := &asked{guarded: newGuarded(t, settings)}
	t.Chdir(a.proj)
	t.Setenv("CLAUDE_PROJECT_DIR", "")
	tickets, err := approval.Open(filepath.Join(a.home, ".assent"))
	a.makes(err)
	a.tickets = tickets
	p, err := newPrompter(f, "")
	a.makes(err)
	p.interval = 10 * time.Millisecond
	a.progress = make(chan string, 1)
	theirIn, ourOut := io.Pipe()
	ourIn, theirOut := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- p.serve(t.Context(), theirIn, theirOut) }()
	a.client, err = sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			select {
			case a.progress <- r.Params.Message:
			default:
			}
		},
	}).Connect(t.Context(), &sdk.IOTransport{Reader: ourIn, Writer: ourOut}, nil)
	a.makes(err)
	t.Cleanup(func() {
		_ = a.client.Close()
		_ = ourOut.Close()
		_ = ourIn.Close()
		if err := <-served; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
		_ = tickets.Close()
	})
	return a
}

// ask puts a question to the tool.
func (a *asked) ask(ctx context.Context, arguments string) (verdictOfTool, error) {
	params := &sdk.CallToolParams{Name: "approve", Arguments: strictjson.Raw(arguments)}
	params.SetProgressToken("p1")
	result, err := a.client.CallTool(ctx, params)
	if err != nil {
		return verdictOfTool{}, err
	}
	text := result.Content[0].(*sdk.TextContent).Text
	var v verdictOfTool
	return v, errors.Join(strictjson.UnmarshalKnown([]byte(text), &v), func() error {
		if result.IsError {
			return errors.New(text)
		}
		return nil
	}())
}

// whenHeld does something with the next ticket that waits.
func (a *asked) whenHeld(do func(approval.Ticket)) {
	a.Helper()
	ctx, stop := context.WithCancel(a.Context())
	defer stop()
	a.makes(a.tickets.Follow(ctx, 0, nil, func([]approval.Change) {
		list, err := a.tickets.List(ctx, approval.Query{States: []approval.State{approval.Pending}})
		if err != nil {
			a.Error(err)
		}
		if len(list) > 0 && ctx.Err() == nil {
			do(list[0])
			stop()
		}
	}))
}

const deployQuestion = `{"tool_name":"Bash","input":{"command":"deploy","description":"go"},"tool_use_id":"toolu_1"}`

// The rules are asked before people are.
func TestA1_PromptToolAsksTheRulesFirst(t *testing.T) {
	a := newAsked(t, `{"permissions": {"allow": ["Bash(make:*)"], "deny": ["Bash(rm:*)"]}}`, mcpFlags{})
	for question, want := range map[string]verdictOfTool{
		`{"tool_name":"Bash","input":{"command":"make all"},"tool_use_id":"x"}`: {"allow", strictjson.Raw(`{"command":"make all"}`), ""},
		`{"tool_name":"Bash","input":{"command":"make"},"something":"new"}`:     {"allow", strictjson.Raw(`{"command":"make"}`), ""},
		`{"tool_name":"Bash","input":{"command":"rm x"},"tool_use_id":"x"}`:     {"deny", nil, "assent: rule Bash(rm:*)"},
		`{"tool_name":"Bash","input":{"command":"make","command":"rm x"}}`:      {"deny", nil, "assent: not allowed"},
		`{"tool_name":"Bash","input":"make"}`:                                   {"deny", nil, "assent: not allowed"},
		`{"tool_name":"Bash"}`:                                                  {"deny", nil, "assent: not allowed"},
		`{"input":{"command":"make"}}`:                                          {"deny", nil, "assent: not allowed"},
		`{"tool_name":"","input":{}}`:                                           {"deny", nil, "assent: not allowed"},
	} {
		got, err := a.ask(t.Context(), question)
		if err != nil || got.Behavior != want.Behavior || string(got.UpdatedInput) != string(want.UpdatedInput) || !strings.HasPrefix(got.Message, want.Message) {
			t.Errorf("%s: %+v, %v", question, got, err)
		}
	}
	if list, err := a.tickets.List(t.Context(), approval.Query{}); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestA1_PromptToolAnswersFromTheInbox(t *testing.T) {
	a := newAsked(t, `{}`, mcpFlags{session: "s1"})
	for name, tt := range map[string]struct {
		answer func(approval.Ticket) error
		want   verdictOfTool
	}{
		"yes": {func(t approval.Ticket) error {
			_, err := a.tickets.Approve(a.Context(), t.ID, t.Digest, "ana", "", nil)
			return err
		}, verdictOfTool{"allow", strictjson.Raw(`{"command":"deploy","description":"go"}`), ""}},
		"yes, to another input": {func(t approval.Ticket) error {
			_, err := a.tickets.Approve(a.Context(), t.ID, t.Digest, "ana", "", strictjson.Raw(`{"command":"deploy -n"}`))
			return err
		}, verdictOfTool{"allow", strictjson.Raw(`{"command":"deploy -n"}`), ""}},
		"no": {func(t approval.Ticket) error {
			_, err := a.tickets.Deny(a.Context(), t.ID, t.Digest, "bob", "not today")
			return err
		}, verdictOfTool{"deny", nil, "assent: denied by bob"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := make(chan verdictOfTool, 1)
			go func() {
				v, err := a.ask(t.Context(), deployQuestion)
				if err != nil {
					t.Error(err)
				}
				got <- v
			}()
			a.whenHeld(func(ticket approval.Ticket) {
				if ticket.Asker != "claude" || ticket.Session != "s1" || ticket.Tool != "Bash" || string(ticket.Input) != `{"command":"deploy","description":"go"}` || ticket.Cwd != a.proj || ticket.Risk == 0 {
					t.Errorf("%+v", ticket)
				}
				if err := tt.answer(ticket); err != nil {
					t.Error(err)
				}
			})
			if v := <-got; v.Behavior != tt.want.Behavior || string(v.UpdatedInput) != string(tt.want.UpdatedInput) || !strings.HasPrefix(v.Message, tt.want.Message) {
				t.Errorf("%+v", v)
			}
		})
	}
}

// The client is given another input, if a person approves that one, and the rules permit it.
func TestA3_PromptToolGivesAnotherInput(t *testing.T) {
	a := newAsked(t, `{"permissions": {"deny": ["Bash(rm:*)"]}}`, mcpFlags{session: "s1"})
	got := make(chan verdictOfTool, 1)
	go func() {
		v, err := a.ask(t.Context(), deployQuestion)
		if err != nil {
			t.Error(err)
		}
		got <- v
	}()
	a.whenHeld(func(ticket approval.Ticket) {
		a.contains(a.assent("approve", ticket.ID, "--input", `{"command":"rm -r build"}`), "denies it")
		a.contains(a.assent("approve", ticket.ID, "--input", `{"command":"deploy --dry-run"}`), "approved "+ticket.ID)
	})
	if v := <-got; v.Behavior != "allow" || string(v.UpdatedInput) != `{"command":"deploy --dry-run"}` {
		t.Errorf("%+v", v)
	}
}

// A client that stops waiting leaves the call in the inbox, and finds the answer there.
func TestA1_PromptToolThatIsCancelled(t *testing.T) {
	a := newAsked(t, `{}`, mcpFlags{})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := a.ask(ctx, deployQuestion)
		ended <- err
	}()
	var ticket approval.Ticket
	a.whenHeld(func(t approval.Ticket) { ticket = t })
	if told := <-a.progress; !strings.HasPrefix(told, "waiting for an answer in the inbox") {
		t.Error(told)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	got, err := a.tickets.Find(t.Context(), ticket.ID)
	if err != nil || got.State != approval.Pending {
		t.Fatalf("%+v, %v", got, err)
	}
	_, err = a.tickets.Approve(t.Context(), ticket.ID, ticket.Digest, "ana", "", nil)
	a.makes(err)
	for i, want := range []string{"allow"} {
		if v, err := a.ask(t.Context(), deployQuestion); err != nil || v.Behavior != want {
			t.Errorf("%d: %+v, %v", i, v, err)
		}
	}
}

// The server of the inbox ends while the client waits, which does not end the wait.
func TestT11_PromptToolOutlivesTheServer(t *testing.T) {
	a := newAsked(t, `{}`, mcpFlags{})
	ctx, stop := context.WithCancel(t.Context())
	server, err := socket.Listen(filepath.Join(a.home, ".assent"), socket.NewKeeper(a.tickets))
	a.makes(err)
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	got := make(chan verdictOfTool, 1)
	go func() {
		v, err := a.ask(t.Context(), deployQuestion)
		if err != nil {
			t.Error(err)
		}
		got <- v
	}()
	a.whenHeld(func(ticket approval.Ticket) {
		stop()
		a.makes(<-ended)
		_, err := a.tickets.Approve(a.Context(), ticket.ID, ticket.Digest, "ana", "", nil)
		a.makes(err)
	})
	if v := <-got; v.Behavior != permission.Allow.String() {
		t.Errorf("%+v", v)
	}
}

// The time to wait is over.
func TestA1_PromptToolThatWaitsNoLonger(t *testing.T) {
	a := newAsked(t, `{}`, mcpFlags{wait: 1})
	v, err := a.ask(t.Context(), deployQuestion)
	if err != nil || v.Behavior != "deny" {
		t.Fatalf("%+v, %v", v, err)
	}
	a.contains(v.Message, "Pending, ticket ", "assent approve ")
}

// assent's own agent asks like Claude Code does.
func TestA1_PromptToolOfAnAgent(t *testing.T) {
	g := newGuarded(t, `{}`)
	g.makes(os.WriteFile(filepath.Join(g.proj, "session.yaml"), []byte("turns:\n  - call: {Bash: {command: touch done}}\n  - say: It is done.\n"), 0o644))
	cmd := exec.Command("assent", "-p", "do it", "--model", "script:session.yaml", "--permission-prompt-tool", "mcp__assent__approve",
		"--mcp-config", `{"mcpServers": {"assent": {"command": "assent", "args": ["mcp"]}}}`)
	cmd.Dir = g.proj
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	g.makes(cmd.Start())
	tickets, err := approval.Open(filepath.Join(g.home, ".assent"))
	g.makes(err)
	defer tickets.Close()
	a := &asked{guarded: g, tickets: tickets}
	a.whenHeld(func(ticket approval.Ticket) {
		if _, err := os.Stat(filepath.Join(g.proj, "done")); err == nil {
			t.Error("it ran before anybody said yes")
		}
		g.contains(g.assent("approve", ticket.ID), "approved "+ticket.ID+": Bash touch done", "claude gets the answer now")
	})
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "It is done.") {
		t.Errorf("%v: %s", err, out.String())
	}
	if _, err := os.Stat(filepath.Join(g.proj, "done")); err != nil {
		t.Error(err, fmt.Sprint(out.String()))
	}
}

// A session whose name nobody could read has another one, and whoever gives such a name is
// told: its calls would be denied without a question.
func TestA1_PromptToolOfASessionWithoutAName(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("CLAUDE_CODE_SESSION_ID", "x y")
	p, err := newPrompter(mcpFlags{}, t.TempDir())
	if err != nil || !strings.HasPrefix(p.session, "mcp-") {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := newPrompter(mcpFlags{session: "x y"}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "--session") {
		t.Error(err)
	}
	if p, err := newPrompter(mcpFlags{session: "x-y"}, t.TempDir()); err != nil || p.session != "x-y" {
		t.Errorf("%+v, %v", p, err)
	}
}
