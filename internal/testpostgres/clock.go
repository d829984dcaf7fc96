package testpostgres

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// StartStepping starts a server whose clock a test sets with [Server.Step]: the whole process, with
// all that PostgreSQL derives from the time, believes it.
func StartStepping(tb testing.TB, options ...string) *Server {
	tb.Helper()
	found, _ := filepath.Glob("/usr/lib/*/faketime/libfaketimeMT.so.1") // the pattern is right
	if len(found) == 0 {
		tb.Fatal("libfaketime is not installed (scripts/setup installs it)")
	}
	return started(tb, found[0], options)
}

// Step sets the clock of a server of [StartStepping] to the time of this machine plus ahead.
func (s *Server) Step(tb testing.TB, ahead time.Duration) {
	tb.Helper()
	next := s.clock() + ".next" // the server must never read half of it
	if err := os.WriteFile(next, fmt.Appendf(nil, "%+d\n", int64(ahead.Seconds())), 0o644); err != nil {
		tb.Fatal(err)
	}
	if err := os.Rename(next, s.clock()); err != nil {
		tb.Fatal(err)
	}
}

func (s *Server) clock() string { return filepath.Join(s.dir, "clock") }

// clockEnv is the environment of the server; nil is that of the test.
func (s *Server) clockEnv() []string {
	if s.faketime == "" {
		return nil
	}
	return append(os.Environ(), "LD_PRELOAD="+s.faketime, "FAKETIME_TIMESTAMP_FILE="+s.clock(), "FAKETIME_NO_CACHE=1", "FAKETIME_DONT_FAKE_MONOTONIC=1")
}
