package main

import (
	"strings"
	"testing"
)

// parks makes a session in which the call of deploys waits, and returns its settings.
func (p *place) parks(flags ...string) []string {
	p.t.Helper()
	settings := p.deferring()
	args := append([]string{"-p", "--session-id", chosenID, "--model", p.playing("deploy.yaml", deploys)}, settings...)
	if _, complained, status := p.say(append(append(args, flags...), "deploy")...); status != 0 {
		p.t.Fatalf("exit status %d: %s", status, complained)
	}
	return settings
}

// answered lets somebody answer the call that waits.
func (p *place) answered(how string, more ...string) {
	p.t.Helper()
	if _, complained, status := p.say(append([]string{how, chosenID}, more...)...); status != 0 {
		p.t.Fatalf("exit status %d: %s", status, complained)
	}
}

const twoAnswers = "turns: [{say: One.}, {say: Two.}]\n"

// The tool of a call that waits may be one of the host's own servers: they are waited for
// before it is taken up.
func TestD9_AToolInsideOfTheHost(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const setUp = `{"subtype":"initialize","sdkMcpServers":["pay"],"hooks":{"PreToolUse":[{"matcher":"mcp__pay__refund","hookCallbackIds":["judge"]}]}}`
	c := p.start(p.env(), append(hosted, "--session-id", chosenID, "--model", p.playing("s.yaml", "turns: [{call: {mcp__pay__refund: {n: 1}}}]\n"))...)
	c.send(request("i", setUp) + prompt)
	c.serveMCP("pay", "refund")
	c.send(reply(requestID(c.expect(`"subtype":"hook_callback"`)), wants("defer")))
	c.expect(`"type":"result"`, "tool_deferred")
	c.stdin.Close()
	if status := c.end(); status != 0 {
		t.Fatalf("exit status %d: %s", status, c.stderr)
	}
	c = p.start(p.env(), append(hosted, "--resume", chosenID, "--model", p.playing("end.yaml", twoAnswers))...)
	c.send(request("i", setUp) + prompt)
	c.serveMCP("pay", "refund")
	c.send(reply(requestID(c.expect(`"subtype":"hook_callback"`, `"mcp__pay__refund"`)), wants("allow")))
	call := c.expect(`"subtype":"mcp_message"`, `"tools/call"`)
	_, rest, _ := strings.Cut(call, `"id":`)
	id, _, _ := strings.Cut(rest, ",")
	c.send(reply(requestID(call), `{"mcp_response":{"jsonrpc":"2.0","id":`+strings.TrimRight(id, "}\n")+`,"result":{"content":[{"type":"text","text":"refunded"}]}}}`))
	c.expect(`"tool_result"`, "refunded")
	c.expect(`"type":"result"`, `"subtype":"success"`, "One.")
	c.expect(`"type":"result"`, `"subtype":"success"`, "Two.")
	c.stdin.Close()
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d: %s", status, c.stderr)
	}
}

// What keeps a call from being taken up is the result of the prompt, and no reason to end:
// the host can do something about it. It gets its prompt back behind the init
// message that is about it, and before its result.
func TestS40_TheHostGoesOnAfterATakeUpThatFailed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	flags := append(p.parks(), "--resume", chosenID, "--permission-mode", "plan", "--replay-user-messages", "--model", p.playing("end.yaml", twoAnswers))
	p.answered("approve")
	c := p.start(p.env(), append(hosted, flags...)...)
	named := func(id string) string {
		return `{"type":"user","uuid":"` + id + `","message":{"role":"user","content":"go"}}` + "\n"
	}
	c.send(named("a"))
	c.expect(`"uuid":"a"`)
	c.expect(`"type":"result"`, "error_during_execution", "its answer still holds", "the prompt was not worked off")
	c.send(request("m", `{"subtype":"set_permission_mode","mode":"default"}`))
	c.expect(`"request_id":"m"`, `"subtype":"success"`)
	c.send(named("b"))
	c.expect(`"type":"assistant"`, "One.") // of the call, which is no part of the prompt
	c.expect(`"uuid":"b"`)
	c.expect(`"type":"result"`, `"subtype":"success"`, "Two.")
	c.stdin.Close()
	if status := c.end(); status != 0 || !p.has("deployed") {
		t.Errorf("exit status %d, deployed: %v, %s", status, p.has("deployed"), c.stderr)
	}
}

// The exit status is that of the last prompt; as text it says that the prompt was not
// worked off.
func TestS40_APromptBehindATakeUpThatFailed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	flags := append(p.parks(), "--resume", chosenID, "--permission-mode", "plan", "--model", p.playing("end.yaml", twoAnswers))
	p.answered("approve")
	said, complained, status := p.say(append(append([]string{"-p"}, flags...), "and now?")...)
	if status != 1 || said != "" || !strings.Contains(complained, "its answer still holds") || !strings.Contains(complained, "the prompt was not worked off") {
		t.Errorf("exit status %d, said %q, complained %q", status, said, complained)
	}
	c := p.start(p.env(), append(hosted, flags...)...)
	c.send(prompt)
	c.expect(`"type":"result"`, "error_during_execution")
	c.stdin.Close()
	if status := c.end(); status != 1 || p.has("deployed") {
		t.Errorf("exit status %d, deployed: %v", status, p.has("deployed"))
	}
}
