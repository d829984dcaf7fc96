package main

import (
	"strings"
	"testing"
)

// hosted are the flags with which a host drives the agent.
var hosted = []string{"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"}

// state is a point in the life of a session at which a host may do something foolish.
type state struct {
	name string
	// reach starts a session and takes it there. free waits until all that the session
	// has started is gone.
	reach func(p *place, flags ...string) (c *worker, free func())
	// working: a prompt is in work, which ends with a result.
	working bool
}

var states = []state{
	{"idle", func(p *place, flags ...string) (*worker, func()) {
		script := p.write("script.yaml", "turns: [{call: {Bash: {command: touch ran}}}]\n")
		return p.start(p.env(), append(append(hosted, "--dangerously-skip-permissions", "--model", "script:"+script), flags...)...), func() {}
	}, false},
	{"the model thinks", func(p *place, flags ...string) (*worker, func()) {
		script := p.write("script.yaml", "turns: [{delay: 1h, call: {Bash: {command: touch ran}}}]\n")
		c := p.start(p.env(), append(append(hosted, "--dangerously-skip-permissions", "--model", "script:"+script), flags...)...)
		c.send(prompt)
		c.expect(`"subtype":"init"`)
		return c, func() {}
	}, true},
	{"a question is open", func(p *place, flags ...string) (*worker, func()) {
		script := p.write("script.yaml", "turns: [{call: {Bash: {command: touch ran}}}]\nafterwards: Well.\n")
		c := p.start(p.env(), append(append(hosted, "--permission-prompt-tool", "stdio", "--model", "script:"+script), flags...)...)
		c.send(prompt)
		c.expect(`"subtype":"can_use_tool"`, "touch ran")
		return c, func() {}
	}, true},
	{"a tool runs", func(p *place, flags ...string) (*worker, func()) {
		h := p.tether()
		script := p.write("script.yaml", "turns: [{call: {Bash: {command: '"+holding+"'}}}]\nafterwards: Well.\n")
		c := p.start(p.env(), append(append(hosted, "--dangerously-skip-permissions", "--model", "script:"+script), flags...)...)
		c.send(prompt)
		h.held()
		return c, h.loose
	}, true},
}

// A line that cannot be read may have been an answer, and nobody knows which: the
// session ends at once, with a sentence, and nothing runs.
func TestGarbageFromAHost(t *testing.T) {
	t.Parallel()
	for _, s := range states {
		for name, garbage := range map[string]struct{ text, says string }{
			"no JSON":             {"yes please\n", "invalid"},
			"half an object":      {`{"type":"control_response"` + "\n", "ends before"},
			"two values":          {"{} {}\n", "invalid"},
			"a key twice":         {`{"type":"user","message":{"role":"user","content":"a","content":"b"}}` + "\n", "twice"},
			"a key twice, deep":   {`{"type":"control_response","response":{"subtype":"success","request_id":"assent_1","response":{"behavior":"deny","behavior":"allow"}}}` + "\n", "twice"},
			"invalid UTF-8":       {"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"\xff\xfe\"}}\n", "UTF-8"},
			"zeros":               {"\x00\x00\x00\n", "invalid"},
			"deep":                {strings.Repeat("[", 100_000) + "\n", "deep"},
			"a prompt of no kind": {`{"type":"user","message":7}` + "\n", "message object"},
			"a prompt by another": {`{"type":"user","message":{"role":"assistant","content":"x"}}` + "\n", "role"},
			"64 MB in a line":     {`{"type":"user","message":"` + strings.Repeat("x", 64<<20) + `"}` + "\n", "too long"},
			"64 MB without end":   {strings.Repeat("[", 64<<20), "too long"},
		} {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				c, free := s.reach(p)
				go c.send(garbage.text)
				said := c.rest()
				if status := c.end(); status != 1 {
					t.Errorf("exit status %d", status)
				}
				free()
				text := c.stderr.String()
				if !strings.HasPrefix(text, "assent: stdin line ") || strings.Count(text, "\n") != 1 || !strings.Contains(text, garbage.says) || len(text) > 500 {
					t.Errorf("stderr: %.1000q, want one sentence with %q", text, garbage.says)
				}
				if s.working != strings.Contains(said, `"subtype":"error_during_execution","is_error":true`) {
					t.Errorf("told %.2000s", said)
				}
				if p.has("ran") {
					t.Error("it ran")
				}
			})
		}
	}
}

