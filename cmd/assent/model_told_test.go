package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/model/modeltest"
	"github.com/assent-dev/assent/settings/foreign"
)

// toldBy lets the program work with hooks, each of which prints an answer, and a model that
// makes one call. It returns what the model was sent, request by request.
func (p *place) toldBy(hooks map[string]string, call model.Block, flags ...string) []string {
	p.t.Helper()
	configured := map[string]any{}
	for event, answer := range hooks {
		p.write(event+".json", answer)
		configured[event] = []any{map[string]any{"hooks": []any{map[string]string{"type": "command", "command": "cat " + event + ".json"}}}}
	}
	settings, err := strictjson.Marshal(map[string]any{"hooks": configured})
	if err != nil {
		p.t.Fatal(err)
	}
	api := modeltest.Messages(p.t, modeltest.Reply{Blocks: []model.Block{call}}, modeltest.Say("Done."))
	w := p.start(p.env("ANTHROPIC_API_KEY=key", "ANTHROPIC_BASE_URL="+api.URL),
		append([]string{"-p", "--settings", p.write("settings.json", string(settings)), "go on"}, flags...)...)
	w.rest()
	if status := w.end(); status != 0 {
		p.t.Fatalf("exit status %d\n%s", status, w.stderr)
	}
	var told []string
	for _, r := range api.Requests() {
		told = append(told, string(r.Body))
	}
	if len(told) != 2 {
		p.t.Fatalf("the model was asked %d times", len(told))
	}
	return told
}

func touch(file string) model.Block {
	return modeltest.Call("toolu_1", "Bash", `{"command":"echo raw output; touch `+file+`"}`)
}

func TestH6_TheModelReadsTheReason(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	told := p.toldBy(map[string]string{
		"PreToolUse": `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the moon is full"}}`,
	}, touch("ran"), "--allowedTools", "Bash")
	if result := resultIn(t, told[1]); !strings.Contains(result, "the moon is full") || p.has("ran") {
		t.Errorf("it ran: %v; the model was told %s", p.has("ran"), result)
	}
}

func TestH7_WhatHooksAddReachesTheModel(t *testing.T) {
	t.Parallel()
	adds := func(event, text string) string {
		return `{"hookSpecificOutput":{"hookEventName":"` + event + `","additionalContext":"` + text + `"}}`
	}
	told := newPlace(t).toldBy(map[string]string{
		"SessionStart":     adds("SessionStart", "said at the start"),
		"UserPromptSubmit": adds("UserPromptSubmit", "said with the prompt"),
		"PreToolUse":       adds("PreToolUse", "said before the call"),
		"PostToolUse":      adds("PostToolUse", "said after the call"),
	}, touch("ran"), "--allowedTools", "Bash")
	for i, texts := range [][]string{{"said at the start", "said with the prompt"}, {"said before the call", "said after the call"}} {
		for _, text := range texts {
			if !strings.Contains(told[i], text) {
				t.Errorf("request %d does not hold %q:\n%s", i+1, text, tail([]byte(told[i])))
			}
		}
	}
}

func TestH14_TheModelIsShownAChangedInput(t *testing.T) {
	t.Parallel()
	for _, announced := range []string{"true", "false"} {
		p := newPlace(t)
		told := p.toldBy(map[string]string{
			"PreToolUse": `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"touch another"},"announceInput":` + announced + `}}`,
		}, touch("ran"), "--allowedTools", "Bash")
		if shown := strings.Contains(told[1], "touch another"); shown != (announced == "true") || !p.has("another") || p.has("ran") {
			t.Errorf("announced %s: the model was told %v, the changed call ran %v, the other %v", announced, shown, p.has("another"), p.has("ran"))
		}
		if log := p.records(); len(log) != 1 || !strings.Contains(log[0], "touch another") {
			t.Errorf("on record is %q", log)
		}
	}
}

func TestH18_TheModelSeesTheReplacementAndTheRawResultStays(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	told := p.toldBy(map[string]string{
		"PostToolUse": `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"nothing to see"}}`,
	}, modeltest.Call("toolu_1", "Bash", `{"command":"printf raw; echo ' output'"}`), "--allowedTools", "Bash", "--session-id", chosenID)
	if result := resultIn(t, told[1]); !strings.Contains(result, "nothing to see") || strings.Contains(told[1], "raw output") {
		t.Errorf("the model was told %s", result)
	}
	var kept bool
	if err := filepath.WalkDir(filepath.Join(p.home, ".assent", "sessions"), func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		kept = kept || strings.Contains(string(text), "raw output")
		return err
	}); err != nil || !kept {
		t.Errorf("the raw result is in no transcript: %v", err)
	}
}

