package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/permission"
)

// completed is what the shell is offered for the last word.
func completed(t *testing.T, args ...string) []string {
	t.Helper()
	var out, complaints bytes.Buffer
	if status := run(append([]string{"__complete"}, args...), strings.NewReader(""), &out, &complaints); status != 0 {
		t.Fatalf("%q: status %d, %s", args, status, complaints.String())
	}
	var words []string
	for line := range strings.Lines(out.String()) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		words = append(words, word)
	}
	return words // the last one tells the shell what it may add
}

// What can be known about a flag of the agent is offered, as for the other commands.
func TestCompletionOfTheAgentsFlags(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("ASSENT_HOME", "")
	for _, c := range []struct {
		args string
		want []string
	}{
		{"--permission-mode ", permission.Modes},
		{"-p --permission-mode ", permission.Modes},
		{"--output-format ", []string{"text", "json", "stream-json"}},
		{"--input-format ", []string{"text", "stream-json"}},
		{"--setting-sources user,", []string{"user,project", "user,local"}},
		{"--permission-prompt-tool ", []string{"stdio", "terminal"}},
		{"--allowedTools ", toolNames()},
		{"--disallowedTools ", toolNames()},
		{"--tools ", toolNames()},
		{"--resume ", nil},
		{"--settings ", []string{"json"}},
		{"hook --agent ", agentNames()},
		{"hook --agent c", []string{"claude", "codex", "cursor", "copilot"}},
		{"hook --agent codex --dead", []string{"--deadline"}},
		{"hook --data", []string{"--database"}},
		{"hook --deadline ", nil},
		{"hook --database ", nil},
		{"hook --wait ", nil},
		{"hook --settings ", []string{"json"}},
	} {
		got := completed(t, strings.Split(c.args, " ")...)
		got = got[:len(got)-1]
		if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(c.want))) {
			t.Errorf("%q: got %q, want %q", c.args, got, c.want)
		}
	}
	if got := completed(t, "--add-dir", ""); got[len(got)-1] != ":16" { // directories
		t.Errorf("--add-dir: %q", got)
	}
}

// Sessions to go on with are among them.
func TestCompletionOfSessions(t *testing.T) {
	w := newCounter(t)
	w.park(firstID, w.bash("a", "deploy"))
	w.run(0, "__complete", "--resume", firstID[:3])
	w.says(firstID)
}

// Every help fits a terminal of 120 columns.
func TestHelpFits(t *testing.T) {
	root := newRoot(&app{}, false)
	root.InitDefaultVersionFlag()
	everyCommand(root, func(cmd *cobra.Command) {
		for line := range strings.Lines(pageOf(cmd).Text) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 120 {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), n, line)
			}
		}
	})
}
