package custom

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
)

func TestAgentsOfFiles(t *testing.T) {
	a := readAgent(file{at: "f.md", text: "---\nname: reviewer\ndescription: Use it: always\ntools: Read, mcp__git__*  Grep\ndisallowedTools: [Bash]\nmodel: inherit\npermissionMode: plan\ncolor: red\n---\nReview.\n"})
	if a.Fault != nil {
		t.Fatal(a.Fault)
	}
	if a.Name != "reviewer" || a.Description != "Use it: always" || a.Prompt != "Review." || a.Model != "" || a.Mode != permission.Plan ||
		!slices.Equal(a.Tools, []string{"Read", "mcp__git__*", "Grep"}) || !slices.Equal(a.Disallowed, []string{"Bash"}) || a.Sum == "" {
		t.Errorf("%+v", a)
	}
	if a := readAgent(file{text: "---\nname: a\ndescription: b\n---\nGo"}); a.Fault != nil || a.Tools != nil {
		t.Errorf("%+v", a)
	}
	for text, want := range map[string]string{
		"Go":                                  "1: an agent begins with a front matter",
		"---\ndescription: d\n---\nGo":        "1: it has no name",
		"---\nname: a\n---\nGo":               "1: it has no description",
		"---\nname: a\ndescription: d\n---\n": "5: there are no instructions",
		"---\nname: \"a\\nb\"\ndescription: d\n---\nGo":                       "1: ",
		"---\nname: " + strings.Repeat("a", 65) + "\ndescription: d\n---\nGo": "1: ",
		"---\nname: a\ndescription: d\ntools:\n---\nGo":                       "4: tools names no tool",
		"---\nname: a\ndescription: d\ntools: Bash(git:*)\n---\nGo":           "4: tools: \"Bash(git:*)\" is a rule",
		"---\nname: a\ndescription: d\ntools: R€ad\n---\nGo":                  "4: tools: ",
		"---\nname: a\ndescription: d\npermissionMode: yolo\n---\nGo":         "1: permissionMode: ",
		"---\nname: a\nname: b\ndescription: d\n---\nGo":                      "3: name stands here a second time",
	} {
		if a := readAgent(file{at: "f.md", text: text}); a.Fault == nil || !strings.HasPrefix(a.Fault.Error(), "f.md:"+want) {
			t.Errorf("%q: %v, want %s", text, a.Fault, want)
		}
	}
}

func TestAgentsOfTheCommandLine(t *testing.T) {
	agents, notes, err := ReadFlag([]byte(`{"b": {"description": "d", "prompt": "p", "tools": [], "model": "haiku", "maxTurns": 3, "skills": []}, "a": {"description": "d", "prompt": "p", "disallowedTools": ["mcp__x"]}}`))
	if err != nil || len(agents) != 2 || agents[0].Name != "a" || agents[0].Tools != nil || agents[1].Tools == nil || agents[1].Model != "haiku" || agents[1].MaxTurns != 3 || agents[0].Disallowed[0] != "mcp__x" {
		t.Errorf("%+v, %v", agents, err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "skills") {
		t.Errorf("notes %q", notes)
	}
	for _, text := range []string{
		``, `[]`, `{"a": 1}`, `{"a": {}}`, `{"a": {"description": "d"}}`, `{"a": {"prompt": "p"}}`, `{"": {"description": "d", "prompt": "p"}}`,
		`{"a": {"description": "d", "prompt": "p", "tools": "Read"}}`, `{"a": {"description": "d", "prompt": "p", "tools": ["Bash(x)"]}}`,
		`{"a": {"description": "d", "prompt": "p", "tools": [null]}}`, `{"a": {"description": "d", "prompt": "p", "maxTurns": -1}}`,
		`{"a": {"description": "d", "prompt": "p", "prompt": "q"}}`, `{"a": {"description": "d", "prompt": "p"}, "a": {"description": "d", "prompt": "p"}}`,
		`{"a": {"description": "d", "prompt": "p", "permissionMode": "none"}}`, `{"a\nb": {"description": "d", "prompt": "p"}}`,
	} {
		if agents, _, err := ReadFlag([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, agents)
		}
	}
}

// Of two agents with one name the first counts, and people hear of the other.
func TestS43_TwoAgentsOfOneName(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		called := "twin"
		if name == "c" {
			called = "other"
		}
		put(t, filepath.Join(dir, "agents", name+".md"), "---\nname: "+called+"\ndescription: d\n---\nGo\n")
	}
	agents := Read(dir).Agents
	if len(agents) != 3 || agents[0].Fault != nil || agents[2].Fault != nil || agents[1].Fault == nil || !strings.Contains(agents[1].Fault.Error(), "a.md") {
		t.Errorf("%+v", agents)
	}
}
