package main

import (
	"fmt"
	"os"
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
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show and verify the record of decisions",
		Long:  auditHelp,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(cmd, fmt.Sprintf("there is no %q: want log or verify", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newAuditLog(a), newAuditVerify(a))
	return cmd
}

// auditDirectory is where decisions are recorded.
func auditDirectory() (string, error) {
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
	return filepath.Join(state, "audit"), nil
}
