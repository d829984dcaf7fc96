package main

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/model/modeltest"
)

// request is a line with which a host asks for something.
func request(id, body string) string {
	return `{"type":"control_request","request_id":"` + id + `","request":` + body + "}\n"
}

// reply is a line with which a host answers.
func reply(id, body string) string {
	return `{"type":"control_response","response":{"subtype":"success","request_id":"` + id + `","response":` + body + "}}\n"
}

const touching = "turns: [{call: {Bash: {command: touch ran}}}]\nafterwards: Well.\n"

// A host whose initialize fails counts on hooks that nobody knows: nothing is done for
// it, however often it asks.
func TestW5_AFailedInitializeStopsTheSession(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, says string }{
		"no such event":     {`{"subtype":"initialize","hooks":{"PretoolUse":[{"hookCallbackIds":["h"]}]}}`, "PretoolUse"},
		"hooks of no shape": {`{"subtype":"initialize","hooks":[1]}`, "hooks"},
		"a schema":          {`{"subtype":"initialize","jsonSchema":{"type":"object"}}`, "schema"},
		"agents of no kind": {`{"subtype":"initialize","agents":{"x":{}}}`, "agents"},
		"instructions":      {`{"subtype":"initialize","systemPrompt":{}}`, "instructions"},
		"a timeout":         {`{"subtype":"initialize","hooks":{"PreToolUse":[{"hookCallbackIds":["h"],"timeout":-1}]}}`, "timeout"},
		"a policy":          {`{"subtype":"initialize","sdkMcpServers":["s"],"sdkMcpServerConfigs":{"s":{"tools":[{"permission_policy":"always_deny"}]}}}`, "policy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			c := p.start(p.env(), append(hosted, "--dangerously-skip-permissions", "--model", "script:"+p.write("s.yaml", touching))...)
			c.send(request("i", test.body))
			c.expect(`"request_id":"i"`, `"subtype":"error"`, test.says)
			c.send(prompt)
			c.expect(`"type":"result"`, `"error_during_execution"`, "initialize request failed")
			c.send(request("again", `{"subtype":"initialize"}`))
			c.expect(`"request_id":"again"`, `"subtype":"error"`)
			c.send(prompt)
			c.expect(`"type":"result"`, `"error_during_execution"`, "initialize request failed")
			c.stdin.Close()
			if status := c.end(); status != 1 || p.has("ran") {
				t.Errorf("exit status %d, ran: %v\n%s", status, p.has("ran"), c.stderr)
			}
		})
	}
}

// The session is initialized once, before its first prompt.
func TestW5_InitializeOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.write("s.yaml", "turns: [{say: one}, {say: two}]\nafterwards: Well.\n")
	c := p.start(p.env(), append(hosted, "--model", "script:"+script)...)
	c.send(request("i", `{"subtype":"initialize","promptSuggestions":true,"somethingNew":{"x":1}}`))
	c.expect(`"request_id":"i"`, `"subtype":"success"`, `"commands":[{"name":"compact","description":`, `"argumentHint":`, `"agents":[{"name":"general-purpose"`,
		`"models":[{"value":"script"`, `"account":{"apiKeySource":"none"}`, `"output_style":"default"`, `"available_output_styles":["default"]`, `"pid":`)
	c.send(request("again", `{"subtype":"initialize"}`))
	c.expect(`"request_id":"again"`, `"subtype":"error"`, "already")
	c.send(prompt)
	c.expect(`"type":"result"`, `"subtype":"success"`) // to ask twice does no harm
	c.stdin.Close()
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d\n%s", status, c.stderr)
	}

	p = newPlace(t)
	c = p.start(p.env(), append(hosted, "--dangerously-skip-permissions", "--model", "script:"+p.write("s.yaml", "turns: [{say: one}, {call: {Bash: {command: touch ran}}}]\n"))...)
	c.send(prompt)
	c.expect(`"type":"result"`, `"subtype":"success"`)
	c.send(request("late", `{"subtype":"initialize","hooks":{"PreToolUse":[{"hookCallbackIds":["h"]}]}}`))
	c.expect(`"request_id":"late"`, `"subtype":"error"`, "before the first prompt")
	c.send(prompt)
	c.expect(`"type":"result"`, `"error_during_execution"`, "initialize request failed")
	c.stdin.Close()
	if status := c.end(); status != 1 || p.has("ran") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("ran"), c.stderr)
	}
}