// Without a person an input that does not fit is no question and no denial: the model is
// told what is wrong, and nothing runs.
func TestP2_WithoutAPersonTheModelIsToldWhatIsWrong(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	told := p.toldBy(nil, modeltest.Call("toolu_1", "Bash", `{"command":"touch ran","timeout":"soon"}`), "--allowedTools", "Bash")
	if result := resultIn(t, told[1]); !strings.Contains(result, "timeout") || !strings.Contains(result, `"is_error":true`) || p.has("ran") {
		t.Errorf("it ran: %v; the model was told %s", p.has("ran"), result)
	}
	if log := p.records("--decision", "error"); len(log) != 1 {
		t.Errorf("on record is %q", p.records())
	}
}

// resultIn is the last message of a request: the result of the call.
func resultIn(t *testing.T, request string) string {
	t.Helper()
	var body struct {
		Messages []strictjson.Raw `json:"messages"`
	}
	if err := strictjson.Unmarshal([]byte(request), &body); err != nil || len(body.Messages) < 3 {
		t.Fatalf("%d messages, %v", len(body.Messages), err)
	}
	return string(body.Messages[len(body.Messages)-1])
}

// records are the lines of the audit log that a search finds.
func (p *place) records(search ...string) []string {
	p.t.Helper()
	c := p.start(p.env(), append([]string{"audit", "log", "--json"}, search...)...)
	said := c.rest()
	if status := c.end(); status != 0 {
		p.t.Fatalf("audit log %q: exit status %d\n%s", search, status, c.stderr)
	}
	return strings.FieldsFunc(said, func(r rune) bool { return r == '\n' })
}

func TestT3_TheLogIsSearched(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	log := audit.Open(filepath.Join(p.home, ".assent", "audit"))
	for _, r := range []audit.Record{
		{Session: "11111111", Tool: "Bash", Summary: "one git push", Decision: "deny"},
		{Session: "11111111", Tool: "Read", Summary: "two notes.txt", Decision: "allow"},
		{Session: "22222222", Tool: "Bash", Summary: "three make", Decision: "allow"},
	} {
		if err := log.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	for search, want := range map[string]string{
		"":                             "one two three",
		"--decision deny":              "one",
		"--tool Bash":                  "one three",
		"--session 1111":               "one two",
		"--text notes":                 "two",
		"--tool Bash --decision allow": "three",
		"--since 1h":                   "one two three",
		"--until 1h":                   "",
	} {
		var found []string
		for _, line := range p.records(strings.Fields(search)...) {
			for _, word := range []string{"one", "two", "three"} {
				if strings.Contains(line, word+" ") {
					found = append(found, word)
				}
			}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: found %q, want %q", search, got, want)
		}
	}
}

// What init writes is what each agent starts: the command in its file denies what the policy
// denies.
func TestT4_InitWiresTheGuard(t *testing.T) {
	t.Parallel()
	for _, agent := range foreign.Agents {
		t.Run(agent.String(), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			c := p.start(p.env(), "init", "--yes", "--agent", agent.String())
			said := c.rest()
			if status := c.end(); status != 0 {
				t.Fatalf("exit status %d\n%s", status, c.stderr)
			}
			command := guardIn(t, p.home, agent.String())
			guard := p.startWith("sh", p.env(), "-c", command, "--input-format") // which keeps stdin open
			guard.send(canaryOf(t, said))
			guard.stdin.Close()
			answer := guard.rest()
			if guard.end(); !strings.Contains(answer, "deny") || !strings.Contains(answer, "Read(//**/.env)") {
				t.Errorf("%s answers %s%s", command, answer, guard.stderr)
			}
		})
	}
}

// guardIn finds the command that the file of an agent names.
func guardIn(t *testing.T, home, agent string) string {
	t.Helper()
	file := map[string]string{
		"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json",
		"cursor": ".cursor/hooks.json", "copilot": ".copilot/hooks/assent.json",
	}[agent]
	text, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	var wired struct {
		Hooks map[string]strictjson.Raw `json:"hooks"`
	}
	if err := strictjson.Unmarshal(text, &wired); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"PreToolUse", "BeforeTool", "preToolUse"} {
		for _, key := range []string{`"command":`, `"bash":`} {
			_, rest, ok := strings.Cut(string(wired.Hooks[name]), key)
			if !ok {
				continue
			}
			var command string
			rest = strings.TrimSpace(rest)
			for end := range rest {
				if strictjson.Unmarshal([]byte(rest[:end]), &command) == nil {
					return command
				}
			}
		}
	}
	t.Fatalf("%s names no command:\n%s", file, text)
	return ""
}
