package settings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/rule"
)

func TestS35_BrokenFileStopsTheStart(t *testing.T) {
	for _, c := range []struct {
		name, text, place, says string
	}{
		{"cut short", "{\"permissions\":\n {\"deny\": [\"Bash(tk two)\"], \n\n", "2:28", "ends before"},
		{"empty", "", "1:1", "empty"},
		{"blank", " \n\t\n", "1:1", "empty"},
		{"not an object", "[]", "1:1", "object"},
		{"null", "null", "1:1", "object"},
		{"two values", "{}\n{}", "2:1", "after top-level value"},
		{"key twice", "{\"permissions\": {\"deny\": [\"Bash(x)\"]},\n \"permissions\": {}}", "2:2", "twice"},
		{"nested key twice", "{\"env\": {\"A\": \"1\",\n\"\\u0041\": \"2\"}}", "2:1", "twice"},
		{"key in another case", "{\n  \"Permissions\": {}}", "2:3", "permissions"},
		{"inner key in another case", `{"permissions": {"Deny": ["Bash(x)"]}}`, "1:18", "deny"},
		{"long s for s", `{"permiſsions": {}}`, "1:2", "permissions"},
		{"invalid UTF-8", "{\"a\": \"\xff\"}", "1:8", "UTF-8"},
		{"half a surrogate pair", `{"a": "\ud800"}`, "1:8", "surrogate"},
		{"permissions no object", `{"permissions": []}`, "1:17", "object"},
		{"permissions null", `{"permissions": null}`, "1:17", "object"},
		{"deny no list", "{\"permissions\":\n{\"deny\": \"Bash(x)\"}}", "2:10", "list of strings"},
		{"deny null", `{"permissions": {"deny": null}}`, "1:26", "list of strings"},
		{"deny with a number", `{"permissions": {"deny": ["é", 5]}}`, "1:32", "string"},
		{"directories", `{"permissions": {"additionalDirectories": {}}}`, "1:43", "list of strings"},
		{"mode", `{"permissions": {"defaultMode": 1}}`, "1:33", "string"},
		{"disableBypass", `{"permissions": {"disableBypassPermissionsMode": true}}`, "1:50", "string"},
		{"hooks", `{"hooks": []}`, "1:11", "object"},
		{"disableAllHooks", `{"disableAllHooks": "yes"}`, "1:21", "true or false"},
		{"env", `{"env": "A=1"}`, "1:9", "object"},
		{"mcp", `{"mcpServers": 1}`, "1:16", "object"},
		{"assent", `{"assent": true}`, "1:12", "object"},
		{"a misspelt limit", `{"assent": {"aprovals": {"any": {"approvers": 2}}}}`, "1:25", "assent has aprovals, which nobody knows"},
		{"assent workspaces", `{"assent": {"trustedWorkspaces": "/"}}`, "1:34", "list of strings"},
		{"open comment", "{}\n/* x", "2:5", "ends before"},
		{"too deep", `{"a": ` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, "1:262", "deep"},
		{"much too deep", strings.Repeat("[", maxFileSize-1), "1:257", "deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(rule.ProjectSettings, c.text)
			_, err := Load(w.Options)
			broken, ok := errors.AsType[*BrokenError](err)
			if !ok {
				t.Fatalf("got %v, want a BrokenError", err)
			}
			if got := fmt.Sprintf("%d:%d", broken.Line, broken.Column); got != c.place {
				t.Errorf("place %s, want %s (%v)", got, c.place, err)
			}
			if !strings.Contains(broken.Problem, c.says) {
				t.Errorf("problem %q does not say %q", broken.Problem, c.says)
			}
			if !strings.HasPrefix(err.Error(), w.path(rule.ProjectSettings)+":"+c.place+": ") || strings.ContainsAny(err.Error(), "\n") {
				t.Errorf("not one sentence with its place: %q", err)
			}
		})
	}
}

func TestS35_WhatIsNoReadableFileStopsTheStart(t *testing.T) {
	cases := map[string]func(w *world, path string) error{
		"directory": func(_ *world, path string) error { return os.Mkdir(path, 0o755) },
		"pipe":      func(_ *world, path string) error { return makePipe(path) },
		"too large": func(_ *world, path string) error {
			return os.WriteFile(path, []byte("{}"+strings.Repeat(" ", maxFileSize)), 0o644)
		},
		"link to nowhere": func(w *world, path string) error { return os.Symlink(filepath.Join(w.root, "gone"), path) },
		"link to itself":  func(_ *world, path string) error { return os.Symlink(path, path) },
	}
	if os.Getuid() != 0 {
		cases["no permission"] = func(_ *world, path string) error { return os.WriteFile(path, []byte("{}"), 0) }
	}
	for name, make := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := w.path(rule.LocalSettings)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := make(w, path); err != nil {
				t.Fatal(err)
			}
			_, err := Load(w.Options)
			broken, ok := errors.AsType[*BrokenError](err)
			if !ok || broken.File != path || broken.Hint == "" {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestMissingFilesSayNothing(t *testing.T) {
	w := newWorld(t)
	w.write(filepath.Join(w.Dir, ".claude"), "a file where the directory would be")
	s := w.load()
	equal(t, "rules", rules(s), nil)
	for _, f := range s.Files {
		if f.Exists {
			t.Errorf("%s exists", f.Path)
		}
	}
}

func TestTheFlagMustNameSomethingReadable(t *testing.T) {
	w := newWorld(t)
	w.Flag = "extra.json"
	if _, err := Load(w.Options); err == nil || !strings.Contains(err.Error(), filepath.Join(w.Dir, "extra.json")) {
		t.Errorf("a missing --settings file: %v", err)
	}
	w.write(filepath.Join(w.Dir, "extra.json"), `{"permissions": {"deny": ["Bash(x)"]}}`)
	equal(t, "rules", rules(w.load()), []string{"flagSettings deny Bash(x)"})
	w.Flag = ` {"permissions": {"deny": 1}}`
	if _, err := Load(w.Options); err == nil || !strings.HasPrefix(err.Error(), "--settings:1:27: ") {
		t.Errorf("broken JSON on the command line: %v", err)
	}
}