// What a host says about the task is what the model is told, whatever form it has.
func TestW5_InstructionsOfAHost(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]struct {
		has, lacks string
	}{
		`{"subtype":"initialize","systemPrompt":"Be MARK-brief."}`:                                  {"Be MARK-brief.", "judged by a policy"},
		`{"subtype":"initialize","systemPrompt":["Be MARK-brief.","Be kind."]}`:                     {`Be MARK-brief.\n\nBe kind.`, "judged by a policy"},
		`{"subtype":"initialize","appendSystemPrompt":"Be MARK-brief."}`:                            {`\n\nBe MARK-brief.`, `"Be MARK`},
		`{"subtype":"initialize","systemPrompt":"First.","appendSystemPrompt":"Then MARK."}`:        {`First.\n\nThen MARK.`, "judged by a policy"},
		`{"subtype":"initialize","systemPrompt":"","appendSystemPrompt":""}`:                        {"judged by a policy", "MARK"},
		`{"subtype":"initialize","systemPrompt":[""],"sdkMcpServerManifests":{},"title":"a title"}`: {"judged by a policy", "MARK"},
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			server := modeltest.Messages(t, modeltest.Say("Well."))
			c := p.start(p.env("ANTHROPIC_API_KEY=test", "ANTHROPIC_BASE_URL="+server.URL), hosted...)
			c.send(request("i", body) + prompt)
			c.expect(`"request_id":"i"`, `"subtype":"success"`)
			c.expect(`"type":"result"`, `"subtype":"success"`)
			c.stdin.Close()
			if status := c.end(); status != 0 {
				t.Fatalf("exit status %d\n%s", status, c.stderr)
			}
			_, system, _ := strings.Cut(string(server.Requests()[0].Body), `"system":`)
			system, _, _ = strings.Cut(system, `"tools":`)
			if !strings.Contains(system, want.has) || strings.Contains(system, want.lacks) {
				t.Errorf("the model is told %s", system)
			}
		})
	}
}

// Prompts behind one that is interrupted have their turn, unless the host takes them
// back; it is told which.
func TestW5_InterruptAndWhatWaits(t *testing.T) {
	t.Parallel()
	named := func(uuid string) string {
		return `{"type":"user","uuid":"` + uuid + `","message":{"role":"user","content":"go"}}` + "\n"
	}
	p := newPlace(t)
	script := p.write("s.yaml", "turns: [{call: {Bash: {command: touch ran}}}, {say: second}, {call: {Bash: {command: touch ran}}}]\nafterwards: Well.\n")
	c := p.start(p.env(), append(hosted, "--permission-prompt-tool", "stdio", "--replay-user-messages", "--model", "script:"+script)...)
	c.send(named("a"))
	c.expect(`"subtype":"can_use_tool"`)
	c.send(named("b") + named("c") + request("w", `{"subtype":"cancel_async_message","message_uuid":"b"}`))
	c.expect(`"request_id":"w"`, `"cancelled":true`)
	c.send(request("w2", `{"subtype":"cancel_async_message","message_uuid":"a"}`))
	c.expect(`"request_id":"w2"`, `"cancelled":false`) // it is in work
	c.send(request("stop", `{"subtype":"interrupt"}`))
	c.expect(`"request_id":"stop"`, `"still_queued":["c"]`)
	c.expect(`"type":"result"`, `"error_during_execution"`)
	c.expect(`"uuid":"c"`)
	c.expect(`"type":"result"`, `"subtype":"success"`, "second")

	c.send(named("d"))
	c.expect(`"subtype":"can_use_tool"`)
	c.send(named("e") + request("stop2", `{"subtype":"interrupt","cancel_queued":true}`))
	c.expect(`"request_id":"stop2"`, `"still_queued":[]`, `"cancelled":["e"]`)
	c.expect(`"type":"result"`, `"error_during_execution"`)
	c.send(named("f"))
	c.expect(`"uuid":"f"`)
	c.expect(`"type":"result"`, `"subtype":"success"`, "Well.")
	c.stdin.Close()
	if status := c.end(); status != 0 || p.has("ran") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("ran"), c.stderr)
	}
}

// An interrupt that comes right behind a prompt ends it, also before its work begins:
// here while the server of the host, which nobody hears of, is being connected.
func TestW5_AnInterruptBeforeTheWork(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.start(p.env(), append(hosted, "--dangerously-skip-permissions", "--model", "script:"+p.write("s.yaml", touching))...)
	c.send(request("i", `{"subtype":"initialize","sdkMcpServers":["slow"]}`))
	c.expect(`"subtype":"mcp_message"`, `"server_name":"slow"`)
	c.send(prompt + request("status", `{"subtype":"mcp_status"}`))
	c.expect(`"request_id":"status"`, `"mcpServers":[{"name":"slow","status":"pending","config":{"type":"sdk","name":"slow"},"scope":"dynamic","source":"sdk"}]`)
	c.send(request("stop", `{"subtype":"interrupt"}`))
	c.expect(`"request_id":"stop"`, `"still_queued":[]`)
	c.expect(`"type":"result"`, `"error_during_execution"`)
	c.stdin.Close()
	if status := c.end(); status != 1 || p.has("ran") {
		t.Errorf("exit status %d, ran: %v\n%s", status, p.has("ran"), c.stderr)
	}
}

