//go:build ignore

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// start lets a server and a worker, two processes that know each other by the database alone,
// work on calls that are approved one after the other through the API of the server, and looks
// when the tool of each is at work: in the directory of the project.
func start(address, dir, program string, n int) (map[string]int64, error) {
	p, err := join(address, filepath.Join(dir, "bench"))
	if err != nil {
		return nil, err
	}
	defer p.close()
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
	for i := range n + warmUps {
		t, err := p.park(i)
		if err != nil {
			return nil, err
		}
		tickets = append(tickets, t)
	}
	m := &machines{place: p, dir: dir, program: program}
	defer m.end()
	if err := m.begin(); err != nil {
		return nil, err
	}
	var requested, approved []time.Duration
	for i, t := range tickets {
		asked := time.Now()
		if err := m.approve(t); err != nil {
			return nil, err
		}
		started, err := firstSign(watch)
		if err != nil {
			return nil, fmt.Errorf("the call of %s: %w", t.ID, err)
		}
		var now approval.Ticket
		err = until(func() bool { now, _ = p.tickets.Find(context.Background(), t.ID); return now.State == approval.Done })
		if err != nil {
			return nil, fmt.Errorf("the call of %s does not end: %w", t.ID, err)
		}
		drain(watch)
		if i >= warmUps {
			requested, approved = append(requested, started.Sub(asked)), append(approved, started.Sub(now.Answer.At))
		}
	}
	return map[string]int64{"requested": at(requested, 0.5), "p50": at(approved, 0.5), "p99": at(approved, 0.99)}, nil
}

// machines are a server that answers people, and a worker that lets sessions go on.
type machines struct {
	*place
	dir, program string
	token, web   string
	running      []*exec.Cmd
}

func (m *machines) begin() error {
	m.token = strings.Repeat("0123456789-", 4)
	files := map[string]string{"token": m.token, "end.yaml": "turns: []\nafterwards: Done.\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	link, err := m.run("server", "serve", "--no-resume", "--listen", "127.0.0.1:0", "--token-file", filepath.Join(m.dir, "token"))
	if err != nil {
		return err
	}
	line, err := bufio.NewReader(link).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the server prints no link: %w", err)
	}
	m.web = strings.TrimSuffix(strings.TrimSpace(line), "/")
	_, err = m.run("worker", "worker", "--", "--model", "script:"+filepath.Join(m.dir, "end.yaml"))
	return err
}

// run starts the program on a machine of its own, and is what it prints.
func (m *machines) run(machine string, args ...string) (io.Reader, error) {
	home := filepath.Join(m.dir, machine)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.Command(m.program, args...)
	cmd.Dir, cmd.Env = m.project, append(os.Environ(), "HOME="+home, "ASSENT_HOME=", "ASSENT_DATABASE="+m.address)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	m.running = append(m.running, cmd)
	return out, nil
}

func (m *machines) end() {
	for _, cmd := range m.running {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

func (m *machines) approve(t approval.Ticket) error {
	r, err := http.NewRequest(http.MethodPost, m.web+"/api/v1/tickets/"+t.ID+"/approve", bytes.NewReader(fmt.Appendf(nil, `{"digest":%q}`, t.Digest)))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+m.token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, text)
	}
	return err
}

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

// park makes a session in the database in which a Write waits.
func (p *place) park(n int) (approval.Ticket, error) {
	p.sessions.Prepare = func(dir string) error {
		_, err := hook.OpenState(filepath.Join(dir, "state.json"))
		return err
	}
	real, err := filepath.EvalSymlinks(p.project)
	if err != nil {
		return approval.Ticket{}, err
	}
	id, path := session.NewID(), filepath.Join(real, fmt.Sprint("started-", n))
	call := approval.Call{Session: id, ToolUseID: fmt.Sprint("toolu_", n), Tool: "Write", Input: fmt.Appendf(nil, `{"file_path":%q,"content":"x"}`, path), Cwd: p.project}
	waits := session.PendingCall{ToolUseID: call.ToolUseID, Tool: call.Tool, Input: call.Input, Cwd: call.Cwd, Since: time.Now().Truncate(time.Microsecond), Places: []string{path}}
	tr, err := p.sessions.Create(id, session.Start{Cwd: p.project, Model: "script", Mode: "default"})
	if err != nil {
		return approval.Ticket{}, err
	}
	err = errors.Join(
		tr.Append(session.Said, model.Message{Role: model.User, Content: []model.Block{model.TextBlock("Deploy it.")}}),
		tr.Append(session.Said, model.Message{Role: model.Assistant, Content: []model.Block{{Kind: model.ToolUse, ID: call.ToolUseID, Name: call.Tool, Input: call.Input}}}),
		tr.Append(session.Parked, session.Pending{Calls: []session.PendingCall{waits}}),
		tr.Close())
	if err != nil {
		return approval.Ticket{}, err
	}
	return p.tickets.Park(context.Background(), approval.Parking{Call: call, At: waits.Since, By: "bench", Risk: permission.LowRisk, Kin: fmt.Sprint("Write(bench ", n, ")"), Places: waits.Places})
}
