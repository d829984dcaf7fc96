package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/crew"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/internal/heap"
	"github.com/assent-dev/assent/session"
)

const workerHelp = `Let sessions go on here as soon as somebody has answered, as assent serve does, on any number of
machines that share a database. Nothing listens: people answer at a server, or with assent approve.

  assent worker --database postgres://assent@db.example.com/assent
  assent worker --labels gpu,image=ci:7 --dir /srv/builds -- --model opus

A worker takes a session if it has all labels that the session was begun with (assent -p --labels …), if the
directory of the session exists here, and lies below a --dir where some are named. The others are left to
other workers. Whoever is first gets it.

The address of the database has a password in it: put it into ASSENT_DATABASE rather than on the command line.
Model keys come from the environment of this process; flags of the agent come after --.

The first ^C, or SIGTERM, drains it: what has begun comes to its end or waits again, and nothing new is begun.
After --drain, and at most ten seconds more, it ends what is left, which another worker goes on with. A second ^C
ends it at once; a call that was running then is shown as unknown, and is never run twice.`

type workerFlags struct {
	dirs    []string
	most    int
	drain   time.Duration
	verbose bool
	metrics string
	log     logFormat
	unused  unusedFor
}

func newWorker(a *app) *cobra.Command {
	d := &counter{app: a}
	f := workerFlags{most: 4, drain: 10 * time.Minute}
	cmd := &cobra.Command{
		Use:   "worker [flags] [-- AGENT FLAGS]",
		Short: "Let sessions go on here that lie in a database",
		Long:  workerHelp,
		Args:  onlyAgentFlags,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !d.shared() {
				return usage(cmd, "name the database that machines share with --database or "+databaseVariable+" (on one machine `assent serve` lets sessions go on by itself)")
			}
			if f.drain < 0 {
				return usage(cmd, "--drain: want no time below zero, as in 10m (0s ends at once what has begun)")
			}
			agent, err := readAgentFlags(args)
			if err != nil {
				return fmt.Errorf("after --: %w", err)
			}
			return d.work(cmd.Context(), &f, agent)
		},
	}
	d.bind(cmd)
	flags := cmd.Flags()
	flags.Var((*labels)(&d.labels), "labels", "what this machine has, as a list: gpu,image=ci:7")
	flags.StringArrayVar(&f.dirs, "dir", nil, "take only sessions whose directory is this one or below it (repeatable)")
	flags.Var((*count)(&f.most), "workers", "how many sessions go on at once")
	flags.DurationVar(&f.drain, "drain", f.drain, "how long what has begun may take after the first ^C")
	flags.BoolVar(&f.verbose, "verbose", false, "log more")
	flags.Var(&f.log, "log-format", logFormatUsage)
	flags.Var((*something)(&f.metrics), "metrics", metricsUsage)
	flags.Var(&f.unused, "prune-after", pruneAfterUsage)
	cmd.SetFlagErrorFunc(agentFlagError)
	must(cmd.MarkFlagDirname("dir"))
	return cmd
}

// work lets sessions go on until somebody ends it.
func (d *counter) work(ctx context.Context, f *workerFlags, agent *agentFlags) (err error) {
	heap.Roomy()
	if d.dir, err = stateDirectory(d.state); err != nil {
		return err
	}
	for i, dir := range f.dirs {
		if f.dirs[i], err = realDirectory(dir); err != nil {
			return fmt.Errorf("--dir: %w", err)
		}
	}
	office, err := d.openOffice(ctx)
	if err != nil {
		return err
	}
	defer office.close()
	log := serverLog(d.err, f.log, f.verbose)
	office.joined.warnBy(func(text string) { log.Warn(text) })
	figures, err := meter(ctx, f.metrics, office.tickets, log)
	if err != nil {
		return err
	}
	defer figures.close()
	r, err := newResumer(agent, d.dir, office, log)
	if err != nil {
		return err
	}
	c := crew.New(crew.Config{
		Dir: d.dir, Tickets: office.tickets, Sessions: office.sessions, Most: f.most, Serves: office.serves(d.labels, f.dirs),
		Resume: func(ctx context.Context, id string) error {
			err := figures.run(ctx, func() error { return r.resume(ctx, id, nil) })
			tellQuietEnd(log, id, err)
			return err
		},
		Ask: func(ctx context.Context, errand func(*clerk.Clerk) error) error {
			return d.asking(ctx, office, errand)
		},
		Interrupted: figures.interrupted,
		Tell:        func(session, state string) { log.Info("a session", "session", session, "state", state) },
		Warn: func(what, session string, err error) {
			log.Warn(what, "session", session, "err", inbox.Masked(err.Error()))
		},
	})
	bells, err := herald.New(ctx, herald.Config{Tickets: office.tickets, TakeUp: c.TakeUp, Log: log})
	if err != nil {
		return err
	}
	last, err := office.tickets.Latest(ctx) // before it is ready: a database that goes away later ends no worker
	if err != nil {
		return err
	}
	log.Info("the worker is ready", "database", office.joined.db.Name(), "labels", strings.Join(d.labels, ","), "workers", f.most)
	follow := func(ctx context.Context) error { return followAlways(ctx, office.tickets, last, c.Hear, log) }
	old := d.retention(f.unused, office, log)
	if err := drained(ctx, c, []func(context.Context) error{follow, bells.Work, old.run}, f.drain, log); err != nil {
		return err
	}
	log.Info("the worker has drained, and goes")
	return nil
}

