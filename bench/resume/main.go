// Command resume makes a long session, and measures how it is taken up again:
//
//	resume make HOME PROJECT ID RECORDS     write the session
//	resume measure HOME PROJECT ID ROUNDS   print medians, in nanoseconds
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/settings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "resume:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 5 {
		return errors.New("usage: resume make|measure HOME PROJECT ID NUMBER")
	}
	n, err := strconv.Atoi(args[4])
	if err != nil || n < 1 {
		return errors.New("the number must be above 0")
	}
	home, project, id := args[1], args[2], args[3]
	store := filepath.Join(home, ".assent", "sessions")
	switch args[0] {
	case "make":
		return makeSession(store, id, project, n)
	case "measure":
		return measure(home, project, id, n)
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// figures are those of one round, and then their medians, in nanoseconds and bytes.
type figures struct {
	// Sum: the file is read and its SHA-256 taken. Verify: the session is taken up. Both are
	// work and no waiting, so each is the time by the clock or that of the processor,
	// whichever is less: the one counts what else the machine does, the other what the
	// collector does beside.
	Sum, Verify int64
	// Rest is from then on until a model on loopback has the first request, by the clock.
	Rest int64
	// Bytes is the size of the transcript, Request that of the request.
	Bytes, Request int64
}

func measure(home, project, id string, rounds int) error {
	store := filepath.Join(home, ".assent", "sessions")
	api, err := listen()
	if err != nil {
		return err
	}
	defer api.close()
	var all []figures
	for range 1 + rounds {
		var f figures
		if f.Bytes, f.Sum, err = sum(filepath.Join(store, id, "transcript.jsonl")); err != nil {
			return err
		}
		verified, err := verify(store, id)
		if err != nil {
			return err
		}
		whole, err := ask(home, project, id, api)
		if err != nil {
			return err
		}
		f.Verify, f.Rest, f.Request = verified.alone(), int64(whole-verified.clock), api.size
		all = append(all, f)
	}
	return json.NewEncoder(os.Stdout).Encode(medians(all[1:])) // the first one fills the caches
}

func medians(all []figures) figures {
	median := func(of func(figures) int64) int64 {
		slices.SortFunc(all, func(a, b figures) int { return int(of(a) - of(b)) })
		return of(all[len(all)/2])
	}
	return figures{
		Sum: median(func(f figures) int64 { return f.Sum }), Verify: median(func(f figures) int64 { return f.Verify }),
		Rest: median(func(f figures) int64 { return f.Rest }), Bytes: all[0].Bytes, Request: all[0].Request,
	}
}

// sum reads a file as one does who only wants its sum.
func sum(path string) (size, took int64, err error) {
	watch := start()
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.CopyBuffer(h, struct{ io.Reader }{f}, make([]byte, 64<<10))
	h.Sum(nil)
	return size, watch.stop().alone(), err
}

// verify takes the session up and gives it back.
func verify(store, id string) (elapsed, error) {
	watch := start()
	t, err := session.NewStore(store).Resume(id)
	took := watch.stop()
	if err != nil {
		return elapsed{}, err
	}
	return took, t.Close()
}

// ask goes on with the session as `assent -p --resume` does, and says when the model had
// the request.
func ask(home, project, id string, api *api) (time.Duration, error) {
	api.watch = start()
	s, err := launch.Open(launch.Options{
		Settings: settings.Options{Home: home, Dir: project}, Resume: id, Env: api.env,
	})
	if err != nil {
		return 0, err
	}
	s.Agent.Start(context.Background(), s.Source)
	result := s.Agent.Prompt(context.Background(), agent.TextPrompt("Go on."))
	if err := s.Close(context.Background()); err != nil {
		return 0, err
	}
	if result.IsError || !api.complete {
		return 0, fmt.Errorf("the session did not go on where it was: %+v", result)
	}
	return api.took, nil
}

// stopwatch measures one thing.
type stopwatch struct {
	began time.Time
	spent time.Duration
}

func start() stopwatch {
	runtime.GC() // what others have left is not this one's
	return stopwatch{time.Now(), cpuTime()}
}

func (s stopwatch) stop() elapsed { return elapsed{time.Since(s.began), cpuTime() - s.spent} }

// elapsed is how long something took, and how long all processors worked meanwhile; 0 when
// that is not known.
type elapsed struct{ clock, cpu time.Duration }

func (e elapsed) alone() int64 {
	if e.cpu > 0 {
		return min(e.clock, e.cpu).Nanoseconds()
	}
	return e.clock.Nanoseconds()
}