// The tools of a server inside of the host are there when the model is asked, and what
// the host says about them holds.
func TestW5_ServersInsideOfTheHost(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.write("s.yaml", "turns: [{calls: [{mcp__pay__refund: {n: 1}}, {mcp__pay__drop: {}}]}]\nafterwards: Well.\n")
	c := p.start(p.env(), append(hosted, "--permission-prompt-tool", "stdio", "--allowedTools", "mcp__pay", "--model", "script:"+script)...)
	c.send(request("i", `{"subtype":"initialize","sdkMcpServers":["pay"],"sdkMcpServerConfigs":{"pay":{"timeout":5000,"tools":[`+
		`{"name":"refund","permission_policy":"always_ask"},{"name":"drop","permission_policy":"always_deny"}]}}}`) + prompt)
	c.serveMCP("pay", "refund", "drop")
	c.expect(`"subtype":"init"`, `"mcp_servers":[{"name":"pay","status":"connected"}]`, `"mcp__pay__refund"`)
	line := c.expect(`"subtype":"can_use_tool"`, "mcp__pay__refund") // although a rule allows all of the server
	c.send(request("note", `{"subtype":"mcp_message","server_name":"pay","message":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}}`))
	c.expect(`"request_id":"note"`, `"subtype":"success"`)
	c.send(request("note2", `{"subtype":"mcp_message","server_name":"nobody","message":{"jsonrpc":"2.0","method":"x"}}`))
	c.expect(`"request_id":"note2"`, `"subtype":"error"`, "nobody")
	c.send(request("status", `{"subtype":"mcp_status"}`))
	c.expect(`"request_id":"status"`, `{"name":"pay","status":"connected","serverInfo":{"name":"x","version":"1"},"config":{"type":"sdk","name":"pay"},"scope":"dynamic","source":"sdk",`+
		`"tools":[{"name":"refund","description":"d"},`)
	c.send(reply(requestID(line), `{"behavior":"deny","message":"no"}`))
	c.expect(`"tool_result"`, "no such tool: mcp__pay__drop")
	c.expect(`"type":"result"`, `"subtype":"success"`)
	c.stdin.Close()
	if status := c.end(); status != 0 {
		t.Errorf("exit status %d\n%s", status, c.stderr)
	}
}

// requestID is the id of a request of assent's.
func requestID(line string) string {
	_, rest, _ := strings.Cut(line, `"request_id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// serveMCP answers for a server inside of the host until its tools are listed.
func (c *worker) serveMCP(name string, tools ...string) {
	c.t.Helper()
	var listed []string
	for _, t := range tools {
		listed = append(listed, `{"name":"`+t+`","description":"d","inputSchema":{"type":"object"}}`)
	}
	for {
		line := c.expect(`"subtype":"mcp_message"`, `"server_name":"`+name+`"`)
		_, rest, _ := strings.Cut(line, `"id":`)
		id, _, _ := strings.Cut(rest, ",")
		id = strings.TrimRight(id, "}\n")
		answer := "{}"
		switch {
		case strings.Contains(line, `"method":"initialize"`):
			answer = `{"mcp_response":{"jsonrpc":"2.0","id":` + id + `,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}}`
		case strings.Contains(line, `"method":"tools/list"`):
			answer = `{"mcp_response":{"jsonrpc":"2.0","id":` + id + `,"result":{"tools":[` + strings.Join(listed, ",") + `]}}}`
		}
		c.send(reply(requestID(line), answer))
		if strings.Contains(line, `"method":"tools/list"`) {
			return
		}
	}
}

// TestW5_TheAnswerComesBeforeTheNews: a host that changes the mode is answered, and then
// everybody is told.
func TestW5_TheAnswerComesBeforeTheNews(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.start(p.env(), append(hosted, "--model", "script:"+p.write("s.yaml", "turns: [{say: x}]\n"))...)
	c.send(request("m", `{"subtype":"set_permission_mode","mode":"plan"}`) + request("same", `{"subtype":"set_permission_mode","mode":"plan"}`))
	c.stdin.Close()
	lines := strings.Split(strings.TrimSpace(c.rest()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], `"request_id":"m","response":{"mode":"plan"}`) ||
		!strings.Contains(lines[1], `"subtype":"status"`) || !strings.Contains(lines[1], `"permissionMode":"plan"`) || !strings.Contains(lines[2], `"request_id":"same"`) {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	c.end()
}
