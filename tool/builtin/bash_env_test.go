//go:build unix

package builtin

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What changes how bash reads a command, and the keys of the model, stay outside.
func TestBash_Environment(t *testing.T) {
	script := filepath.Join(tree(t, files{"start": "echo STARTED\n"}), "start")
	outer := []string{
		"BASH_ENV=" + script, "ENV=" + script, "BASH_FUNC_ls%%=() { echo FUNCTION; }", "BASH_FUNC_ls()=() { echo FUNCTION; }",
		"SHELLOPTS=xtrace:noglob", "BASHOPTS=nullglob:extglob", "CDPATH=/usr", "GLOBIGNORE=*", "PS4=$(echo PROMPT >&2)", "PROMPT_COMMAND=echo P", "IFS=/",
		"BASH_COMPAT=3.2", "POSIXLY_CORRECT=1", "POSIX_PEDANTIC=1", "EXECIGNORE=*",
		"ANTHROPIC_API_KEY=secret-1", "ANTHROPIC_AUTH_TOKEN=secret-2", "OPENAI_API_KEY=secret-3", "ASSENT_TOKEN=secret-4", "ASSENT_DATABASE=secret-5",
		"KEPT=kept", "ENVIRONMENT=kept", "BASH_FUNCTION=kept", "odd",
	}
	want := []string{"KEPT=kept", "ENVIRONMENT=kept", "BASH_FUNCTION=kept", "odd", "ADDED=added", "PWD=/d"}
	want = append(want, gitCaution(nil)...)
	if got := newBash(Options{Env: []string{"ADDED=added"}}).environment(outer, "/d"); !slices.Equal(got, want) {
		t.Errorf("from outside: %q", got)
	}
	if got := newBash(Options{Env: append(outer, "ADDED=added")}).environment(nil, "/d"); !slices.Equal(got, want) {
		t.Errorf("from the options: %q", got)
	}
	own := newBash(Options{Secrets: []string{"KEPT"}}).environment([]string{"KEPT=x", "ASSENT_TOKEN=z", "OPENAI_API_KEY=y", "GIT_CONFIG_COUNT=0"}, "/d")
	if !slices.Equal(own, []string{"OPENAI_API_KEY=y", "GIT_CONFIG_COUNT=0", "PWD=/d"}) {
		t.Errorf("with secrets of its own: %q", own)
	}
}

func TestBash_EnvironmentOfACommand(t *testing.T) {
	dir := tree(t, files{"start": "echo STARTED\n"})
	for name, value := range map[string]string{
		"BASH_ENV": dir + "/start", "BASH_FUNC_echo%%": "() { builtin echo FUNCTION; }", "SHELLOPTS": "noglob", "ANTHROPIC_API_KEY": "secret",
	} {
		t.Setenv(name, value)
	}
	if got := runTool(t, newBash(Options{}), dir, input{"command": "echo st* $ANTHROPIC_API_KEY"}); got != "start" {
		t.Errorf("%q", got)
	}
	if text := newBash(Options{}).Description(); !strings.Contains(text, "API keys") {
		t.Error("the description does not say that keys are kept back")
	}
}

// A repository that lies bare in the tree could start programs.
func TestBash_BareRepositoriesAreNotUsed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "objects/x": "", "refs/x": "",
		"config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = \"touch ran; false\"\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	box := newToolbox()
	result := box.bash.Run(t.Context(), jobFor(t, box.bash, dir, input{"command": "git status"}))
	if _, err := os.Lstat(filepath.Join(dir, "ran")); err == nil {
		t.Errorf("it started a program: %s", result.Text)
	}
}

// TestS37_CommandsAreMarked: whatever a command starts can tell that a session started it.
func TestS37_CommandsAreMarked(t *testing.T) {
	cmd, err := newBash(Options{}).command("true", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if last := cmd.Env[len(cmd.Env)-1]; last != SessionMark+"=1" {
		t.Errorf("the last variable is %q", last)
	}
}
