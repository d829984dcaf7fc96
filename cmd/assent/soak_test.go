package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// holdVariable names a file that every MCP server of the test holds locked while it
// lives.
const holdVariable = "ASSENT_TEST_HOLD"

// soakServer is an MCP server: this test binary under another name.
func soakServer() {
	if path := os.Getenv(holdVariable); path != "" {
		f, err := os.Open(path)
		if err == nil {
			err = lockShared(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		defer f.Close()
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "soak", Version: "1"}, nil)
	type input struct {
		Note string `json:"note"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "says it again"}, func(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Note}}}, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "die", Description: "ends the server"}, func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, any, error) {
		os.Exit(3)
		return nil, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "hang", Description: "never answers"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ input) (*mcp.CallToolResult, any, error) {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	})
	_ = server.Run(context.Background(), &mcp.StdioTransport{}) // it ends with its input
}

// Sessions of all kinds, side by side with one home: sub-agents in sub-agents, MCP
// servers that answer, die or hang, hosts that answer, refuse, interrupt, go away or stop
// reading, and kills at any time. None of them hangs, nothing is left running, and all
// that was recorded is whole.
func TestSoakOfMixedSessions(t *testing.T) {
	sessions, seed := 30, uint64(7)
	if os.Getenv("ASSENT_SOAK") != "" {
		sessions, seed = 500, rand.Uint64()
	}
	t.Logf("seed %d", seed)
	p := newPlace(t)
	p.write("notes.txt", "remember the milk\n")
	hold := p.write("hold", "")
	var endings [len(endingNames)]atomic.Int32
	limit := make(chan struct{}, 6)
	var all sync.WaitGroup
	for n := range sessions {
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			s := &soakSession{t: t, random: rand.New(rand.NewPCG(seed, uint64(n))), number: n}
			s.run(p, hold)
			endings[s.ending].Add(1)
		})
	}
	all.Wait()
	for i, name := range endingNames {
		t.Logf("%-20s %d", name, endings[i].Load())
	}
	p.nothingRuns(hold)
	p.recordsAreWhole(sessions)
}

// nothingRuns waits until no MCP server holds the file any more.
func (p *place) nothingRuns(hold string) {
	p.t.Helper()
	f, err := os.Open(hold)
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	free := make(chan error, 1)
	go func() { free <- lockAlone(f) }()
	select {
	case err := <-free:
		if err != nil {
			p.t.Error(err)
		}
	case <-time.After(patienceOfTests):
		p.t.Error("an MCP server outlives its session")
	}
}

// recordsAreWhole reads every transcript and the audit log.
func (p *place) recordsAreWhole(most int) {
	p.t.Helper()
	dir := filepath.Join(p.home, ".assent", "sessions")
	entries, err := os.ReadDir(dir)
	if err != nil {
		p.t.Fatal(err)
	}
	store, records := session.NewStore(dir), 0
	for _, e := range entries {
		if session.CheckID(e.Name()) != nil {
			p.t.Errorf("%s is left over", e.Name())
			continue
		}
		for _, err := range store.Records(e.Name()) {
			if err != nil {
				p.t.Errorf("session %s: %v", e.Name(), err)
				break
			}
			records++
		}
	}
	if len(entries) == 0 || len(entries) > most {
		p.t.Errorf("%d sessions", len(entries))
	}
	verify := p.start(p.env(), "audit", "verify")
	text := verify.rest()
	if status := verify.end(); status != 0 {
		p.t.Errorf("audit verify: exit status %d\n%s%s", status, text, verify.stderr)
	}
	p.t.Logf("%d transcripts with %d records; audit verify: %s", len(entries), records, strings.TrimSpace(text))
}

// The ways in which a session ends.
const (
	byItself = iota
	bySilence
	byDeafness
	byKill
	bySignal
)

var endingNames = [...]string{"by itself", "no more input", "nobody reads", "kill -9", "SIGTERM"}

// soakSession is one host with its session.
type soakSession struct {
	t      *testing.T
	random *rand.Rand
	number int
	ending int
	// after is how many lines are read before the session is brought to its end, or, if
	// it ends by itself, interrupted.
	after int
}

func (s *soakSession) run(p *place, hold string) {
	s.ending, s.after = s.random.IntN(len(endingNames)), 1+s.random.IntN(25)
	script := p.write(fmt.Sprintf("script-%d.yaml", s.number), s.script())
	args := []string{
		"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--permission-prompt-tool", "stdio",
		"--model", "script:" + script, "--allowedTools", "Bash(echo:*),Task,mcp__soak__echo",
	}
	if s.random.IntN(3) == 0 {
		args = append(args, "--include-hook-events", "--include-partial-messages")
	}
	if s.random.IntN(2) == 0 {
		args = append(args, "--mcp-config", fmt.Sprintf(`{"mcpServers":{"soak":{"command":"assent-soak-mcp","env":{%q:%q}}}}`, holdVariable, hold))
	}
	w := p.start(p.env("MCP_TOOL_TIMEOUT=3000"), args...)
	w.send(prompt)
	if !s.converse(w) {
		_ = w.cmd.Process.Kill()
	}
	if s.ending != byDeafness {
		w.rest()
	}
	status := w.end()
	if (status < 0) != (s.ending == byKill) && s.ending != bySignal {
		s.t.Errorf("session %d, %s: exit status %d\n%s", s.number, endingNames[s.ending], status, w.stderr)
	}
}

// script is what the model does. Sub-agents take their turns from the same file, so who
// gets which is left to chance.
func (s *soakSession) script() string {
	var b strings.Builder
	b.WriteString("turns:\n")
	for range 4 + s.random.IntN(8) {
		b.WriteString("  - say: Let me see.\n    calls:\n")
		for range 1 + s.random.IntN(3) {
			b.WriteString("      - " + s.call() + "\n")
		}
	}
	b.WriteString("afterwards: Done.\n")
	return b.String()
}

func (s *soakSession) call() string {
	calls := []string{
		"Read: {file_path: notes.txt}",
		"Bash: {command: echo hello}",
		"Bash: {command: sleep 0.05}",
		"Bash: {command: touch asked}",
		fmt.Sprintf("Write: {file_path: out-%d.txt, content: text}", s.number),
		"Task: {description: help, prompt: help, subagent_type: general-purpose}",
		"Task: {description: help, prompt: help, subagent_type: general-purpose}",
		"TaskCreate: {subject: one, description: two}",
		"TaskUpdate: {taskId: '1', status: completed}",
		"mcp__soak__echo: {note: hello}",
		"mcp__soak__die: {note: hello}",
		"mcp__soak__hang: {note: hello}",
		"Nonsense: {a: b}",
		"Bash: {wrong: true}",
	}
	return calls[s.random.IntN(len(calls))]
}

// converse plays the host until its output ends, or the host wants to end it in a way
// that leaves nothing to be heard. It is false when the session hangs.
func (s *soakSession) converse(w *worker) bool {
	second := false
	for lines := 1; ; lines++ {
		_ = w.stdout.SetReadDeadline(time.Now().Add(patienceOfTests))
		line, err := w.lines.ReadString('\n')
		if err != nil {
			if os.IsTimeout(err) {
				_ = w.cmd.Process.Signal(syscall.SIGQUIT)
				s.t.Errorf("session %d, %s: nothing happens any more\n%.6000s", s.number, endingNames[s.ending], w.stderr)
				return false
			}
			return true
		}
		if lines == s.after {
			switch s.ending {
			case byItself:
				w.send(`{"type":"control_request","request_id":"i1","request":{"subtype":"interrupt"}}` + "\n")
			case bySilence:
				w.stdin.Close()
			case byDeafness:
				w.stdout.Close()
				w.stdin.Close()
				return true
			case byKill:
				_ = w.cmd.Process.Kill()
				return true
			case bySignal:
				_ = w.cmd.Process.Signal(syscall.SIGTERM)
			}
		}
		switch reply := s.reply(line); {
		case reply != "":
			w.send(reply)
		case strings.HasPrefix(line, `{"type":"result"`) && !second:
			second = true
			w.send(prompt)
		case strings.HasPrefix(line, `{"type":"result"`):
			if s.ending == byKill { // it was to come later than the session lasts
				_ = w.cmd.Process.Kill()
			}
			w.stdin.Close()
		}
	}
}

// reply answers a question of the session: yes, no, nonsense, or not at all.
func (s *soakSession) reply(line string) string {
	var m struct {
		Type      string `json:"type"`
		RequestID string `json:"request_id"`
		Request   struct {
			Input strictjson.Raw `json:"input"`
		} `json:"request"`
	}
	if !strings.HasPrefix(line, `{"type":"control_request"`) || strictjson.Unmarshal([]byte(line), &m) != nil {
		return ""
	}
	answer := func(text string) string {
		return fmt.Sprintf(`{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":%s}}`+"\n", m.RequestID, text)
	}
	switch s.random.IntN(8) {
	case 0, 1, 2, 3:
		return answer(`{"behavior":"allow","updatedInput":` + string(m.Request.Input) + `}`)
	case 4, 5:
		return answer(`{"behavior":"deny","message":"no"}`)
	case 6:
		return answer(`{"behaviour":"perhaps"}`)
	}
	return answer(`{"behavior":"deny","message":"stop","interrupt":true}`)
}
