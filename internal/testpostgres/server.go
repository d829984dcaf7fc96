package testpostgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a PostgreSQL that is stopped with its test.
type Server struct {
	dir     string // of everything: the data, the socket, the log
	bin     string
	options []string
	// faketime is the library that sets its clock; empty for the clock of this machine.
	faketime string
	command  *exec.Cmd
	ended    chan struct{}
	made     atomic.Int64 // databases
}

// Quick is the option of a server that trusts the machine to stay up: what is acknowledged
// survives that the server is killed, and not that the machine is.
const Quick = "fsync=off"

// Start starts a server of the test's own, with options as NAME=VALUE.
func Start(tb testing.TB, options ...string) *Server {
	tb.Helper()
	return started(tb, "", options)
}

func started(tb testing.TB, faketime string, options []string) *Server {
	tb.Helper()
	s, err := start(faketime, options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.remove(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// Database makes an empty database and is its address.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprintf("test%d", s.made.Add(1))
	conn, err := pgx.Connect(tb.Context(), s.Address("postgres"))
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(tb.Context()))
	if _, err := conn.Exec(tb.Context(), "CREATE DATABASE "+name); err != nil {
		tb.Fatal(err)
	}
	return s.Address(name)
}

// Address is that of a database of the server.
func (s *Server) Address(name string) string {
	return (&url.URL{Scheme: "postgres", Path: "/" + name, RawQuery: url.Values{"host": {s.dir}, "user": {owner}}.Encode()}).String()
}

// Activity is what the connections of the server are at, for a test that waits in vain.
func (s *Server) Activity(tb testing.TB) string {
	tb.Helper()
	conn, err := pgx.Connect(tb.Context(), s.Address("postgres"))
	if err != nil {
		return err.Error()
	}
	defer conn.Close(context.WithoutCancel(tb.Context()))
	rows, _ := conn.Query(tb.Context(), `SELECT concat_ws(' | ', pid, state, wait_event_type, wait_event, now() - xact_start, 'waits for ' || nullif(pg_blocking_pids(pid), '{}')::text, query)
		FROM pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid() ORDER BY pid`) // CollectRows has the error
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err.Error()
	}
	return strings.Join(lines, "\n")
}

// owner is who made the data.
const owner = "assent"

// Kill ends the server at once, as a crash does.
func (s *Server) Kill(tb testing.TB) {
	tb.Helper()
	if err := s.stop(); err != nil {
		tb.Fatal(err)
	}
}

// Again starts a server that was killed.
func (s *Server) Again(tb testing.TB) {
	tb.Helper()
	if err := s.run(); err != nil {
		tb.Fatal(err)
	}
}

func start(faketime string, options []string) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg") // short: the name of a socket must be
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, bin: bin, faketime: faketime, options: options}
	if err := errors.Join(own(dir), s.initialise()); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := s.run(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

// binaries is where the programs of the newest PostgreSQL are.
func binaries() (string, error) {
	all, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // the pattern is right
	slices.Sort(all)
	if len(all) > 0 {
		return filepath.Dir(all[len(all)-1]), nil
	}
	path, err := exec.LookPath("postgres")
	if err != nil {
		return "", errors.New("PostgreSQL is not installed (scripts/setup installs it)")
	}
	return filepath.Dir(path), nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) initialise() error {
	command := exec.Command(filepath.Join(s.bin, "initdb"), "--no-sync", "--username="+owner, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", s.data())
	command.Dir = s.dir
	asServer(command)
	if text, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, text)
	}
	return nil
}

// run starts the server and waits until it answers.
func (s *Server) run() error {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"-D", s.data(), "-k", s.dir, "-c", "listen_addresses=", "-c", "max_connections=200"}
	for _, option := range s.options {
		args = append(args, "-c", option)
	}
	s.command = exec.Command(filepath.Join(s.bin, "postgres"), args...)
	s.command.Dir, s.command.Stdout, s.command.Stderr = s.dir, log, log
	s.command.Env = s.clockEnv()
	asServer(s.command)
	if err := s.command.Start(); err != nil {
		return err
	}
	s.ended = make(chan struct{})
	go func() {
		_ = s.command.Wait() // how it ended is in its log
		close(s.ended)
	}()
	return s.answers()
}

func (s *Server) answers() error {
	const patience = 30 * time.Second
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	for {
		conn, err := pgx.Connect(ctx, s.Address("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.ended:
			text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("PostgreSQL has ended:\n%s", text)
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop ends the server as a crash does. Its processes end by themselves when they notice.
func (s *Server) stop() error {
	select {
	case <-s.ended:
		return nil
	default:
	}
	if err := s.command.Process.Signal(immediate); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.ended
	return nil
}

func (s *Server) remove() error {
	return errors.Join(s.stop(), os.RemoveAll(s.dir))
}

// Log is what the server has written about itself.
func (s *Server) Log() string {
	text, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}
