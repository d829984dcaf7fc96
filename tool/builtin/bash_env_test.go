//go:build unix

package builtin

import (
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
		"BASH_COMPAT=3.2", "POSIXLY_CORRECT=1", "EXECIGNORE=*",
		"ANTHROPIC_API_KEY=secret-1", "ANTHROPIC_AUTH_TOKEN=secret-2", "OPENAI_API_KEY=secret-3",
		"KEPT=kept", "ENVIRONMENT=kept", "BASH_FUNCTION=kept", "odd",
	}
	want := []string{"KEPT=kept", "ENVIRONMENT=kept", "BASH_FUNCTION=kept", "odd", "ADDED=added", "PWD=/d"}
	if got := newBash(Options{Env: []string{"ADDED=added"}}).environment(outer, "/d"); !slices.Equal(got, want) {
		t.Errorf("from outside: %q", got)
	}
	if got := newBash(Options{Env: append(outer, "ADDED=added")}).environment(nil, "/d"); !slices.Equal(got, want) {
		t.Errorf("from the options: %q", got)
	}
	own := newBash(Options{Secrets: []string{"KEPT"}}).environment([]string{"KEPT=x", "OPENAI_API_KEY=y"}, "/d")
	if !slices.Equal(own, []string{"OPENAI_API_KEY=y", "PWD=/d"}) {
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
