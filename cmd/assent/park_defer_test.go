package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/session"
)

// wants is the word of a PreToolUse hook.
func wants(decision string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"` + decision + `","permissionDecisionReason":"ask ann"}}`
}

// deferredUse is a call that waits, as a result tells it.
type deferredUse struct {
	ID    string         `json:"id"`
	Name  string         `json:"name"`
	Input strictjson.Raw `json:"input"`
}

// lastResult is the message at the end of a run.
type lastResult struct {
	Type       string        `json:"type"`
	Subtype    string        `json:"subtype"`
	IsError    bool          `json:"is_error"`
	Text       string        `json:"result"`
	StopReason string        `json:"stop_reason"`
	Session    string        `json:"session_id"`
	Deferred   *deferredUse  `json:"deferred_tool_use"`
	Batch      []deferredUse `json:"deferred_tool_uses"`
	Denials    []struct {
		ID string `json:"tool_use_id"`
	} `json:"permission_denials"`
}

// resultOf reads the last line of an output.
func resultOf(t *testing.T, said string) lastResult {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(said), "\n")
	var r lastResult
	if err := strictjson.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil || r.Type != "result" {
		t.Fatalf("%v: %s", err, said)
	}
	return r
}

// waits are the calls of a session that wait by its transcript.
func (p *place) waits(id string) []session.PendingCall {
	p.t.Helper()
	kept, err := session.NewStore(filepath.Join(p.home, ".assent", "sessions")).Load(id)
	if err != nil {
		p.t.Fatal(err)
	}
	if kept.Pending == nil {
		return nil
	}
	return kept.Pending.Calls
}

// website answers every request of a hook with a text.
func website(t *testing.T, answer string) (url string, heard func() string) {
	t.Helper()
	var body string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		body = string(text)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() string { s.Close(); return body }
}

const deploys = "turns:\n  - {say: I deploy., call: {Bash: {command: touch deployed, description: deploy}}}\nafterwards: Done.\n"

// checkDeferred checks the result and the record of a run that ended because the call of
// deploys waits.
func (p *place) checkDeferred(r lastResult) {
	p.t.Helper()
	if r.Subtype != "success" || r.IsError || r.Text != "" || r.StopReason != "tool_deferred" || r.Session != chosenID || len(r.Denials) > 0 || r.Batch != nil {
		p.t.Errorf("%+v", r)
	}
	const input = `{"command":"touch deployed","description":"deploy"}`
	kept := p.waits(chosenID)
	if d := r.Deferred; d == nil || d.ID == "" || d.Name != "Bash" || canonical(p.t, d.Input) != input || len(kept) != 1 || kept[0].ToolUseID != d.ID {
		p.t.Fatalf("%+v waits, and on record %+v", d, kept)
	}
	if c := kept[0]; c.Tool != "Bash" || canonical(p.t, c.Input) != input || c.Cwd != p.dir || !strings.HasPrefix(c.Why, "ask ann, says hook ") || p.has("deployed") {
		p.t.Errorf("%+v", c)
	}
}

func canonical(t *testing.T, text strictjson.Raw) string {
	t.Helper()
	one, err := strictjson.Canonical(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(one)
}

// A hook that is a program and one that is a web service end a run in the same way, in
// every format of the output.
func TestD1_EveryKindOfHookCanDefer(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"command", "http"} {
		for _, format := range []string{"text", "json", "stream-json"} {
			t.Run(kind+" "+format, func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				p.write("answer.json", wants("defer"))
				handler, heard := `{"type":"command","command":"cat answer.json"}`, func() string { return `"tool_name":"Bash"` }
				if kind == "http" {
					var url string
					url, heard = website(t, wants("defer"))
					handler = `{"type":"http","url":"` + url + `"}`
				}
				settings := p.write("hooks.json", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[`+handler+`]}]}}`)
				args := []string{"-p", "--session-id", chosenID, "--settings", settings, "--model", p.playing("s.yaml", deploys), "--output-format", format}
				if format == "stream-json" {
					args = append(args, "--verbose")
				}
				said, complained, status := p.say(append(args, "deploy")...)
				if status != 0 || !strings.Contains(heard(), `"tool_name":"Bash"`) {
					t.Fatalf("exit status %d, the hook heard %q, complained %q", status, heard(), complained)
				}
				if format == "text" {
					kept := p.waits(chosenID)
					if said != "" || !strings.Contains(complained, "1 call waits for an answer") || len(kept) != 1 || p.has("deployed") {
						t.Errorf("said %q, complained %q, %+v waits", said, complained, kept)
					}
					return
				}
				p.checkDeferred(resultOf(t, said))
				if lines := strings.Count(said, "\n"); format == "json" && lines != 1 || format == "stream-json" && (lines < 4 || !strings.Contains(said, `"type":"tool_use"`)) {
					t.Errorf("said %s", said)
				}
			})
		}
	}
}

