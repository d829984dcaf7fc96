// Command many opens sessions in one process until each of them waits for an answer, and
// prints how much memory the first one and all of them need: many DIRECTORY NUMBER
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// script is what each model does: it reads a file, and wants to run something that
// nobody has allowed.
const script = `turns:
  - say: I look at it first.
    calls:
      - Read: {file_path: notes.txt}
  - say: Now I run it.
    calls:
      - Bash: {command: make all, description: Build it}
afterwards: Done.
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "many:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: many DIRECTORY NUMBER")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 2 {
		return errors.New("the number must be above 1")
	}
	w, err := newWorld(args[0])
	if err != nil {
		return err
	}
	if err := w.open(1); err != nil {
		return err
	}
	first, err := memory()
	if err != nil {
		return err
	}
	if err := w.open(n - 1); err != nil {
		return err
	}
	all, err := memory()
	if err != nil {
		return err
	}
	if err := w.end(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]int64{"first": first, "all": all, "goroutines": int64(w.goroutines)})
}

// world is the sessions and what they share: a home and a project.
type world struct {
	options    launch.Options
	asked      chan struct{}
	answer     chan struct{}
	sessions   []*launch.Session
	work       sync.WaitGroup
	goroutines int
}

func newWorld(dir string) (*world, error) {
	home, project, model := filepath.Join(dir, "home"), filepath.Join(dir, "project"), filepath.Join(dir, "script.yaml")
	for _, d := range []string{home, project} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	notes := strings.Repeat("What is to be done is written here.\n", 100)
	err := errors.Join(os.WriteFile(model, []byte(script), 0o600), os.WriteFile(filepath.Join(project, "notes.txt"), []byte(notes), 0o600))
	w := &world{asked: make(chan struct{}), answer: make(chan struct{})}
	w.options = launch.Options{
		Settings: settings.Options{Home: home, Dir: project}, Model: "script:" + model,
		Env: func(string) string { return "" }, Asker: w,
	}
	return w, err
}

func (*world) Name() string { return "somebody" }

// Ask waits until everybody has been asked.
func (w *world) Ask(ctx context.Context, _ agent.Question) (permission.Answer, error) {
	w.asked <- struct{}{}
	select {
	case <-w.answer:
		return permission.Answer{Behavior: permission.Deny, Message: "Not now."}, nil
	case <-ctx.Done():
		return permission.Answer{}, ctx.Err()
	}
}

// open opens sessions, and returns when each of them waits.
func (w *world) open(n int) error {
	for range n {
		s, err := launch.Open(w.options)
		if err != nil {
			return err
		}
		w.sessions = append(w.sessions, s)
		w.work.Go(func() {
			s.Agent.Start(context.Background(), s.Source)
			s.Agent.Prompt(context.Background(), agent.TextPrompt("Build it."))
		})
		<-w.asked
	}
	return nil
}

// end answers everybody and closes the sessions.
func (w *world) end() error {
	w.goroutines = runtime.NumGoroutine()
	close(w.answer)
	w.work.Wait()
	var errs []error
	for _, s := range w.sessions {
		errs = append(errs, s.Close(context.Background()))
	}
	return errors.Join(errs...)
}

// memory is what the process has in use, in bytes: that of the system, after the garbage
// was given back.
func memory() (int64, error) {
	for range 3 {
		debug.FreeOSMemory()
	}
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapInuse + m.StackInuse), nil
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kilobytes << 10, err
		}
	}
	return 0, errors.New("the system does not say how much memory is in use")
}
