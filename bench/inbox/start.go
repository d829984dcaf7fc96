//go:build ignore

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/desk"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/crashpoint"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings/oslinks"
)

// records is how long the sessions are.
const records = 100

// start approves one call after the other through the API, and looks when its tool starts:
// from the request, and from the moment at which the approval is in the database.
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
	begun := make(chan time.Time, 1)
	crashpoint.Set(func(name string) {
		if name == "resume: begun" {
			begun <- time.Now()
		}
	})
	if err := p.serve(p.resumer("script:" + script)); err != nil {
		return nil, err
	}
	var requested, approved []time.Duration
	for i, t := range tickets {
		asked := time.Now()
		answered := make(chan error, 1)
		go func() {
			_, err := p.ask("POST", "/api/v1/tickets/"+t.ID+"/approve", `{"digest":"`+t.Digest+`"}`)
			answered <- err
		}()
		var started time.Time
		select {
		case started = <-begun:
		case <-time.After(time.Minute):
			return nil, fmt.Errorf("the call of %s does not start: %v", t.ID, <-answered)
		}
		if err := <-answered; err != nil {
			return nil, err
		}
		var now approval.Ticket
		err := p.until(func() bool { now, _ = p.tickets.Find(context.Background(), t.ID); return now.State == approval.Done })
		if err != nil {
			return nil, err
		}
		if i >= warmUps {
			requested, approved = append(requested, started.Sub(asked)), append(approved, started.Sub(now.Answer.At))
		}
	}
	return map[string]int64{"requested": at(requested, 0.5), "approved": at(approved, 0.5)}, nil
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
