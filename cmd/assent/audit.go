package main

import (
	"path/filepath"

	"github.com/spf13/cobra"
)

const auditHelp = `Look into the record of decisions: what was asked, what came of it, by which rule or person. Every
agent that assent runs writes it, one record for each call, chained so that a change is noticed.

  assent audit log                    the last decisions
  assent audit log --decision deny    only those that were refused
  assent audit log --follow           and those to come
  assent audit verify                 is the record whole?

It lies in $ASSENT_HOME/audit, or ~/.assent/audit.`

func newAudit(a *app) *cobra.Command {
	return group("audit", "Show and verify the record of decisions", auditHelp, newAuditLog(a), newAuditVerify(a))
}

// auditDirectory is where decisions are recorded.
func auditDirectory() (string, error) {
	state, err := stateDirectory("")
	if err != nil {
		return "", err
	}
	return filepath.Join(state, "audit"), nil
}