// JSON that is no message is skipped, and so is what answers no question: the session
// lives, and nothing runs.
func TestStrangersFromAHost(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c, _ := states[2].reach(p)
	for _, line := range []string{
		``, `   `, `null`, `7`, `"yes"`, `[]`, `{}`, `{"type":7}`, `{"type":"stranger"}`, `{"type":"control_response"}`,
		`{"type":"control_response","response":{"subtype":"success","request_id":"assent_2","response":{"behavior":"allow"}}}`,
		`{"type":"control_response","response":{"subtype":"success","request_id":"","response":{"behavior":"allow"}}}`,
	} {
		c.send(line + "\n")
	}
	c.send(`{"type":"control_request","request_id":"r1","request":{"subtype":"reboot"}}` + "\n")
	c.expect(`"request_id":"r1"`, `"subtype":"error"`, "reboot")
	c.send(`{"type":"control_request","request_id":"r2"}` + "\n")
	c.expect(`"request_id":"r2"`, `"subtype":"error"`)
	c.send(`{"type":"control_request","request_id":"r3","request":{"subtype":"set_permission_mode","mode":"bypassPermissions"}}` + "\n")
	c.expect(`"request_id":"r3"`, `"subtype":"error"`)
	c.send(`{"type":"control_response","response":{"subtype":"success","request_id":"assent_1","response":{"behavior":"perhaps"}}}` + "\n")
	c.expect(`"tool_result"`, `"is_error":true`, "no decision")
	c.expect(`"type":"result"`, `"subtype":"success"`, `"permission_denials":[{"tool_name":"Bash"`)
	c.stdin.Close()
	if status := c.end(); status != 0 || p.has("ran") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("ran"), c.stderr)
	}
}

// Stdin may end at any time: what is in work goes on, and nobody can be asked.
func TestStdinEndsAtAnyTime(t *testing.T) {
	t.Parallel()
	t.Run("idle", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		c, _ := states[0].reach(p)
		c.stdin.Close()
		if said, status := c.rest(), c.end(); status != 0 || said != "" || c.stderr.String() != "" {
			t.Errorf("exit status %d, said %q, %s", status, said, c.stderr)
		}
	})
	t.Run("a question is open", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		c, _ := states[2].reach(p)
		c.stdin.Close()
		c.expect(`"tool_result"`, `"is_error":true`, "the host is gone")
		c.expect(`"type":"result"`, `"subtype":"success"`, `"permission_denials":[{"tool_name":"Bash"`)
		if status := c.end(); status != 0 || p.has("ran") {
			t.Errorf("exit status %d, ran: %v", status, p.has("ran"))
		}
	})
	t.Run("a tool runs", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		h, goOn := p.tether(), p.write("script.yaml", "turns: [{call: {Bash: {command: '"+hold+"; cat go-on; touch ran'}}}]\nafterwards: Well.\n")
		gate := p.gate("go-on")
		c := p.start(p.env(), append(hosted, "--dangerously-skip-permissions", "--model", "script:"+goOn)...)
		c.send(prompt)
		h.held()
		c.stdin.Close()
		gate()
		c.expect(`"type":"result"`, `"subtype":"success"`, `"result":"Well."`)
		if status := c.end(); status != 0 || !p.has("ran") {
			t.Errorf("exit status %d, ran: %v", status, p.has("ran"))
		}
		h.loose()
	})
	t.Run("in the middle of a line", func(t *testing.T) {
		t.Parallel()
		p := newPlace(t)
		c, _ := states[2].reach(p)
		c.send(`{"type":"control_response","response":{"subtype":"success","request_id":"assent_1","response":{"behavior":"allow"}}`)
		c.stdin.Close()
		c.rest()
		if status := c.end(); status != 1 || p.has("ran") {
			t.Errorf("exit status %d, ran: %v", status, p.has("ran"))
		}
	})
}
