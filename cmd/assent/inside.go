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

// notInside refuses what is a person's to say when a session has started the command: an
// agent does not answer its own questions. A variable of the environment says so, and where
// somebody has taken that away, the processes above this one do: one of them has a session
// open. It hinders and records it; a program of the same user that wants to answer can.
func notInside(cmd *cobra.Command) error {
	name := strings.TrimPrefix(cmd.CommandPath(), "assent ")
	if !slices.Contains(personal, name) {
		return nil
	}
	held := sessionAbove(stateOf(cmd))
	if held != "" {
		recordInside(name, held)
	}
	if held == "" && os.Getenv(builtin.SessionMark) == "" {
		return nil
	}
	return fmt.Errorf("%s is for a person, and this was started by the Bash tool of a session (run it in a terminal of your own)", name)
}

// stateOf is the state directory that a command is about; empty when it may be any.
func stateOf(cmd *cobra.Command) string {
	if server := cmd.Flags().Lookup("server"); server != nil && server.Changed {
		return ""
	}
	given := ""
	if state := cmd.Flags().Lookup("state"); state != nil {
		given = state.Value.String()
	}
	dir, err := stateDirectory(given)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return dir
}

// sessionAbove is the lock of a session in a state directory that a process above this one
// has open; empty when none has, or nobody can tell. No directory means any.
func sessionAbove(state string) string {
	const deepest = 64
	for pid, n := os.Getppid(), 0; pid > 1 && n < deepest; pid, n = parentOf(pid), n+1 {
		for _, path := range openFiles(pid) {
			if isSessionLock(path) && (state == "" || filepath.Dir(filepath.Dir(filepath.Dir(path))) == state) {
				return path
			}
		}
	}
	return ""
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