// tellQuietEnd says why a session does not go on here of which nothing else is told: it is somebody's
// already, or is gone. It may be this process's own from a run before, which the database could not be
// told has ended.
func tellQuietEnd(log *slog.Logger, id string, err error) {
	held, isHeld := errors.AsType[*session.InUse](err)
	switch {
	case isHeld && held.Who == thisProcess():
		log.Debug("the session could not be given back, and is free in a few seconds", "session", id)
	case isHeld:
		log.Debug("somebody else was faster", "session", id, "holder", held.Who)
	case errors.Is(err, session.ErrUnknown):
		log.Info("a session does not go on, because it is not there any more", "session", id)
	}
}

// asking lets a clerk run an errand.
func (d *counter) asking(ctx context.Context, o *office, errand func(*clerk.Clerk) error) error {
	c, err := clerk.Among(ctx, d.dir, o.sessions, o.tickets)
	if err != nil {
		return err
	}
	defer c.Close()
	c.Checker = d.quietRules
	return errand(c)
}

// retention removes old sessions of a process that serves people or lets sessions go on.
func (d *counter) retention(unused unusedFor, o *office, log *slog.Logger) *retention {
	return &retention{unused: time.Duration(unused), most: pruneBatch, office: o, log: log, asking: func(ctx context.Context, errand func(*clerk.Clerk) error) error {
		return d.asking(ctx, o, errand)
	}}
}

// drained lets a crew work until a signal comes, and then until it has ended what it has
// begun; beside it others work. The second signal ends the process at once.
func drained(ctx context.Context, c *crew.Crew, beside []func(context.Context) error, patience time.Duration, log *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals, over := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, endings()...)
	defer signal.Stop(signals)
	defer close(over)
	go func() {
		select {
		case <-signals:
		case <-over:
			return
		}
		log.Info("the worker drains: what has begun comes to its end, and nothing new is begun", "sessions", len(c.AtWork()), "at_most", patience.String())
		c.Drain()
		go dieOfNext(signals, over)
		select {
		case <-time.After(patience):
			log.Warn("the worker ends what has not come to its end, and leaves it to others", "sessions", strings.Join(c.AtWork(), " "))
			cancel()
		case <-over:
		}
	}()
	heard := make(chan error, 1)
	go func() { heard <- together(ctx, beside...) }()
	err := c.Work(ctx)
	cancel()
	return errors.Join(err, <-heard)
}

// serves says which sessions can go on here: those that ask for nothing that this machine
// does not have, and whose directory is here.
func (o *office) serves(have, dirs []string) func(context.Context, string) (bool, error) {
	if o.joined == nil {
		return nil
	}
	return func(ctx context.Context, id string) (bool, error) {
		info, err := o.joined.depot.Find(ctx, id)
		if _, unknown := errors.AsType[*depot.Unknown](err); unknown { // it was removed, and its calls were not
			return false, nil
		}
		if err != nil {
			return false, err
		}
		for _, wanted := range info.Labels {
			if !slices.Contains(have, wanted) {
				return false, nil
			}
		}
		real, err := realDirectory(info.Cwd)
		if err != nil { // it is elsewhere
			return false, nil
		}
		return len(dirs) == 0 || slices.ContainsFunc(dirs, func(dir string) bool { return within(dir, real) }), nil
	}
}

// realDirectory is a directory with all links followed.
func realDirectory(dir string) (string, error) {
	path, err := absolute(dir)
	if err != nil {
		return "", err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a directory", path)
	}
	return path, err
}

// within: a path is a directory or below it.
func within(dir, path string) bool {
	rest, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rest)
}
