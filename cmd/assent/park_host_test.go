//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/approval"
)

const setsUp = `{"subtype":"initialize"}`

// resumedByHost is the session of parks, which a host goes on with.
func (p *place) resumedByHost(flags []string, more ...string) *worker {
	args := append(append(hosted, flags...), "--resume", chosenID, "--permission-prompt-tool", "stdio", "--model", p.playing("end.yaml", twoAnswers))
	return p.start(p.env(), append(args, more...)...)
}

// A host that has nothing to say but keeps its end open is no reason to wait: calls that
// have an answer run.
func TestS45_CallsAreTakenUpWhileTheInputIsOpen(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]string{
		"silence":                        "",
		"initialize":                     request("i", setsUp),
		"an empty prompt":                `{"type":"user","message":{"role":"user","content":""}}` + "\n",
		"initialize, an empty prompt":    request("i", setsUp) + `{"type":"user","message":{"role":"user","content":[{"type":"text","text":""}]}}` + "\n",
		"asked for with an empty prompt": request("i", `{"subtype":"initialize","waitForPrompt":true}`) + `{"type":"user","message":{"role":"user","content":""}}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			flags := p.parks()
			p.answered("approve")
			c := p.resumedByHost(flags)
			c.send(says)
			c.expect(`"type":"result"`, `"subtype":"success"`, "One.")
			c.stdin.Close()
			if said, status := c.rest(), c.end(); status != 0 || !p.has("deployed") || strings.Contains(said, `"type":"result"`) {
				t.Errorf("exit status %d, deployed: %v, said %s, %s", status, p.has("deployed"), said, c.stderr)
			}
		})
	}
}

// The servers of a host are connected before a call is taken up that needs one of them.
func TestS45_TheServersOfTheHostComeFirst(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const setUp = `{"subtype":"initialize","sdkMcpServers":["pay"],"hooks":{"PreToolUse":[{"matcher":"mcp__pay__refund","hookCallbackIds":["judge"]}]}}`
	c := p.start(p.env(), append(hosted, "--session-id", chosenID, "--model", p.playing("s.yaml", "turns: [{call: {mcp__pay__refund: {n: 1}}}]\n"))...)
	c.send(request("i", setUp) + prompt)
	c.serveMCP("pay", "refund")
	c.send(reply(requestID(c.expect(`"subtype":"hook_callback"`)), wants("defer")))
	c.expect(`"type":"result"`, "tool_deferred")
	c.stdin.Close()
	c.end()
	c = p.resumedByHost(nil)
	c.send(request("i", setUp))
	c.serveMCP("pay", "refund")
	c.send(reply(requestID(c.expect(`"subtype":"hook_callback"`, `"mcp__pay__refund"`)), wants("deny")))
	c.expect(`"tool_result"`, "ask ann")
	c.expect(`"type":"result"`, `"subtype":"success"`)
	c.stdin.Close()
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d: %s", status, c.stderr)
	}
}

// failing is a line with which a host says that it could not answer.
func failing(id, why string) string {
	return `{"type":"control_response","response":{"subtype":"error","request_id":"` + id + `","error":"` + why + "\"}}\n"
}

// asked is the session of a host that answers the question about the call with a line.
func (c *worker) asked(answer func(id string) string) {
	c.send(request("i", setsUp))
	c.send(answer(requestID(c.expect(`"can_use_tool"`))))
	c.expect(`"type":"result"`, "tool_deferred")
	c.stdin.Close()
}

// Whatever ends a host, or what it stops, or fails in it, is no answer: the call waits on, with
// its ticket, and runs when somebody has approved it.
func TestS45_NothingThatEndsAHostIsAnAnswer(t *testing.T) {
	t.Parallel()
	interrupt := request("x", `{"subtype":"interrupt"}`)
	for name, tt := range map[string]struct {
		hook string
		does func(c *worker)
	}{
		"it closes its input at once":          {"allow", func(c *worker) { c.stdin.Close() }},
		"it initializes, and closes its input": {"ask", func(c *worker) { c.send(request("i", setsUp)); c.stdin.Close() }},
		"it interrupts":                        {"allow", func(c *worker) { c.send(interrupt); c.expect(`"type":"result"`, "interrupted"); c.stdin.Close() }},
		"it initializes and interrupts": {"allow", func(c *worker) {
			c.send(request("i", setsUp) + interrupt)
			c.expect(`"type":"result"`, "interrupted")
			c.stdin.Close()
		}},
		"it is asked, and closes its input":  {"ask", func(c *worker) { c.send(request("i", setsUp)); c.expect(`"can_use_tool"`); c.stdin.Close() }},
		"it is asked in silence, and closes": {"ask", func(c *worker) { c.expect(`"can_use_tool"`); c.stdin.Close() }},
		"it is asked, and interrupts": {"ask", func(c *worker) {
			c.send(request("i", setsUp))
			c.expect(`"can_use_tool"`)
			c.send(interrupt)
			c.expect(`"type":"result"`)
			c.stdin.Close()
		}},
		"it is asked before a prompt, and closes": {"ask", func(c *worker) { c.send(request("i", setsUp) + prompt); c.expect(`"can_use_tool"`); c.stdin.Close() }},
		"it is asked, and SIGTERM comes":          {"ask", func(c *worker) { c.expect(`"can_use_tool"`); c.signal(syscall.SIGTERM) }},
		"it is asked, and SIGINT comes":           {"ask", func(c *worker) { c.expect(`"can_use_tool"`); c.signal(syscall.SIGINT) }},
		"SIGTERM comes before it has said anything": {"allow", func(c *worker) {
			c.send(request("m", `{"subtype":"initialize","waitForPrompt":true}`))
			c.expect(`"request_id":"m"`)
			c.signal(syscall.SIGTERM)
		}},
		"it says nothing that begins the work": {"allow", func(c *worker) {
			c.send(request("m", `{"subtype":"initialize","waitForPrompt":true}`))
			c.expect(`"request_id":"m"`)
			c.stdin.Close()
		}},
		"it is asked, and fails": {"ask", func(c *worker) {
			c.asked(func(id string) string { return failing(id, "AbortError: The operation was aborted") })
		}},
		"it is asked, and says what is no decision": {"ask", func(c *worker) {
			c.asked(func(id string) string { return reply(id, `{"behavior":"maybe"}`) })
		}},
		"it is asked, and says nothing": {"ask", func(c *worker) {
			c.asked(func(id string) string { return reply(id, "null") })
		}},
		"it stops reading and is asked": {"ask", func(c *worker) { c.send(request("i", setsUp)); c.stdout.Close(); c.stdin.Close() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			flags := p.parks()
			p.write("answer.json", wants(tt.hook))
			c := p.resumedByHost(flags)
			tt.does(c)
			c.end()
			p.write("answer.json", wants("defer"))
			if got := p.ticketOf(chosenID); got.State != approval.Pending || p.has("deployed") {
				t.Fatalf("the ticket is %s, deployed: %v, %s", got.State, p.has("deployed"), c.stderr)
			}
			p.answered("approve")
			if _, complained, status := p.say(append(flags, "-p", "--resume", chosenID, "--model", p.playing("end.yaml", twoAnswers))...); status != 0 || !p.has("deployed") {
				t.Errorf("exit status %d: %s", status, complained)
			}
		})
	}
}
