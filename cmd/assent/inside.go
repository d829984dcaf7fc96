package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool/builtin"
)

// personal are the commands that say something in a person's place, or hand out the means
// to do so.
var personal = []string{"approve", "deny", "trust", "serve", "sessions resolve", "sessions prune", "sessions import"}

// notInside refuses what is a person's to say when an agent has started the command: an
// agent does not answer its own questions. A variable of the environment says so, and where
// somebody has taken that away, the processes above this one do: one of them has a session
// open. Of which state directory that session is does not matter: a directory has many
// names, and none of them makes a person of an agent. It hinders and records it; a program
// of the same user that wants to answer can.
func notInside(cmd *cobra.Command) error {
	name := strings.TrimPrefix(cmd.CommandPath(), "assent ")
	if !slices.Contains(personal, name) {
		return nil
	}
	held := sessionAbove(locksOf(stateOf(cmd)))
	if held != "" {
		recordInside(name, held)
	}
	if held != "" || os.Getenv(builtin.SessionMark) != "" {
		return fmt.Errorf("%s is for a person, and this was started by the Bash tool of a session (run it in a terminal of your own)", name)
	}
	for _, mark := range agentMarks {
		if os.Getenv(mark) != "" {
			return fmt.Errorf("%s is for a person, and this was started by an agent, as the variable %s says (run it in a terminal of your own)", name, mark)
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

// locksOf are the locks of the sessions in a state directory, whatever their names are.
func locksOf(state string) []os.FileInfo {
	if state == "" {
		return nil
	}
	sessions, _ := os.ReadDir(filepath.Join(state, "sessions"))
	var locks []os.FileInfo
	for _, one := range sessions {
		if info, err := os.Stat(filepath.Join(state, "sessions", one.Name(), "lock")); err == nil {
			locks = append(locks, info)
		}
	}
	return locks
}

// sessionAbove is the lock of a session that a process above this one has open; empty when
// none has, or nobody can tell. A lock is known by its name, or by being one of those that
// are given: somebody may have moved them.
func sessionAbove(locks []os.FileInfo) string {
	const deepest = 64
	for pid, n := os.Getppid(), 0; pid > 1 && n < deepest; pid, n = parentOf(pid), n+1 {
		for _, file := range openFiles(pid) {
			if isSessionLock(file.path) || file.info != nil && slices.ContainsFunc(locks, func(lock os.FileInfo) bool { return os.SameFile(lock, file.info) }) {
				return file.path
			}
		}
	}
	return ""
}

// openFile is a file that a process has open.
type openFile struct {
	path string
	// info tells it from others; nil when nobody could look.
	info os.FileInfo
}

// isSessionLock: the file is STATE/sessions/ID/lock.
func isSessionLock(path string) bool {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	return name == "lock" && session.CheckID(filepath.Base(dir)) == nil && filepath.Base(filepath.Dir(dir)) == "sessions"
}

// recordInside writes down that a session has tried to answer for a person. What cannot be
// written is refused all the same.
func recordInside(command, lock string) {
	dir := filepath.Dir(lock)
	cwd, _ := os.Getwd()
	log := audit.Open(filepath.Join(filepath.Dir(filepath.Dir(dir)), "audit"))
	_ = log.Append(audit.Record{
		Session: filepath.Base(dir), Tool: "Bash", Summary: "assent " + command, Cwd: cwd, Decision: "deny",
		Kind: "self-approval", Reason: "self-approval refused: a program of this session has run `assent " + command + "`, which is for a person",
	})
	_ = log.Close()
}
