package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/internal/heap"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

const serveHelp = `Serve the inbox: the page on which people answer the calls that wait, its API, and the workers that let
a session go on as soon as somebody has answered. Nothing else has to be installed.

  assent serve                              prints a link; open it
  assent serve -- --model opus              flags of the agent, for the sessions that go on here
  assent serve --no-resume                  only answer; sessions go on with assent -p --resume ID

The link has a token in it, which is made anew each time and kept in memory only. Whoever has the link can
answer, so hand it on as you would a key. --token-file FILE takes a token of yours instead (32 characters
or more, and only you may read the file). Where there are people (assent people add) each of them signs in
with a name and a password instead, and the link is only an address. With --oidc FILE they sign in by another
server that knows them (OpenID Connect, see docs/oidc.md).

It listens on this machine only, on port 8722 or the next free one. For others:

  assent serve --listen inbox.example.com:8722 --tls-cert cert.pem --tls-key key.pem

People elsewhere are told of calls that wait if your settings say whom (assent.notifications, see
docs/notifications.md). With --public-url https://inbox.example.com their messages have a link to the call.

A session goes on in its own directory and permission mode, under the settings of that directory. The model is that
of --model after --, else the one that the session began with, else that of the environment. Model keys
come from the environment of this process. One server serves a state directory; a second one is refused.
^C ends it: runs get 10 seconds to come to an end, and what is left is done by the next server. A second
^C ends it at once.`

type serveFlags struct {
	listen, tokenFile string
	public, oidc      string
	cert, key         string
	hosts             []string
	insecure          bool
	noResume          bool
	verbose           bool
	workers           int
	undo              time.Duration
	metrics           string
	log               logFormat
	unused            unusedFor
}

func newServe(a *app) *cobra.Command {
	d := &counter{app: a}
	f := serveFlags{workers: 4, undo: inbox.UndoTime}
	cmd := &cobra.Command{
		Use:   "serve [flags] [-- AGENT FLAGS]",
		Short: "Serve the inbox: the page, its API, and the workers that let sessions go on",
		Long:  serveHelp,
		Args:  onlyAgentFlags,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			if len(d.labels) > 0 && !d.shared() {
				return usage(cmd, "--labels are for sessions in a database, and there is none (name it with --database or "+databaseVariable+", or leave the labels out)")
			}
			agent, err := readAgentFlags(args)
			if err != nil {
				return fmt.Errorf("after --: %w", err)
			}
			return d.host(cmd.Context(), &f, agent)
		},
	}
	d.bind(cmd)
	flags := cmd.Flags()
	flags.Var((*something)(&f.listen), "listen", "the address to listen on, as HOST:PORT (default: 127.0.0.1, from port 8722)")
	flags.BoolVar(&f.noResume, "no-resume", false, "do not let sessions go on here")
	flags.Var((*count)(&f.workers), "workers", "how many sessions go on at once")
	flags.DurationVar(&f.undo, "undo", f.undo, "how long an answer of the page can be taken back; 0 means not at all")
	flags.Var((*something)(&f.tokenFile), "token-file", "a file with the token, which only you may read")
	flags.Var((*something)(&f.cert), "tls-cert", "the certificate, as PEM")
	flags.Var((*something)(&f.key), "tls-key", "its key, as PEM")
	flags.StringArrayVar(&f.hosts, "host", nil, "a further name of this server, as HOST:PORT (repeatable)")
	flags.Var((*something)(&f.public), "public-url", "where people reach this server, for the links in messages: https://HOST")
	flags.Var((*something)(&f.oidc), "oidc", oidcUsage)
	flags.BoolVar(&f.insecure, "insecure-no-tls", false, "without TLS beyond this machine: others on the way can read the token")
	flags.BoolVar(&f.verbose, "verbose", false, "log more")
	flags.Var(&f.log, "log-format", logFormatUsage)
	flags.Var((*something)(&f.metrics), "metrics", metricsUsage)
	flags.Var(&f.unused, "prune-after", pruneAfterUsage)
	flags.Var((*labels)(&d.labels), "labels", "with --database: what this machine has, as a list: gpu,image=ci:7")
	cmd.SetFlagErrorFunc(agentFlagError)
	must(cmd.MarkFlagFilename("token-file"))
	must(cmd.MarkFlagFilename("oidc", "json"))
	must(cmd.MarkFlagFilename("tls-cert", "pem", "crt"))
	must(cmd.MarkFlagFilename("tls-key", "pem", "key"))
	return cmd
}

// longestUndo is how long the calls of all agents may be kept waiting after their answers.
const longestUndo = 5 * time.Minute

// onlyAgentFlags refuses arguments of a command that lets sessions go on, but the flags of
// the agent.
func onlyAgentFlags(cmd *cobra.Command, args []string) error {
	if n := cmd.ArgsLenAtDash(); n > 0 || n < 0 && len(args) > 0 {
		return usage(cmd, fmt.Sprintf("it takes no arguments, and %q is one (flags of the agent come after --)", args[0]))
	}
	return nil
}

