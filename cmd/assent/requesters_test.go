//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/desk"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
)

// ann is who begins the sessions of these tests, which go on in the account of the test.
const ann = "ann@desk"

// somebodyElse is the flag for settings by which every call of Bash waits for somebody else than
// those who wanted it.
func (p *place) somebodyElse() []string {
	p.deferring()
	p.write("defer.json", `{"assent":{"approvals":{"any":{"notRequester":true}}},"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"cat answer.json"}]}]}}`)
	return []string{"--settings", filepath.Join(p.dir, "defer.json")}
}

// annBegins begins a session in the name of ann, whose model plays a script. Its tests run beside no
// others: this process has the session open, and what others start meanwhile would be taken for an agent's.
func (p *place) annBegins(script string) {
	p.t.Helper()
	tickets := desk.New(p.state())
	defer tickets.Close()
	s, err := launch.Open(launch.Options{
		Settings: settings.Options{Home: p.home, Dir: p.dir, Flag: filepath.Join(p.dir, "defer.json")}, Links: osLinks{},
		ID: chosenID, Model: p.playing("ann.yaml", script), Requester: ann, Parking: agent.ParkAlone, Desk: tickets, Context: p.t.Context(),
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if result := s.Agent.Prompt(p.t.Context(), agent.TextPrompt("hello")); result.IsError {
		p.t.Errorf("%+v", result)
	}
	if err := s.Close(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}

// peopled makes a server at which ann, ben, whose account is that of the test, and cleo sign in,
// and returns them with its process.
func (p *place) peopled(flags ...string) (server *worker, by map[string]*client.Client) {
	p.t.Helper()
	if err := os.Chmod(p.write("password", "correct horse battery"), 0o600); err != nil {
		p.t.Fatal(err)
	}
	by = map[string]*client.Client{"ann": nil, "ben": nil, "cleo": nil}
	for name := range by {
		if _, complained, status := p.say("people", "add", name, "--role", "admin", "--password-file", "password"); status != 0 {
			p.t.Fatal(complained)
		}
	}
	if _, complained, status := p.say("people", "account", "add", whoami(), "ben"); status != 0 {
		p.t.Fatal(complained)
	}
	server, link := p.serving(append([]string{"--listen", "127.0.0.1:0"}, flags...)...)
	address := strings.TrimSuffix(link, "/")
	for name := range by {
		var err error
		if by[name], err = client.New(address, signInAt(p.t, address, name, "correct horse battery")); err != nil {
			p.t.Fatal(err)
		}
	}
	return server, by
}

func (c *worker) close() {
	c.t.Helper()
	_ = c.cmd.Process.Signal(syscall.SIGTERM)
	if status := c.end(); status != 0 {
		c.t.Errorf("exit status %d: %s", status, c.stderr)
	}
}

// T1: ann begins a session, and ben goes on with it by a prompt of his own. What the model wants
// then is what both of them wanted, so neither can approve it, and somebody else can.
func TestT1_WhoGoesOnWithAPromptCannotApprove(t *testing.T) {
	p := newPlace(t)
	flags := p.somebodyElse()
	p.annBegins("turns: []\nafterwards: Hello.\n")
	if _, complained, status := p.say(append([]string{"-p", "--resume", chosenID, "--model", p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: touch deployed}}\nafterwards: Done.\n"), "deploy it"}, flags...)...); status != 0 {
		t.Fatal(complained)
	}
	ticket := p.ticketOf(chosenID)
	if want := ann + ", " + whoami(); ticket.Requester != want {
		t.Fatalf("wanted by %q, not by %q", ticket.Requester, want)
	}
	said, _, _ := p.say("sessions", "show", chosenID)
	want(t, said, "wanted by", ann+", "+whoami())
	server, by := p.peopled("--no-resume")
	for _, name := range []string{"ann", "ben"} {
		if d, err := by[name].Approve(t.Context(), ticket.ID, client.Yes{Digest: ticket.Digest}); err == nil || !strings.Contains(err.Error(), name+" wanted this call") {
			t.Errorf("%s: %+v, %v", name, d.State, err)
		}
	}
	if now := p.ticketOf(chosenID); now.State != approval.Pending {
		t.Error(now.State)
	}
	if _, err := by["cleo"].Approve(t.Context(), ticket.ID, client.Yes{Digest: ticket.Digest}); err != nil {
		t.Error(err)
	}
	if now := p.ticketOf(chosenID); now.State != approval.Approved || now.Answer.Voter != "cleo" {
		t.Errorf("%s, %+v", now.State, now.Answer)
	}
	server.close()
}

// A server that goes on with what was answered says nothing: what the model does next is still
// wanted by ann alone, and he in whose account the server runs can approve it.
func TestA4_AServerThatGoesOnWantsNothing(t *testing.T) {
	p := newPlace(t)
	flags := p.somebodyElse()
	p.annBegins("turns:\n  - call: {Bash: {command: echo one >> effects}}\n")
	first := p.ticketOf(chosenID)
	then := p.playing("then.yaml", "turns:\n  - call: {Bash: {command: echo two >> effects}}\nafterwards: Done.\n")
	server, by := p.peopled(append([]string{"--", "--model", then, "--append-system-prompt", "Be brief."}, flags...)...)
	if _, err := by["ben"].Approve(t.Context(), first.ID, client.Yes{Digest: first.Digest}); err != nil {
		t.Fatal(err)
	}
	var second client.Detail
	for deadline := time.Now().Add(patienceOfTests); second.ID == ""; {
		list, err := by["ben"].List(t.Context(), client.Query{})
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("%+v, %v\n%s", list, err, server.stderr)
		}
		for _, item := range list.Tickets {
			if item.ID != first.ID {
				if second, err = by["ben"].Detail(t.Context(), item.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if second.Requester != ann {
		t.Errorf("wanted by %q", second.Requester)
	}
	if _, err := by["ann"].Approve(t.Context(), second.ID, client.Yes{Digest: second.Digest}); err == nil {
		t.Error("ann has approved what she wanted")
	}
	if _, err := by["ben"].Approve(t.Context(), second.ID, client.Yes{Digest: second.Digest}); err != nil {
		t.Error(err)
	}
	server.close()
}

// T1: whichever way somebody speaks in the session of another, both are on record.
func TestT1_EveryWayToSpeakIsOnRecord(t *testing.T) {
	run := func(p *place, args ...string) {
		p.t.Helper()
		if _, complained, status := p.say(args...); status != 0 {
			p.t.Fatal(complained)
		}
	}
	for name, speak := range map[string]func(p *place, model []string) (id string){
		"resume": func(p *place, model []string) string {
			run(p, append(model, "-p", "--resume", chosenID, "go")...)
			return chosenID
		},
		"continue": func(p *place, model []string) string {
			run(p, append(model, "-p", "--continue", "go")...)
			return chosenID
		},
		"fork": func(p *place, model []string) string {
			run(p, append(model, "-p", "--resume", chosenID, "--fork-session", "--session-id", secondID, "go")...)
			return secondID
		},
		"host": func(p *place, model []string) string {
			c := p.start(p.env(), append(append(model, "--resume", chosenID), hosted...)...)
			c.send(prompt)
			c.expect(`"type":"result"`)
			c.stdin.Close()
			if status := c.end(); status != 0 {
				p.t.Error(c.stderr)
			}
			return chosenID
		},
		"terminal": func(p *place, model []string) string {
			y := p.sit(p.env(), append(model, "--resume", chosenID)...)
			y.sees("\n> ")
			y.types("go\n")
			want(p.t, y.sees("\n> "), "I remember.")
			y.types(ctrlD)
			if screen, status := y.leaves(); status != 0 {
				p.t.Errorf("exit status %d\n%s", status, screen)
			}
			return chosenID
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.somebodyElse()
			p.annBegins("turns: []\nafterwards: Hello.\n")
			id := speak(p, p.script("turns: []\nafterwards: I remember.\n"))
			got, err := session.NewStore(filepath.Join(p.state(), "sessions")).Load(id)
			if want := ann + ", " + whoami(); err != nil || got.Start.Requester != want {
				t.Errorf("%q, %v; want %q", got.Start.Requester, err, want)
			}
		})
	}
}

// T1: a session that lies on a machine only is a file, which may say anything about who has spoken in
// it. Whoever takes it up with a database, if only to go on with what waits, is one who wants its calls.
func TestT1_WhoPutsASessionIntoADatabaseWantsItsCalls(t *testing.T) {
	m := machines(t, 1)[0]
	flags := m.somebodyElse()
	m.annBegins("turns:\n  - call: {Bash: {command: touch deployed}}\nafterwards: Done.\n")
	if said, _, _ := m.say("sessions", "show", chosenID); !strings.Contains(said, ann) || strings.Contains(said, whoami()) {
		t.Fatal(said)
	}
	if _, complained, status := m.says(append([]string{"-p", "--resume", chosenID, "--model", m.playing("rest.yaml", "turns: []\nafterwards: Done.\n")}, flags...)...); status != 0 {
		t.Fatal(complained)
	}
	db, err := database.Connect(t.Context(), m.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tickets, err := approval.On(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	list, err := tickets.List(t.Context(), approval.Query{Session: chosenID})
	if want := ann + ", " + whoami(); err != nil || len(list) != 1 || list[0].Requester != want {
		t.Errorf("%+v, %v; want %q", list, err, want)
	}
}
