package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/policy"
)

const auditVerifyHelp = `Read the whole record of decisions and say whether it is as it was written: nothing edited, removed,
moved or put in, and nothing cut off its end.

  assent audit verify                  prints the head, which stands for all records up to the last
  assent audit verify --head 12:5f3a…  and the record up to a head that was noted is still the same

The record and its end are two files. Whoever may write both can roll both back to an older state,
or make all of it anew: that is not noticed, unless a head that was noted elsewhere is given.

The exit status is 0 when the record is whole, 1 when it was changed or lacks what was noted, 2 when
it cannot be read, is empty or there is none.`

func newAuditVerify(a *app) *cobra.Command {
	var asJSON bool
	var noted []string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Prove that the record of decisions is whole",
		Long:  auditVerifyHelp,
		Args:  atMost(0, "verify takes none; set ASSENT_HOME for another record"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			heads := make([]audit.Head, len(noted))
			for i, text := range noted {
				var err error
				if heads[i], err = audit.ParseHead(text); err != nil {
					return usage(cmd, "--head "+policy.Visible(text)+": "+err.Error())
				}
			}
			dir, err := auditDirectory()
			if err != nil {
				return err
			}
			r, err := audit.Verify(dir, heads...)
			if errors.Is(err, audit.ErrNone) {
				return fmt.Errorf("%w (it begins with the first call of an agent; ASSENT_HOME names another place)", err)
			}
			if err == nil && r.Whole() && r.Records == 0 {
				err = fmt.Errorf("the decision log in %s was begun and holds no record: there is nothing to prove (its first record was never written, or all of it was removed)", dir)
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = a.printJSON(auditReply{Whole: r.Whole(), Report: r})
			} else {
				err = a.printVerified(r)
			}
			if err == nil && !r.Whole() {
				return errNo
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.Flags().StringArrayVar(&noted, "head", nil, "fail unless the record with this `number:sum` is there; may be given again")
	must(cmd.RegisterFlagCompletionFunc("head", words()))
	return cmd
}

// auditReply is what verify answers to programs.
type auditReply struct {
	Whole bool `json:"whole"`
	audit.Report
}

func (a *app) printVerified(r audit.Report) error {
	p := &page{painter: a.painter(a.out)}
	for _, f := range r.Findings {
		p.line(p.outcome("error") + ": " + policy.Visible(f.String()))
	}
	for _, note := range r.Notes {
		p.line(p.outcome("info") + ": " + policy.Visible(note))
	}
	size := fmt.Sprintf("%s in %s", plural(r.Records, "record"), plural(r.Segments, "segment"))
	if r.Records > 0 {
		size += fmt.Sprintf(", %s to %s", r.First.Local().Format(time.DateTime), r.Last.Local().Format(time.DateTime))
	}
	if r.Whole() {
		p.line(p.text(green, "whole") + ": " + size)
		p.line("head " + r.Head)
	} else {
		p.line(p.text(red, "changed") + ": " + plural(len(r.Findings), "finding") + "; " + size)
	}
	return p.flush(a.out)
}
