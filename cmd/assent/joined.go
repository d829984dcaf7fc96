package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/desk"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

// joining is where sessions and tickets are: in the state directory, or in a database.
type joining struct {
	given  string // --database
	labels []string
}

func (j *joining) bind(flags *pflag.FlagSet) {
	flags.Var((*something)(&j.given), "database", "the PostgreSQL that several machines share, as postgres://USER@HOST/NAME (default: $"+databaseVariable+")")
}

// bindLabels is for commands that begin sessions.
func (j *joining) bindLabels(flags *pflag.FlagSet) {
	flags.Var((*labels)(&j.labels), "labels", "what a machine must have to go on with the session, as a list: gpu,image=ci:7")
}

// address is that of the database; empty where everything is in the state directory.
func (j *joining) address() string {
	if j.given != "" {
		return j.given
	}
	return databaseGiven
}

// shared: several machines share the sessions and tickets.
func (j *joining) shared() bool { return j.address() != "" }

// joined is the sessions and tickets in a database.
type joined struct {
	db       *database.DB
	depot    *depot.Depot
	tickets  *approval.Store
	sessions *session.Store
	warn     func(text string)
}

// join opens the database. Copies of sessions are in the state directory.
func (j *joining) join(ctx context.Context, dir string) (_ *joined, err error) {
	db, err := database.Connect(ctx, j.address())
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = db.Close()
		}
	}()
	s := &joined{db: db, warn: func(string) {}}
	if s.tickets, err = approval.On(ctx, db); err != nil {
		return nil, err
	}
	prepare(s.tickets)
	s.tickets.Heed(dir, func(text string) { s.warn(text) })
	if s.depot, err = depot.On(ctx, db, thisProcess()); err != nil {
		return nil, err
	}
	s.sessions = session.NewStore(filepath.Join(dir, "sessions"))
	s.sessions.Depot = s.depot.Sessions(j.labels)
	s.depot.Comes = func(ctx context.Context, id string) error {
		return clerk.BringNoes(ctx, s.sessions, s.tickets, id)
	}
	return s, nil
}

// openDesk is where the calls of a session lie that wait, and whose sessions it is one of.
func (f *agentFlags) openDesk(ctx context.Context, o *launch.Options) (_ *desk.Desk, leave func(), err error) {
	dir := launch.StateDir(o.Settings)
	if !f.joining.shared() {
		d := desk.New(dir)
		d.Opened = herald.Ring
		return d, d.Close, nil
	}
	s, err := f.joining.join(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	o.Depot = s.sessions.Depot
	d := desk.Over(dir, s.tickets)
	d.Depot = s.sessions.Depot
	s.warnBy(func(text string) { d.Warn(text) }) // which is set until then
	return d, s.close, nil
}

// warnBy has people told what became of an answer from before a session came into the database, and
// when the database has less of a session than its copy here had: only they know whether it was
// restored, and what to do with the rest.
func (s *joined) warnBy(warn func(text string)) {
	if s == nil { // everything is in the state directory
		return
	}
	s.warn = warn
	s.depot.Lost = func(id, path string) {
		warn(fmt.Sprintf("the database does not have all that was here of session %s, and what it has counts; all that was here is kept in %s (was the database restored? docs/operations.md says under Restoring how to read the file)", id, path))
	}
}

// close closes the database. What was acknowledged is there.
func (s *joined) close() {
	_ = s.tickets.Close()
	_ = s.db.Close()
}

// thisProcess says to people who works on a session.
func thisProcess() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}

// labels is a flag whose value is a list of labels.
type labels []string

// label is what one can be.
var label = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@=+-]{0,127}$`)

func (l *labels) String() string { return strings.Join(*l, ",") }

// Type is what help calls it.
func (l *labels) Type() string { return "LABELS" }

// Set takes one value of the flag, which may be given several times.
func (l *labels) Set(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		if !label.MatchString(one) {
			return fmt.Errorf("%q is no label (letters, digits and . _ : / @ = + - are allowed, as in gpu,image=ci:7)", one)
		}
		*l = append(*l, one)
	}
	return nil
}
