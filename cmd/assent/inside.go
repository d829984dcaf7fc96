package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/tool/builtin"
)

// personal are the commands that say something in a person's place, hand out the means to do so,
// or change what guards an agent; with each those below it.
var personal = []string{"approve", "deny", "trust", "init", "serve", "worker", "sessions resolve", "sessions prune", "sessions import", "people"}

// isPersonal: a command is one of those, or below one.
func isPersonal(name string) bool {
	return slices.ContainsFunc(personal, func(p string) bool { return name == p || strings.HasPrefix(name, p+" ") })
}

// notInside refuses what is a person's to say when an agent has started the command: an
// agent does not answer its own questions, nor takes its guard away.
func notInside(cmd *cobra.Command) error {
	name := strings.TrimPrefix(cmd.CommandPath(), "assent ")
	if !isPersonal(name) || onlyPrints(cmd) {
		return nil
	}
	return refuseInside(name, name, stateOf(cmd))
}

// onlyPrints: init was told to show what it would change, and to change nothing.
func onlyPrints(cmd *cobra.Command) bool {
	prints, err := cmd.Flags().GetBool("print")
	return err == nil && prints && cmd.Name() == "init"
}

// takesUp refuses, for an agent that has started this one, to go on with a session in which
// calls wait: the command line counts as the user's word, and could let such a call run
// without anybody's answer.
func takesUp(state string) func(session string) error {
	return func(session string) error {
		return refuseInside("to go on with a session in which calls wait", "--resume "+session, state)
	}
}

// refuseInside is the error for something that an agent has started and that is for a
// person; nil when no agent has. A variable of the environment says so, and where somebody
// has taken that away, the processes above this one do: one of them has a session open, or
// is this program at work as an agent. Of which state directory that session is does not
// matter: a directory has many names, and none of them makes a person of an agent. Where nobody
// can see the processes above, or look into them, it is refused as long as a session is at work
// that cannot be seen either. It hinders and records it; a program of the same user that wants
// to answer can.
func refuseInside(what, command, state string) error {
	files, unlisted := filesOf(state)
	above, looked, way := sessionAbove(files)
	if looked == agentFound {
		recordInside(command, "a program of this session has run `assent "+command+"`, which is for a person", above, state)
	}
	if looked == outOfSight {
		if unseen, ok := workingUnseen(state, files, way); ok {
			recordInside(command, "`assent "+command+"`, which is for a person, was run where nobody can see who has started it, while this session was at work", unseen, state)
			return fmt.Errorf("%s is for a person, and nobody can see from here who has started this (it runs in a container, without the processes of the machine, or may not look into those that have started it), while session %s is at work where it cannot be seen either (answer on the page of the inbox, or run this in a terminal of your own, outside of the container)", what, unseen.session)
		}
	}
	if looked == outOfSight && unlisted != nil && way.holdsAnything() {
		recordInside(command, "`assent "+command+"`, which is for a person, was run where nobody can see who has started it, nor which sessions are at work", agentAbove{}, state)
		return fmt.Errorf("%s is for a person, and nobody can see from here who has started this, nor which sessions are at work: %w (answer on the page of the inbox, or run this in a terminal of your own)", what, unlisted)
	}
	if looked == agentFound || os.Getenv(builtin.SessionMark) != "" {
		return fmt.Errorf("%s is for a person, and this was started by the Bash tool of a session (run it in a terminal of your own)", what)
	}
	for _, mark := range agentMarks {
		if os.Getenv(mark) != "" {
			return fmt.Errorf("%s is for a person, and this was started by an agent, as the variable %s says (run it in a terminal of your own)", what, mark)
		}
	}
	return nil
}

// agentMarks are the variables that other agents set for the commands that they run. Those
// that an editor sets for every terminal are none of them.
var agentMarks = []string{"CLAUDECODE", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "GEMINI_CLI", "CURSOR_AGENT", "COPILOT_CLI"}

// stateOf is the state directory that a command is about; empty when nobody can say.
func stateOf(cmd *cobra.Command) string {
	given := ""
	if state := cmd.Flags().Lookup("state"); state != nil {
		given = state.Value.String()
	}
	dir, err := stateDirectory(given)
	if err != nil {
		return ""
	}
	return dir
}

// recordInside writes down that a session has tried to answer for a person. What cannot be
// written is refused all the same.
func recordInside(command, reason string, above agentAbove, state string) {
	cwd, _ := os.Getwd()
	log := audit.Open(filepath.Join(cmp.Or(above.state, state), "audit"))
	_ = log.Append(audit.Record{
		Session: above.session, Tool: "Bash", Summary: "assent " + command, Cwd: cwd, Decision: "deny",
		Kind: "self-approval", Reason: "self-approval refused: " + reason,
	})
	_ = log.Close()
}
