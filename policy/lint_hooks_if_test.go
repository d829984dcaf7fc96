package policy

import (
	"slices"
	"strings"
	"testing"
)

// The condition of a hook is a rule, and misread like any other.
func TestH13_ConditionsAreLookedAt(t *testing.T) {
	entry := func(condition string) string {
		return `{"type":"command","command":"./check","if":` + quoteJSON(condition) + `}`
	}
	for _, tt := range []struct {
		matcher, condition string
		want               []string
		text               string
	}{
		{"Bash", "Bash(git push:*)", nil, ""},
		{"", "Bash(git push:*)", nil, ""},
		{"", "Bahs(git:*)", []string{"warning unknown-tool"}, "its condition Bahs(git:*) names no tool that exists"},
		{"Bash", "Bash(^git .*$)", []string{"warning regex"}, "looks like a regular expression"},
		{"Bash", "Bash(git push && make)", []string{"warning compound"}, "it never matches"},
		{"", "Edit(/etc/passwd)", []string{"warning single-slash"}, "starts with one slash"},
		{"", "mcp__pay__refund(500)", []string{"warning mcp-content"}, "never matches"},
		// Which calls the rule can be about, and which the matcher.
		{"Write|Edit", "Bash(git push:*)", []string{"warning hook-if"}, "its matcher Write|Edit is for no call that its condition Bash(git push:*) is about: it never runs"},
		{"Bash", "Edit(/src/**)", nil, ""},
		{"Write", "Edit(/src/**)", nil, ""},
		{"Edit|Write", "Read(.env)", nil, ""},
		{"Read", "Edit(/src/**)", []string{"warning hook-if"}, "it never runs"},
		{"Write", "Write(/src/**)", nil, ""},
		{"Bash|Write", "Write(/src/**)", nil, ""},
		{"", "Write(/src/**)", []string{"warning write-only"}, "Edit and NotebookEdit"},
		{"Bash", "WebFetch(domain:example.com)", []string{"warning hook-if"}, "it never runs"},
		{"mcp__pay__refund", "mcp__pay", nil, ""},
		{"mcp__mail__send", "mcp__pay", []string{"warning hook-if"}, "it never runs"},
		{"^mcp__", "mcp__pay", nil, ""},
		{"Task", "Agent(reviewer)", nil, ""},
	} {
		s, dir := hookSettings(t, "PreToolUse", tt.matcher, entry(tt.condition), denying, 0o755)
		found := lintHook(t, s, dir)
		if got := codes(found); !slices.Equal(got, tt.want) {
			t.Errorf("%s, if %s: %v, want %v: %+v", tt.matcher, tt.condition, got, tt.want, found)
			continue
		}
		if len(found) > 0 && (!strings.Contains(found[0].Text, tt.text) || !strings.HasPrefix(found[0].Text, "PreToolUse hook, command ./check: its ")) {
			t.Errorf("%s, if %s: %s", tt.matcher, tt.condition, found[0].Text)
		}
	}
}

func quoteJSON(text string) string { return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"` }

// A shell that cannot read its text ends with 2, and that blocks whatever there is.
func TestH13_TheShellMustBeAbleToReadAHook(t *testing.T) {
	const bad = "if then\n"
	long := "#!/bin/sh\n" + strings.Repeat("# a comment\n", maxScript/12) + "echo 'an open quote\n"
	for _, tt := range []struct {
		name, event, entry, script string
		want                       []string
	}{
		{"a line", "PreToolUse", `{"type":"command","command":"if then"}`, "", []string{"error hook-syntax"}},
		{"a line with an open quote", "Stop", `{"type":"command","command":"echo 'x"}`, "", []string{"error hook-syntax"}},
		{"a line that is fine", "Stop", `{"type":"command","command":"echo 'x'"}`, "", nil},
		{"no shell reads it", "Stop", `{"type":"command","command":"./check","args":["if then ("]}`, "#!/bin/sh\n", nil},
		{"a script", "PreToolUse", `{"type":"command","command":"sh check"}`, bad, []string{"error hook-syntax"}},
		{"a script that starts itself", "Stop", checkHook, "#!/usr/bin/env bash\n" + bad, []string{"error hook-syntax"}},
		{"a script without a first line", "Stop", `{"type":"command","command":"bash check"}`, "exit 0\n", nil},
		{"another language", "Stop", checkHook, "#!/usr/bin/env python3\nif then (\n", nil},
		{"another language by name", "Stop", `{"type":"command","command":"python3 check"}`, bad, nil},
		{"another shell", "Stop", checkHook, "#!/bin/zsh\nfor x (a b) echo $x\n", nil},
		{"only its beginning is known", "Stop", `{"type":"command","command":"sh check"}`, long, nil},
	} {
		s, dir := hookSettings(t, tt.event, "", tt.entry, tt.script, 0o755)
		found := lintHook(t, s, dir)
		if got := codes(found); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v: %+v", tt.name, got, tt.want, found)
		}
	}
}