// A callback of a host ends a prompt as other hooks do. The process lives on for the next
// prompt, and ends with its input.
func TestD1_ACallbackOfAHostCanDefer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	c := p.start(p.env(), append(hosted, "--session-id", chosenID, "--model", p.playing("s.yaml", deploys))...)
	c.send(request("i", `{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":"Bash","hookCallbackIds":["judge"]}]}}`))
	c.expect(`"request_id":"i"`, `"subtype":"success"`)
	c.send(prompt)
	asked := c.expect(`"subtype":"hook_callback"`, `"callback_id":"judge"`, "touch deployed")
	c.send(reply(requestID(asked), wants("defer")))
	said := c.expect(`"type":"result"`)
	c.stdin.Close()
	if status := c.end(); status != 0 {
		t.Fatalf("exit status %d: %s", status, c.stderr)
	}
	p.checkDeferred(resultOf(t, said))

	again := p.start(p.env(), append(hosted, "--resume", chosenID, "--model", p.playing("end.yaml", "turns: []\nafterwards: Done.\n"))...)
	again.send(request("i", `{"subtype":"initialize","hooks":{"PreToolUse":[{"matcher":"Bash","hookCallbackIds":["judge"]}]}}`))
	again.send(prompt) // which follows as a turn of its own
	asked = again.expect(`"subtype":"hook_callback"`, "touch deployed")
	again.send(reply(requestID(asked), wants("allow")))
	for range 2 {
		again.expect(`"type":"result"`, `"subtype":"success"`)
	}
	again.stdin.Close()
	if status := again.end(); status != 0 || !p.has("deployed") {
		t.Errorf("exit status %d, deployed: %v, %s", status, p.has("deployed"), again.stderr)
	}
}

const deploysTwo = "turns:\n  - calls: [{Bash: {command: touch one}}, {Bash: {command: touch two}}]\nafterwards: Done.\n"

// Several calls of one turn are not parked without --defer-batch: each defer is a question
// to nobody, with a warning for people and a reason for the model. With the flag all of
// them are listed, and run once each when they are resumed.
func TestD4_SeveralCallsOfOneTurn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	flags := append(p.deferring(), "--model", p.playing("s.yaml", deploysTwo), "--output-format", "stream-json", "--verbose")
	for name, more := range map[string][]string{"": nil, "bypassed": {"--dangerously-skip-permissions"}, "allowed": {"--allowedTools", "Bash"}} {
		said, complained, status := p.say(append(append([]string{"-p"}, append(flags, more...)...), "--", "deploy")...)
		r := resultOf(t, said)
		if status != 0 || r.Text != "Done." || r.Deferred != nil || r.Batch != nil || len(r.Denials) != 2 || p.has("one") || p.has("two") {
			t.Errorf("%s: exit status %d, %+v, complained %q", name, status, r, complained)
		}
		if n := strings.Count(said, "alone in its turn: make it by itself"); n < 2 {
			t.Errorf("%s: the model was told %s", name, said)
		}
		if n := strings.Count(said, "A hook wants to defer the call"); n != 2 || strings.Count(said, "it is not alone in its turn, so that counts as a question") != 2 {
			t.Errorf("%s: %d warnings in %s", name, n, said)
		}
	}
}

// The result of a parked batch lists all calls, and the first of them once more.
func TestS24_ABatchOnTheWire(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"json", "stream-json"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			flags := append(p.deferring(), "--defer-batch", "--verbose", "--output-format", format)
			said, complained, status := p.say(append(append([]string{"-p", "--session-id", chosenID, "--model", p.playing("s.yaml", deploysTwo)}, flags...), "deploy")...)
			if status != 0 {
				t.Fatal(complained)
			}
			if format == "json" { // which is a list of all messages when it is verbose
				said = "{" + said[strings.LastIndex(said, `"type":"result"`):]
				said = strings.TrimSuffix(strings.TrimSpace(said), "]")
			}
			r := resultOf(t, said)
			if r.StopReason != "tool_deferred" || len(r.Batch) != 2 || r.Deferred == nil || r.Deferred.ID != r.Batch[0].ID || r.Batch[0].ID == r.Batch[1].ID || p.has("one") || p.has("two") {
				t.Fatalf("%+v", r)
			}
			for i, want := range []string{`{"command":"touch one"}`, `{"command":"touch two"}`} {
				if d := r.Batch[i]; d.Name != "Bash" || canonical(t, d.Input) != want {
					t.Errorf("%+v", d)
				}
			}
			p.write("answer.json", wants("allow"))
			said, complained, status = p.say(append([]string{"-p", "--resume", chosenID, "--model", p.playing("end.yaml", "turns: []\nafterwards: Done.\n")}, p.settingsOnly()...)...)
			if status != 0 || said != "Done.\n" || !p.has("one") || !p.has("two") || p.waits(chosenID) != nil {
				t.Errorf("exit status %d, said %q, complained %q", status, said, complained)
			}
		})
	}
}

// settingsOnly is the flag for the settings of deferring, with an answer that was changed.
func (p *place) settingsOnly() []string {
	return []string{"--settings", filepath.Join(p.dir, "defer.json")}
}
