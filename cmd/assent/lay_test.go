package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/session"
)

// lay parks a call as an agent does that has ended since, and makes its ticket. The session
// is made in a process of its own: whoever has one open while others start commands of
// people would be taken for an agent that answers itself. more is for its environment.
func (p *place) lay(tickets *approval.Store, id, tool string, given any, more ...string) approval.Ticket {
	p.t.Helper()
	input, err := strictjson.Marshal(given)
	if err != nil {
		p.t.Fatal(err)
	}
	since := time.Now().Truncate(time.Microsecond)
	cmd := exec.Command("assent-park", filepath.Join(p.home, ".assent", "sessions"), p.dir, id, tool, string(input), since.Format(time.RFC3339Nano))
	cmd.Env = p.env(more...)
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%v: %s", err, out)
	}
	var about struct {
		Path string `json:"file_path"`
	}
	if err := strictjson.Unmarshal(input, &about); err != nil {
		p.t.Fatal(err)
	}
	var places []string
	if about.Path != "" { // no file is a link yet
		places = []string{filepath.Join(p.dir, about.Path)}
	}
	ticket, err := tickets.Park(p.t.Context(), approval.Parking{
		Call: approval.Call{Session: id, ToolUseID: laidID, Tool: tool, Input: input, Cwd: p.dir}, At: since, By: "test", Risk: 1, Places: places,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return ticket
}

// laidID is the id of a call that was laid out.
const laidID = "toolu_1"

// layOut makes a session in which a call waits; see lay.
func layOut() {
	if err := laidOut(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func laidOut(sessions, cwd, id, tool, given, at string) error {
	since, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		return err
	}
	store := session.NewStore(sessions)
	if j := (&joining{}); j.shared() {
		joined, err := j.join(context.Background(), filepath.Dir(sessions))
		if err != nil {
			return err
		}
		defer joined.close()
		store = joined.sessions
	}
	store.Prepare = func(dir string) error {
		_, err := hook.OpenState(filepath.Join(dir, "state.json"))
		return err
	}
	tr, err := store.Create(id, session.Start{Cwd: cwd, Model: "script", Mode: "default"})
	if err != nil {
		return err
	}
	input := strictjson.Raw(given)
	return errors.Join(
		tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("go")}}),
		tr.Append(session.Said, model.Message{Role: model.Assistant, Content: []model.Block{{Kind: model.ToolUse, ID: laidID, Name: tool, Input: input}}}),
		tr.Append(session.Parked, session.Pending{Calls: []session.PendingCall{{ToolUseID: laidID, Tool: tool, Input: input, Cwd: cwd, Since: since}}}),
		tr.Close())
}
