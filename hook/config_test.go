package hook

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func parse(text string) ([]Entry, []Report) {
	return Parse(rule.ProjectSettings, "settings.json", 10, []byte(text))
}

func TestParse(t *testing.T) {
	entries, reports := parse(`{
  "PreToolUse": [
    {"matcher": "Bash|Write", "hooks": [
      {"type": "command", "command": "./check.sh", "timeout": 1.5, "if": "Bash(git *)", "onFailure": "block"},
      {"type": "command", "command": "/opt/guard", "args": ["--strict", "a b"], "once": true, "onFailure": "allow"}
    ]},
    {"hooks": [{"type": "http", "url": "https://example.com/hook", "headers": {"X-Team": "a"}, "timeout": 5}]}
  ],
  "Stop": [{"hooks": [{"type": "command", "command": "./bye", "async": true}]}]
}`)
	if len(reports) != 0 {
		t.Fatalf("reports %v", reports)
	}
	if len(entries) != 4 {
		t.Fatalf("%d entries", len(entries))
	}
	first, second, third, last := entries[0], entries[1], entries[2], entries[3]
	if first.Event != PreToolUse || !first.Matcher.Match("Write") || first.Matcher.Match("Read") || first.If.Text != "Bash(git *)" ||
		first.Timeout != 1500*time.Millisecond || first.OnFailure != FailClosed || first.Handler.Name() != "command ./check.sh" {
		t.Errorf("first: %+v", first)
	}
	if want := (rule.Origin{Source: rule.ProjectSettings, File: "settings.json", Line: 13}); first.Origin != want {
		t.Errorf("the first stands at %v, want %v", first.Origin, want)
	}
	if c, ok := second.Handler.(Command); !ok || !c.Exec || len(c.Args) != 2 || !second.Once || second.OnFailure != FailOpen || second.Origin.Line != 14 {
		t.Errorf("second: %+v", second)
	}
	if h, ok := third.Handler.(HTTP); !ok || h.URL != "https://example.com/hook" || h.Headers["X-Team"] != "a" || third.Timeout != 5*time.Second || !third.Matcher.Match("anything") {
		t.Errorf("third: %+v", third)
	}
	if last.Event != Stop || !last.Async || last.Timeout != 0 {
		t.Errorf("last: %+v", last)
	}
}

// What is wrong at PreToolUse stays as a broken hook; elsewhere it is left out. Both
// are reported with the line.
func TestParseWhatCannotWork(t *testing.T) {
	for name, tt := range map[string]struct{ hook, problem string }{
		"no type":                {`{"command": "x"}`, `"type" is missing`},
		"unknown type":           {`{"type": "prompt", "prompt": "is it safe?"}`, `type "prompt"`},
		"another unknown type":   {`{"type": "mcp_tool", "server": "s", "tool": "t"}`, `type "mcp_tool"`},
		"type of another type":   {`{"type": 7, "command": "x"}`, "type: want a string"},
		"no command":             {`{"type": "command"}`, "command is empty"},
		"empty command":          {`{"type": "command", "command": "  "}`, "command is empty"},
		"command as a list":      {`{"type": "command", "command": ["x"]}`, "command: want a string"},
		"args as text":           {`{"type": "command", "command": "x", "args": "a b"}`, "args: want an array"},
		"args with a number":     {`{"type": "command", "command": "x", "args": ["a", 1]}`, "args: want a string"},
		"misspelt command":       {`{"type": "command", "comand": "x"}`, "command is empty"},
		"timeout as text":        {`{"type": "command", "command": "x", "timeout": "60"}`, "timeout: want a number"},
		"no time":                {`{"type": "command", "command": "x", "timeout": 0}`, "more than 0"},
		"negative time":          {`{"type": "command", "command": "x", "timeout": -1}`, "more than 0"},
		"more than a day":        {`{"type": "command", "command": "x", "timeout": 86401}`, "at most 86400"},
		"null":                   {`{"type": "command", "command": "x", "timeout": null}`, "got null"},
		"async as text":          {`{"type": "command", "command": "x", "async": "yes"}`, "async: want true or false"},
		"unknown onFailure":      {`{"type": "command", "command": "x", "onFailure": "ignore"}`, "want allow or block"},
		"no rule as a condition": {`{"type": "command", "command": "x", "if": "Bash(git"}`, "no permission rule"},
		"no address":             {`{"type": "http"}`, "address is empty"},
		"headers of numbers":     {`{"type": "http", "url": "https://example.com/", "headers": {"A": 1}}`, "headers: want a string"},
		"no object":              {`"./check.sh"`, "want an object"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, event := range []Event{PreToolUse, PostToolUse} {
				entries, reports := parse(fmt.Sprintf("{\"%s\": [\n{\"matcher\": \"Bash\", \"hooks\": [\n%s\n]}]}", event, tt.hook))
				found := false
				for _, r := range reports {
					found = found || strings.Contains(r.Text, tt.problem) && r.Origin.Line == 12
				}
				if !found {
					t.Errorf("%s: no report on line 12 says %q: %v", event, tt.problem, reports)
				}
				if event == PostToolUse && len(entries) != 0 {
					t.Errorf("a hook that cannot work is kept: %+v", entries)
				}
				if event == PreToolUse && (len(entries) != 1 || !strings.Contains(entries[0].Defect, tt.problem) || entries[0].Matcher.Match("Read")) {
					t.Errorf("want one broken hook for Bash, got %+v", entries)
				}
			}
		})
	}
}

