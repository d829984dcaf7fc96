//go:build ignore

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

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

// start approves one call after the other through the API, and looks when its tool is at
// work: from the request, and from the moment at which the approval is in the database. What
// a tool does first is seen in the directory of the project. Every second call is a Write,
// which runs in this process, the others are commands: these also wait for their shell,
// which is started alone as well.
func start(p *place, n int) (map[string]int64, error) {
	script := filepath.Join(p.home, "end.yaml")
	if err := os.WriteFile(script, []byte("turns: []\nafterwards: Done.\n"), 0o600); err != nil {
		return nil, err
	}
	watch, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	defer watch.Close()
	if err := watch.Add(p.project); err != nil {
		return nil, err
	}
	const warmUps = 6
	var tickets []approval.Ticket
	for i := range 2*n + warmUps {
		t, err := p.park(i, startKind(i%2))
		if err != nil {
			return nil, err
		}
		tickets = append(tickets, t)
	}
	if err := p.serve(p.resumer("script:" + script)); err != nil {
		return nil, err
	}
	var requested, written, commanded, alone []time.Duration
	for i, t := range tickets {
		asked := time.Now()
		if _, err := p.ask("POST", "/api/v1/tickets/"+t.ID+"/approve", `{"digest":"`+t.Digest+`"}`); err != nil {
			return nil, err
		}
		started, err := firstSign(watch)
		if err != nil {
			return nil, fmt.Errorf("the call of %s: %w", t.ID, err)
		}
		var now approval.Ticket
		err = p.until(func() bool { now, _ = p.tickets.Find(context.Background(), t.ID); return now.State == approval.Done })
		if err != nil {
			return nil, fmt.Errorf("the call of %s does not end: %w", t.ID, err)
		}
		drain(watch)
		switch {
		case i < warmUps:
		case startKind(i%2) == aWrite:
			requested, written = append(requested, started.Sub(asked)), append(written, started.Sub(now.Answer.At))
		default:
			commanded = append(commanded, started.Sub(now.Answer.At))
			took, err := p.shellAlone(watch)
			if err != nil {
				return nil, err
			}
			alone = append(alone, took)
		}
	}
	return map[string]int64{"requested": at(requested, 0.5), "approved": at(written, 0.5), "commanded": at(commanded, 0.5), "shell": at(alone, 0.5)}, nil
}

// startKind is what a call does.
type startKind int

const (
	aWrite startKind = iota
	aCommand
)

// firstSign is when something happened in the directory first.
func firstSign(watch *fsnotify.Watcher) (time.Time, error) {
	select {
	case <-watch.Events:
		return time.Now(), nil
	case err := <-watch.Errors:
		return time.Time{}, err
	case <-time.After(time.Minute):
		return time.Time{}, errors.New("it does not start")
	}
}

// drain leaves out what else happened there.
func drain(watch *fsnotify.Watcher) {
	for {
		select {
		case <-watch.Events:
		case <-time.After(20 * time.Millisecond):
			return
		}
	}
}

// shellAlone is how long a shell needs until it is at its command, when nobody else is
// involved.
func (p *place) shellAlone(watch *fsnotify.Watcher) (time.Duration, error) {
	cmd := exec.Command("/bin/bash", "--noprofile", "--norc", "-c", "--", "echo > alone")
	cmd.Dir = p.project
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	there, err := firstSign(watch)
	err = errors.Join(err, cmd.Wait(), os.Remove(filepath.Join(p.project, "alone")))
	drain(watch)
	return there.Sub(began), err
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
func (p *place) park(n int, kind startKind) (approval.Ticket, error) {
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
	call.Input = fmt.Appendf(nil, `{"command":"echo > started-%d"}`, n)
	var places []string
	if kind == aWrite {
		real, err := filepath.EvalSymlinks(p.project)
		if err != nil {
			return approval.Ticket{}, err
		}
		places = []string{filepath.Join(real, fmt.Sprint("started-", n))}
		call.Tool, call.Input = "Write", fmt.Appendf(nil, `{"file_path":%q,"content":"x"}`, filepath.Join(p.project, fmt.Sprint("started-", n)))
	}
	said(model.User, model.TextBlock("Deploy it."))
	said(model.Assistant, model.Block{Kind: model.ToolUse, ID: call.ToolUseID, Name: call.Tool, Input: call.Input})
	waits := session.PendingCall{ToolUseID: call.ToolUseID, Tool: call.Tool, Input: call.Input, Cwd: call.Cwd, Since: time.Now().Truncate(time.Microsecond), Places: places}
	if err == nil {
		err = tr.Append(session.Parked, session.Pending{Calls: []session.PendingCall{waits}})
	}
	if err != nil {
		return approval.Ticket{}, err
	}
	return p.tickets.Park(context.Background(), approval.Parking{Call: call, At: waits.Since, By: "bench", Risk: permission.LowRisk, Kin: fmt.Sprint("Bash(bench ", n, ")"), Places: places})
}
