package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestFigures(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module example.com/house\n",
		"a/a.go":              "package a\n\ntype Call struct {\n\tTool, Input string\n}\n\nfunc (c *Call) Run() {}\n\nfunc (c *Call) hidden() {}\n\ntype small struct{}\n\nfunc (small) Run() {} // of no exported type\n\nconst One, two = 1, 2\n",
		"a/a_test.go":         "package a\n\nvar Exported = 1\n",
		"internal/b/b.go":     "package b\n\nfunc Exported() { _ = \"a bell\" }\n",
		"cmd/c/main.go":       "package main\n\nfunc main() {}\n",
		"a/testdata/bad.go":   "not Go",
		wordList:              "# old words\nbell\n",
		"untracked/broken.go": "not Go either",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, arguments := range []string{"init -q", "add go.mod a internal cmd"} {
		git := exec.Command("git", strings.Fields(arguments)...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	var out strings.Builder
	if err := run(dir, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"production lines                   21", "test lines                         3", "top-level folders                  3",
		"public packages                    1", "exported names                     3", // Call, Call.Run, One
		"structs that hold a call           1", "retired words                      1", "a.Call                                   2",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}

func TestNoCheckout(t *testing.T) {
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(t.TempDir()))
	if err := run(t.TempDir(), &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "checkout") {
		t.Errorf("got %v", err)
	}
}
