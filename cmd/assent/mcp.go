package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/cmd/internal/hookcmd"
	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/guard"
	"github.com/assent-dev/assent/settings"
)

const mcpHelp = `Answer the permission questions of Claude Code from the inbox. It is an MCP server on standard input
and output with one tool, approve, which Claude Code asks instead of a person:

  claude -p 'deploy it' --permission-prompt-tool mcp__assent__approve \
    --mcp-config '{"mcpServers": {"assent": {"command": "assent", "args": ["mcp"]}}}'

The rules are asked first: what they deny is denied and what they allow is allowed. Everything else
waits in the inbox (` + "`assent serve`, `assent inbox`, `assent sessions list`" + `) until somebody answers, and the
client is told now and then that it still does. A client that stops waiting leaves the call in the
inbox; if it asks again in the same session it gets the answer. With --database calls wait in the
inbox that several machines share, when no server answers here.

The rules are those of the directory in which the server is started, which is that of the client.`

type mcpFlags struct {
	wait                       time.Duration
	session, project, settings string
	trust                      bool
	database                   string // its address; empty where there is none
}

func newMCP(a *app) *cobra.Command {
	d := &counter{app: a}
	var f mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Answer the questions of Claude Code from the inbox, as an MCP server",
		Long:  mcpHelp,
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.wait < 0 {
				return usage(cmd, "--wait must not be negative (0 waits for as long as the client does)")
			}
			f.database = d.address()
			p, err := newPrompter(f, d.state)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), endings()...)
			defer stop()
			return p.serve(ctx, a.in, a.out)
		},
	}
	d.bind(cmd)
	cmd.Flags().DurationVar(&f.wait, "wait", 0, "how long a call waits for an answer; 0 means as long as the client does")
	cmd.Flags().Var((*something)(&f.session), "session", "the name of the client's session (default: $CLAUDE_CODE_SESSION_ID, or one of this process)")
	cmd.Flags().Var((*something)(&f.project), "project", "the project whose settings hold (default: $CLAUDE_PROJECT_DIR, or that of the current directory)")
	cmd.Flags().Var((*something)(&f.settings), "settings", "further settings: a file, or JSON")
	cmd.Flags().BoolVar(&f.trust, "trust-workspace", false, "let the workspace grant what its settings say")
	must(cmd.MarkFlagDirname("project"))
	must(cmd.MarkFlagFilename("settings", "json"))
	return cmd
}

// prompter answers the questions of one client.
type prompter struct {
	options guard.Options
	at      hookcmd.Place
	session string
	wait    time.Duration
	// interval is how often a client is told that its question waits.
	interval time.Duration
}

// always is as long as a client may wait.
const always = 365 * 24 * time.Hour

func newPrompter(f mcpFlags, state string) (*prompter, error) {
	dir, err := stateDirectory(state)
	if err != nil {
		return nil, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil, errNoCwd
	}
	p := &prompter{at: hookcmd.Place{Dir: dir, Database: f.database}, session: f.session, wait: f.wait, interval: 5 * time.Second}
	if p.session != "" && !dialect.IsSession(p.session) {
		return nil, fmt.Errorf("--session %q is no name under which calls can be held: letters, digits and signs without blanks are", p.session)
	}
	if p.session == "" {
		p.session = os.Getenv("CLAUDE_CODE_SESSION_ID")
	}
	if !dialect.IsSession(p.session) { // a call of it would be denied without a question
		p.session = "mcp-" + rand.Text()
	}
	if p.wait == 0 {
		p.wait = always
	}
	p.options = guard.Options{
		Agent: dialect.Claude, Cwd: cwd, Links: osLinks{}, Project: os.Getenv("CLAUDE_PROJECT_DIR"), HoldFor: p.wait,
		Settings: settings.Options{Home: os.Getenv("HOME"), ConfigDir: os.Getenv(settings.ConfigDirVariable), LoginShell: os.Getenv("SHELL"), StateDir: dir, Flag: f.settings, TrustWorkspace: f.trust},
		Record: func(r audit.Record) error {
			log := audit.Open(filepath.Join(dir, "audit"))
			defer log.Close()
			return log.Append(r)
		},
	}
	if f.project != "" {
		p.options.Settings.Dir, err = absolute(f.project)
	}
	return p, err
}

// closable is a stream that ends with the process.
type closable struct {
	io.Reader
	io.Writer
}

func (closable) Close() error { return nil }

// ended: the client has gone, or somebody has ended the server.
func ended(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, context.Canceled)
}
