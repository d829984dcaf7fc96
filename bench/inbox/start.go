//go:build ignore

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/desk"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings/oslinks"
)

// records is how long the sessions are.
const records = 100

// start approves one call after the other through the API, and looks when its tool starts:
// from the request, and from the moment at which the approval is in the database. The tool
// says so itself: it has started when its shell runs the first command.
func start(p *place, n int) (map[string]int64, error) {
	script := filepath.Join(p.home, "end.yaml")
	if err := os.WriteFile(script, []byte("turns: []\nafterwards: Done.\n"), 0o600); err != nil {
		return nil, err
	}
	const warmUps = 5
	var tickets []approval.Ticket
	for i := range n + warmUps {
		t, err := p.park(i)
		if err != nil {
			return nil, err
		}
		tickets = append(tickets, t)
	}
	if err := p.serve(p.resumer("script:" + script)); err != nil {
		return nil, err
	}
	var requested, approved []time.Duration
	for i, t := range tickets {
		asked := time.Now()
		if _, err := p.ask("POST", "/api/v1/tickets/"+t.ID+"/approve", `{"digest":"`+t.Digest+`"}`); err != nil {
			return nil, err
		}
		var now approval.Ticket
		var started time.Time
		var unread error
		err := p.until(func() bool { // not by the tickets, which are at work
			started, unread = p.started(i)
			return !started.IsZero() || unread != nil && !errors.Is(unread, fs.ErrNotExist)
		})
		if err = cmp.Or(err, unread); err == nil {
			err = p.until(func() bool { now, _ = p.tickets.Find(context.Background(), t.ID); return now.State == approval.Done })
		}
		if err != nil {
			return nil, fmt.Errorf("the call of %s does not end: %w", t.ID, err)
		}
		if i >= warmUps {
			requested, approved = append(requested, started.Sub(asked)), append(approved, started.Sub(now.Answer.At))
		}
	}
	return map[string]int64{"requested": at(requested, 0.5), "approved": at(approved, 0.5)}, nil
}

// started is when the shell of a call was at its command, by its own clock.
func (p *place) started(n int) (time.Time, error) {
	text, err := os.ReadFile(filepath.Join(p.project, fmt.Sprint("started-", n)))
	if err != nil || len(text) == 0 {
		return time.Time{}, err
	}
	seconds, micros, _ := strings.Cut(strings.TrimSpace(string(text)), ".")
	whole, badWhole := strconv.ParseInt(seconds, 10, 64)
	part, badPart := strconv.ParseInt(micros, 10, 64)
	if errors.Join(badWhole, badPart) != nil {
		return time.Time{}, fmt.Errorf("the shell says that it is %q: this measure needs bash 5 or later", text)
	}
	return time.Unix(whole, part*int64(time.Microsecond)), nil
}

// resumer lets sessions go on as the program does.
func (p *place) resumer(name string) func(context.Context, string, []permission.Update) error {
	tickets := desk.Over(p.state, p.tickets)
	return func(ctx context.Context, id string, _ []permission.Update) error {
		s, err := launch.Open(launch.Options{
			Settings: p.settings(p.project), Links: oslinks.Links{}, Model: name, Resume: id, OnlyPending: true, Parking: agent.ParkAlone, Desk: tickets, Context: ctx, Version: "bench",
		})
		if err != nil {
			return err
		}
		s.Agent.Start(ctx, s.Source)
		s.Agent.Resume(ctx)
		return s.Close(ctx)
	}
}

// park makes a session with a call that waits, after some conversation.
func (p *place) park(n int) (approval.Ticket, error) {
	p.sessions.Prepare = func(dir string) error {
		_, err := hook.OpenState(filepath.Join(dir, "state.json"))
		return err
	}
	id := session.NewID()
	tr, err := p.sessions.Create(id, session.Start{Cwd: p.project, Model: "script", Mode: "default"})
	if err != nil {
		return approval.Ticket{}, err
	}
	defer tr.Close()
	said := func(role model.Role, block model.Block) {
		if err == nil {
			err = tr.Append(session.Said, model.Message{Role: role, Content: []model.Block{block}})
		}
	}
	for range (records - 4) / 2 {
		said(model.User, model.TextBlock("Is it ready? Look at the tests, and at the notes of the last release."))
		said(model.Assistant, model.TextBlock("Not yet: two of the tests fail. I look at them, and mend what is wrong."))
	}
	call := p.call(id, n)
	call.Input = fmt.Appendf(nil, `{"command":"echo $EPOCHREALTIME > started-%d"}`, n)
	said(model.User, model.TextBlock("Deploy it."))
	said(model.Assistant, model.Block{Kind: model.ToolUse, ID: call.ToolUseID, Name: call.Tool, Input: call.Input})
	waits := session.PendingCall{ToolUseID: call.ToolUseID, Tool: call.Tool, Input: call.Input, Cwd: call.Cwd, Since: time.Now().Truncate(time.Microsecond)}
	if err == nil {
		err = tr.Append(session.Parked, session.Pending{Calls: []session.PendingCall{waits}})
	}
	if err != nil {
		return approval.Ticket{}, err
	}
	return p.tickets.Park(context.Background(), approval.Parking{Call: call, At: waits.Since, By: "bench", Risk: permission.LowRisk, Kin: fmt.Sprint("Bash(bench ", n, ")")})
}
