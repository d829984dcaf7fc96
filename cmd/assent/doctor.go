package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
)

const doctorHelp = `Look whether a server is set up well: the state directory, the database and its clock, the token, the
certificate, people, notifications, workers. Nothing is changed. Run it as the user that runs the server, with the
same flags.

  assent doctor
  assent doctor --database postgres://assent@db.example.com/assent --worker gpu,image=ci:7 --worker linux
  assent doctor --token-file ~/.assent/token --tls-cert cert.pem --json

--worker has the labels of one worker, and is given once for each; --worker '' is one without labels. The exit status
is 1 when something is broken. Warnings alone leave it at 0.`

type doctorFlags struct {
	tokenFile, cert string
	workers         []string
	asJSON          bool
}

func newDoctor(a *app) *cobra.Command {
	d := &doctor{counter: counter{app: a}, now: time.Now}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look whether a server is set up well",
		Long:  doctorHelp,
		Args:  atMost(0, "doctor takes none"),
		RunE:  func(cmd *cobra.Command, _ []string) error { return d.examine(cmd.Context()) },
	}
	d.bind(cmd)
	flags := cmd.Flags()
	flags.Var((*something)(&d.given.tokenFile), "token-file", "the file with the token of the server")
	flags.Var((*something)(&d.given.cert), "tls-cert", "the certificate of the server, as PEM")
	flags.StringArrayVar(&d.given.workers, "worker", nil, "with --database: the labels of a worker, as a list (repeatable)")
	flags.BoolVar(&d.given.asJSON, "json", false, "print it as JSON")
	must(cmd.MarkFlagFilename("token-file"))
	must(cmd.MarkFlagFilename("tls-cert", "pem", "crt"))
	return cmd
}

// finding is how something stands.
type finding string

const (
	fine    finding = "ok"
	worth   finding = "warning" // it works, and somebody should know
	broken  finding = "broken"
	unasked finding = "skipped"
)

// diagnosis is what one check has found.
type diagnosis struct {
	Check   string  `json:"check"`
	Finding finding `json:"finding"`
	Said    string  `json:"said"`
	// Hint is what a person can do about it.
	Hint string `json:"hint,omitempty"`
}

// doctor looks at the set-up of a server.
type doctor struct {
	counter
	given doctorFlags
	now   func() time.Time
	found []diagnosis
}

func (d *doctor) note(check string, f finding, said, hint string) {
	d.found = append(d.found, diagnosis{check, f, said, hint})
}

// examine makes all checks, and says what they have found.
func (d *doctor) examine(ctx context.Context) (err error) {
	if d.dir, err = stateDirectory(d.state); err != nil {
		return err
	}
	d.checkDirectory()
	d.checkUser()
	d.checkToken()
	d.checkCertificate()
	if s := d.checkSettings(); s != nil {
		d.checkNotifications(s)
	}
	d.checkDatabase(ctx)
	if err := d.print(); err != nil {
		return err
	}
	for _, one := range d.found {
		if one.Finding == broken {
			return errNo
		}
	}
	return nil
}

func (d *doctor) print() error {
	if d.given.asJSON {
		return d.printJSON(struct {
			Checks []diagnosis `json:"checks"`
		}{d.found})
	}
	for _, one := range d.found {
		text := policy.Visible(one.Said)
		if one.Hint != "" {
			text += " (" + policy.Visible(one.Hint) + ")"
		}
		if _, err := fmt.Fprintf(d.out, "%-8s %-14s %s\n", one.Finding, one.Check, text); err != nil {
			return err
		}
	}
	return nil
}
