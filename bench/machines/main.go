//go:build ignore

// Command machines measures what several processes need that share a PostgreSQL, which it starts
// and stops itself, and prints what it has found as JSON, in nanoseconds:
//
//	machines start DIRECTORY NUMBER ASSENT   from an approval at a server to the start of the tool in a worker
//	machines cycles DIRECTORY NUMBER         approve, claim and finish, so often for each of 1 and 4, in turn with commits of one row
//	machines scale DIRECTORY NUMBER ASSENT WAITING CYCLES   what processes need while so many sessions have ended and some wait, and whole cycles
//
// It prints {} where PostgreSQL is not installed. It is built from the directory above this
// module, as the inbox is, and for the same reason.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/depot"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/session"
)

func main() {
	found, err := run(os.Args[1:])
	if errors.Is(err, errNotInstalled) {
		found, err = map[string]int64{}, nil
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "machines:", err)
		os.Exit(1)
	}
}

func run(args []string) (found map[string]int64, err error) {
	if len(args) < 3 {
		return nil, errors.New("usage: machines start|cycles|scale DIRECTORY NUMBER [ASSENT [WAITING CYCLES]]")
	}
	n, err := strconv.Atoi(args[2])
	if err != nil || n < 0 {
		return nil, errors.New("the number must not be below 0")
	}
	var settings []string
	if args[0] == "scale" {
		settings = []string{"shared_preload_libraries=pg_stat_statements", "max_connections=200"}
	}
	p, err := startPostgres(settings...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	switch {
	case args[0] == "cycles":
		return cycles(p.address, n)
	case args[0] == "start" && len(args) == 4:
		return start(p.address, args[1], args[3], n)
	case args[0] == "scale" && len(args) == 6:
		waiting, bad := strconv.Atoi(args[4])
		cycles, worse := strconv.Atoi(args[5])
		if err := errors.Join(bad, worse); err != nil {
			return nil, err
		}
		return scale(p, args[1], args[3], n, waiting, cycles)
	}
	return nil, fmt.Errorf("there is no measure %q", args)
}

// place is a project, and the tickets and sessions that all share.
type place struct {
	address, project string
	db               *database.DB
	tickets          *approval.Store
	sessions         *session.Store
}

// join opens the database as a machine of its own, whose copies lie below a directory.
func join(address, dir string) (*place, error) {
	ctx := context.Background()
	p := &place{address: address, project: filepath.Join(dir, "project")}
	if err := os.MkdirAll(p.project, 0o755); err != nil {
		return nil, err
	}
	var err error
	if p.db, err = database.Connect(ctx, address); err != nil {
		return nil, err
	}
	if p.tickets, err = approval.On(ctx, p.db); err != nil {
		return nil, err
	}
	if _, err := herald.New(ctx, herald.Config{Tickets: p.tickets}); err != nil { // the tables of the bells
		return nil, err
	}
	herald.Ring(p.tickets)
	kept, err := depot.On(ctx, p.db, "bench")
	if err != nil {
		return nil, err
	}
	p.sessions = session.NewStore(filepath.Join(dir, "sessions"))
	p.sessions.Depot = kept.Sessions(nil)
	return p, nil
}

func (p *place) close() { _ = p.db.Close() }

// until waits until something is so.
func until(so func() bool) error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if so() {
			return nil
		}
	}
	return errors.New("it takes too long")
}

func at(all []time.Duration, share float64) int64 {
	slices.Sort(all)
	return all[min(int(float64(len(all))*share), len(all)-1)].Nanoseconds()
}