// A fault further up takes all of a PreToolUse list with it, never only a part.
func TestParseBrokenStructure(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON":            `{"PreToolUse": [`,
		"a key twice":         `{"PreToolUse": [], "PreToolUse": []}`,
		"a list":              `[]`,
		"event no list":       `{"PreToolUse": {"hooks": []}}`,
		"group no object":     `{"PreToolUse": ["./check.sh"]}`,
		"no hooks":            `{"PreToolUse": [{"matcher": "", "hook": []}]}`,
		"hooks no list":       `{"PreToolUse": [{"hooks": {"type": "command"}}]}`,
		"event in lower case": `{"preToolUse": [{"hooks": []}]}`,
		"event as in Python":  `{"pre_tool_use": [{"hooks": []}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			entries, reports := parse(text)
			if len(entries) != 1 || entries[0].Event != PreToolUse || entries[0].Defect == "" || len(reports) == 0 {
				t.Fatalf("entries %+v, reports %v", entries, reports)
			}
			s := newSession(t, Config{Entries: entries}, textRule(t, rule.Allow, "Bash"))
			wantDecision(t, s.bash("ls"), denied, "hook broken: ", "settings.json:1")
		})
	}
}

func TestParseUnknownThingsAreReported(t *testing.T) {
	entries, reports := parse(`{
  "PostCompact": [{"hooks": [{"type": "command", "command": "x"}]}],
  "PostToolUse": [{
    "matcher": "Bash", "description": "why",
    "hooks": [{"type": "command", "command": "x",
      "statusMessage": "wait", "url": "https://example.com/"}]
  }],
  "Stop": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]
}`)
	if len(entries) != 2 || entries[0].Defect != "" || entries[0].Event != PostToolUse || !entries[1].Matcher.Match("") {
		t.Errorf("entries %+v", entries)
	}
	want := []string{
		`settings.json:11: unknown hook event "PostCompact" is ignored`,
		`settings.json:13: unknown key "description" is ignored`,
		`settings.json:15: unknown key "statusMessage" is ignored`,
		`settings.json:14: the key "url" means nothing for a hook of type command`,
		`settings.json:17: Stop: the matcher is ignored`,
	}
	for i, part := range want {
		if i >= len(reports) || !strings.HasPrefix(reports[i].String(), part) {
			t.Errorf("report %d: want %q, got %v", i, part, reports)
		}
	}
	if len(reports) != len(want) {
		t.Errorf("%d reports, want %d: %v", len(reports), len(want), reports)
	}
}

// A rule can only be compared with a tool call.
func TestParseConditionAtOtherEvents(t *testing.T) {
	entries, reports := parse(`{"Stop": [{"hooks": [{"type": "command", "command": "x", "if": "Bash(git *)"}]}]}`)
	if len(entries) != 0 || len(reports) != 1 || !strings.Contains(reports[0].Text, "this event has none") {
		t.Errorf("entries %+v, reports %v", entries, reports)
	}
}

func TestS22_MatcherThatCannotBeUnderstood(t *testing.T) {
	for _, matcher := range []string{`"["`, `"Bash("`, `7`, `["Bash"]`, `null`} {
		for _, event := range []Event{PreToolUse, PostToolUse} {
			entries, reports := parse(fmt.Sprintf("{\"%s\": [{\n\"matcher\": %s, \"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}", event, matcher))
			if len(reports) == 0 || reports[0].Origin.Line != 11 {
				t.Errorf("%s at %s: reports %v", matcher, event, reports)
			}
			if event == PostToolUse && len(entries) != 0 {
				t.Errorf("%s at %s: it runs", matcher, event)
			}
			if event == PreToolUse && (len(entries) != 1 || !entries[0].RestrictOnly || entries[0].Defect != "") {
				t.Errorf("%s at %s: entries %+v", matcher, event, entries)
			}
		}
	}
}

func TestS22_MatcherThatCannotBeUnderstoodOnlyRestricts(t *testing.T) {
	for _, tt := range []struct {
		out  Output
		want permission.Behavior
	}{
		{Allow(), asked}, {Deny("no"), denied}, {Ask("sure?"), asked}, {Defer("later"), deferred}, {Output{}, asked},
	} {
		matcher, err := ParseMatcher("[")
		if err == nil {
			t.Fatal("the matcher can be understood")
		}
		s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Matcher: matcher, RestrictOnly: true, Handler: saying("x", tt.out)}}})
		j := s.bash("make")
		if j.Decision.Behavior != tt.want {
			t.Errorf("%+v: %v, want %v", tt.out.Specific, j.Decision.Behavior, tt.want)
		}
		if len(j.Verdict.Runs) != 1 {
			t.Errorf("it ran %d times", len(j.Verdict.Runs))
		}
	}
	out, _ := AllowWith(map[string]string{"command": "true"})
	s := newSession(t, Config{Entries: []Entry{{Event: PreToolUse, Matcher: mustMatcher(t, "Write"), RestrictOnly: true, Handler: saying("x", out)}}})
	j := s.bash("make")
	if j.Verdict.Input != nil {
		t.Error("it changes the input")
	}
	wantNote(t, j.Verdict.Runs[0], "its allow does not count")
}

func TestS22_DisableAllHooks(t *testing.T) {
	sources := []rule.Source{rule.ProjectSettings, rule.LocalSettings, rule.UserSettings, rule.FlagSettings, rule.PolicySettings, 0, rule.Session}
	var entries []Entry
	for _, source := range sources {
		entries = append(entries, Entry{Event: Stop, Handler: saying("x", Output{}), Origin: rule.Origin{Source: source}})
	}
	for _, tt := range []struct {
		by  []rule.Source
		off []rule.Source
	}{
		{nil, nil},
		{[]rule.Source{rule.ProjectSettings}, sources[:2]},
		{[]rule.Source{rule.LocalSettings}, sources[:2]},
		{[]rule.Source{rule.UserSettings}, sources[:3]},
		{[]rule.Source{rule.FlagSettings}, sources[:4]},
		{[]rule.Source{rule.PolicySettings}, sources[:5]},
		{[]rule.Source{rule.ProjectSettings, rule.UserSettings}, sources[:3]},
	} {
		kept, reports := Select(entries, tt.by...)
		if len(kept) != len(entries)-len(tt.off) || len(reports) != len(tt.off) {
			t.Errorf("%v: %d kept, reports %v", tt.by, len(kept), reports)
		}
		for _, e := range kept {
			for _, off := range tt.off {
				if e.Origin.Source == off {
					t.Errorf("%v: a hook of %v runs", tt.by, off)
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x", "timeout": 1e1}]}]}`)
	f.Add(`{"PreToolUse": [{"hooks": [{"type": "http", "url": "https://a/", "headers": {"\u0041": "\"}"}}]}, 7]}`)
	f.Add(`{"Stop": [ ], "pretooluse": null}`)
	f.Fuzz(func(t *testing.T, text string) {
		entries, reports := parse(text)
		for _, e := range entries {
			if e.Handler == nil || e.Origin.Line < 10 || e.Defect != "" && e.Event != PreToolUse {
				t.Errorf("%q: %+v", text, e)
			}
		}
		for _, r := range reports {
			if r.Origin.Line < 10 || r.Text == "" || strings.ContainsAny(r.Text, "\n\r") {
				t.Errorf("%q: report %+v", text, r)
			}
		}
	})
}
