package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

const sessionsHelp = `Look after sessions: those in which a call waits for somebody's answer, and all others.

  assent sessions list                   what waits, what became of what, then the other sessions
  assent sessions show ID                one call or session: why it stopped, what exactly would run
  assent approve ID                      let a call run that waits; assent deny ID --reason … for no
  assent sessions resolve ID --ran       a run was interrupted: say that the call ran, or --not-run
  assent sessions export ID -o FILE      one file with everything, for another machine
  assent sessions import FILE            and back
  assent sessions prune                  remove old sessions in which nothing waits

ID is that of a session or of the ticket of a call, or the beginning of one. Sessions lie in
$ASSENT_HOME/sessions, or ~/.assent/sessions.`

func newSessions(a *app) *cobra.Command {
	d := &counter{app: a}
	cmd := group("sessions", "List sessions and the calls that wait in them, move and remove them", sessionsHelp,
		d.newList(), d.newShow(), d.newResolve(), d.newExport(), d.newImport(), d.newPrune())
	d.bind(cmd)
	return cmd
}

// bind adds the flag for the state directory to a command and those below it.
func (d *counter) bind(cmd *cobra.Command) {
	cmd.PersistentFlags().Var((*something)(&d.state), "state", "the state directory (default: $ASSENT_HOME, or ~/.assent)")
	must(cmd.MarkPersistentFlagDirname("state"))
	d.joining.bind(cmd.PersistentFlags())
}

// stateDirectory is where sessions and tickets are kept.
func stateDirectory(given string) (string, error) {
	if given != "" {
		return absolute(given)
	}
	state := os.Getenv("ASSENT_HOME")
	if state == "" {
		home, err := homeDirectory("")
		if err != nil {
			return "", err
		}
		state = filepath.Join(home, ".assent")
	}
	if !filepath.IsAbs(state) {
		return "", fmt.Errorf("the state directory must be an absolute path, not %q (set ASSENT_HOME)", state)
	}
	return state, nil
}