// agentFlagError says where flags of the agent belong.
func agentFlagError(cmd *cobra.Command, err error) error {
	hint := ""
	if strings.HasPrefix(err.Error(), "unknown ") {
		hint = fmt.Sprintf(" (flags of the agent come after --, as in `%s -- --model NAME`)", cmd.CommandPath())
	}
	return usage(cmd, err.Error()+hint)
}

// serverLog is what a process that serves others says about itself.
func serverLog(to io.Writer, format logFormat, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(format.handler(to, &slog.HandlerOptions{Level: level}))
}

func (f *serveFlags) check(cmd *cobra.Command) error {
	if (f.cert == "") != (f.key == "") {
		return usage(cmd, "--tls-cert and --tls-key belong together")
	}
	if f.cert != "" && f.insecure {
		return usage(cmd, "--insecure-no-tls says that there is no TLS, and --tls-cert that there is")
	}
	if f.undo < 0 || f.undo > longestUndo {
		return usage(cmd, fmt.Sprintf("--undo %v: want a time from 0s to %v", f.undo, longestUndo))
	}
	for _, name := range f.hosts {
		if !isHost(name) {
			return usage(cmd, fmt.Sprintf("--host: want a name of this server, as in inbox.example.com:%d, and not %q", firstPort, name))
		}
	}
	return nil
}

// host serves a state directory until somebody ends it.
func (d *counter) host(ctx context.Context, f *serveFlags, agent *agentFlags) (err error) {
	heap.Roomy()
	if d.dir, err = stateDirectory(d.state); err != nil {
		return err
	}
	token, err := f.token()
	if err != nil {
		return err
	}
	public, err := readPublic(f.public)
	if err != nil {
		return err
	}
	other, err := readOIDC(f.oidc, public)
	if err != nil {
		return err
	}
	own := filepath.Join(d.dir, "inbox")
	if err := durable.MakeDir(own, 0o700); err != nil {
		return fmt.Errorf("the state directory cannot be used: %w", err)
	}
	plate, err := occupy(own)
	if err != nil {
		return err
	}
	defer plate.leave()
	office, err := d.openOffice(ctx)
	if err != nil {
		return err
	}
	defer office.close()
	door, err := f.open()
	if err != nil {
		return err
	}
	defer door.close()
	if public != nil {
		door.names = append(door.names, strings.ToLower(public.Host))
	}
	c := inbox.Config{
		Dir: d.dir, Tickets: office.tickets, Sessions: office.sessions, Checker: d.quietRules, Token: token, Hosts: door.names,
		Who: whoami(), Version: thisBuild().Version, Log: serverLog(d.err, f.log, f.verbose), Serves: office.serves(d.labels, nil), Page: inbox.Page(), Undo: cmp.Or(f.undo, -1), // which is not at all
	}
	if door.taken != "" {
		c.Log.Warn("somebody else listens at the other address of localhost, so this server does not answer to that name", "address", door.taken)
	}
	office.joined.warnBy(func(text string) { c.Log.Warn(text) })
	h := &host{app: d.app, config: c, door: door, hidden: f.tokenFile != "", old: d.retention(f.unused, office, c.Log)}
	if err := h.meetPeople(ctx); err != nil {
		return err
	}
	if err := h.meetOIDC(ctx, other, public); err != nil {
		return err
	}
	if h.telling, err = d.telling(public, c.Log); err != nil {
		return err
	}
	if h.figures, err = meter(ctx, f.metrics, office.tickets, c.Log); err != nil {
		return err
	}
	defer h.figures.close()
	h.config.MadeRoom = h.figures.madeRoom
	if !f.noResume {
		r, err := newResumer(agent, d.dir, office, c.Log)
		if err != nil {
			return err
		}
		h.workers = f.workers
		h.config.Resume = func(ctx context.Context, id string, rules []permission.Update) error {
			return h.figures.run(ctx, func() error { return r.resume(ctx, id, rules) })
		}
		h.config.Interrupted = h.figures.interrupted
		h.resumer = r
	}
	if err := plate.write(door.address(), !f.noResume); err != nil {
		return err
	}
	return h.run(ctx)
}

// quietRules are the rules in a directory, for a server: what settings have to say is said
// where somebody asks about them.
func (d *counter) quietRules(cwd string) (*policy.Checker, error) {
	checker, err := d.rulesIn(cwd)
	if err == nil {
		checker.Notice, checker.Settings.StateDir = nil, d.dir
	}
	return checker, err
}

// occupied is the lock of a state directory, and what it says about who has it.
type occupied struct {
	path   string
	unlock func()
}

// occupy makes a state directory this server's own.
func occupy(dir string) (*occupied, error) {
	o := &occupied{path: filepath.Join(dir, plateName)}
	var err error
	if o.unlock, err = durable.Lock(filepath.Join(dir, lockFile), "the inbox", lockPatience); err == nil {
		return o, nil
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	who, known := readPlate(o.path)
	if !known {
		return nil, fmt.Errorf("another server serves this state directory already (%s); end it first, or name another directory with --state", filepath.Dir(dir))
	}
	return nil, fmt.Errorf("another server serves this state directory already: process %d on %s, at %s (use that one, end it first, or name another directory with --state)", who.PID, who.Host, who.Address)
}

// leave gives it back.
func (o *occupied) leave() {
	_ = os.Remove(o.path)
	o.unlock()
}
