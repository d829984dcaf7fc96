package launch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/audit"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/wire"
)

// moods are how somebody who is asked behaves.
type moods struct {
	mu     sync.Mutex
	random *rand.Rand
}

func (*moods) Name() string { return "somebody" }

func (m *moods) Ask(ctx context.Context, _ agent.Question) (permission.Answer, error) {
	m.mu.Lock()
	mood := m.random.IntN(6)
	m.mu.Unlock()
	switch mood {
	case 0, 1:
		return permission.Answer{Behavior: permission.Allow}, nil
	case 2:
		return permission.Answer{Behavior: permission.Deny, Message: "no"}, nil
	case 3:
		return permission.Answer{Behavior: permission.Deny, Message: "stop", Interrupt: true}, nil
	case 4:
		return permission.Answer{}, errors.New("the line is dead")
	}
	<-ctx.Done() // until somebody interrupts
	return permission.Answer{}, ctx.Err()
}

const soakScript = `turns:
  - calls:
      - Task: {description: a, prompt: a}
      - Task: {description: b, prompt: b}
      - Read: {file_path: notes.txt}
  - calls:
      - Bash: {command: touch asked}
      - Task: {description: c, prompt: c}
  - calls:
      - Bash: {command: echo hello}
      - TaskCreate: {subject: a, description: b}
  - calls:
      - Write: {file_path: out.txt, content: text}
  - calls:
      - Nonsense: {}
      - Bash: {command: touch again}
afterwards: Done.
`

// Sessions side by side in one process, interrupted and resumed at any time: when the
// last one is closed nothing is left of them but their files, and these are whole.
func TestSoakOfSessionsInOneProcess(t *testing.T) {
	sessions, seed := 40, uint64(3)
	if os.Getenv("ASSENT_SOAK") != "" {
		sessions, seed = 500, rand.Uint64()
	}
	t.Logf("seed %d", seed)
	o := options(t)
	script := filepath.Join(o.Settings.Home, "soak.yaml")
	if err := errors.Join(os.WriteFile(script, []byte(soakScript), 0o600), os.WriteFile(filepath.Join(o.Settings.Dir, "notes.txt"), []byte("milk\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	o.Model = "script:" + script
	before := runtime.NumGoroutine()
	var interrupted, asked atomic.Int32
	limit := make(chan struct{}, 16)
	var all sync.WaitGroup
	for n := range sessions {
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			random := rand.New(rand.NewPCG(seed, uint64(n)))
			own := o
			own.Asker = &moods{random: rand.New(rand.NewPCG(seed, uint64(n)+1<<32))}
			own.ID = session.NewID()
			for range 1 + random.IntN(3) {
				interrupts(t, own, 1+random.IntN(30), &interrupted, &asked)
				own.ID, own.Resume = "", resumable(own)
			}
		})
	}
	all.Wait()
	if left := goroutinesLeft(before); left > 0 {
		stacks := make([]byte, 1<<20)
		t.Errorf("%d goroutines are left\n%s", left, stacks[:runtime.Stack(stacks, true)])
	}
	t.Logf("%d prompts, %d of them interrupted", asked.Load(), interrupted.Load())
	if interrupted.Load() == 0 || interrupted.Load() == asked.Load() {
		t.Error("all prompts ended the same way")
	}
	wholeRecords(t, filepath.Join(o.Settings.Home, ".assent"), sessions)
}

func resumable(o Options) string {
	if o.Resume != "" {
		return o.Resume
	}
	return o.ID
}

// interrupts opens a session and works a prompt off, which is interrupted when the
// session has said something so many times.
func interrupts(t *testing.T, o Options, after int, interrupted, asked *atomic.Int32) {
	t.Helper()
	var s *Session
	var said atomic.Int32
	ready := make(chan struct{})
	o.Emit = func(wire.Message) {
		if int(said.Add(1)) == after {
			<-ready
			s.Agent.Interrupt()
		}
	}
	s, err := Open(o)
	if err != nil {
		t.Error(err)
		close(ready)
		return
	}
	close(ready)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// Somebody who does not answer is interrupted at last.
	impatience := time.AfterFunc(time.Second, s.Agent.Interrupt)
	defer impatience.Stop()
	s.Agent.Start(ctx, s.Source)
	result := s.Agent.Prompt(ctx, agent.TextPrompt("go"))
	asked.Add(1)
	if result.IsError {
		interrupted.Add(1)
	}
	if ctx.Err() != nil {
		t.Errorf("session %s hangs", s.ID)
	}
	if err := s.Close(ctx); err != nil {
		t.Errorf("session %s: %v", s.ID, err)
	}
}

// wholeRecords reads every transcript and the audit log.
func wholeRecords(t *testing.T, state string, sessions int) {
	t.Helper()
	dir := filepath.Join(state, "sessions")
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != sessions {
		t.Fatalf("%d sessions, %v", len(entries), err)
	}
	store := session.NewStore(dir)
	for _, e := range entries {
		kinds := map[session.Kind]int{}
		for r, err := range store.Records(e.Name()) {
			if err != nil {
				t.Fatalf("session %s: %v", e.Name(), err)
			}
			kinds[r.Kind]++
		}
		if kinds[session.Started] != 1 || kinds[session.Ended] != 1+kinds[session.Resumed] {
			t.Errorf("session %s: %v", e.Name(), kinds)
		}
	}
	report, err := audit.Verify(filepath.Join(state, "audit"))
	if err != nil || !report.Whole() {
		t.Errorf("%+v, %v", report, err)
	}
}

// goroutinesLeft is how many goroutines there are more than before, once those that are
// about to end have done so. Connections that are kept for later do not count.
func goroutinesLeft(before int) int {
	deadline := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	return max(runtime.NumGoroutine()-before, 0)
}

// A list of tasks outlives the process that made it.
func TestTasksAreThereAgain(t *testing.T) {
	o := options(t)
	script := filepath.Join(o.Settings.Home, "tasks.yaml")
	write := func(text string) {
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o.Model, o.ID = "script:"+script, session.NewID()
	write("turns:\n  - calls:\n      - TaskCreate: {subject: milk, description: buy}\n      - TaskUpdate: {taskId: '1', status: in_progress}\nafterwards: Done.\n")
	first := mustOpen(t, o)
	first.Agent.Prompt(t.Context(), agent.TextPrompt("go"))
	mustClose(t, first)
	write("turns:\n  - calls:\n      - TaskList: {}\n  - expect: '#1 [in_progress] milk'\n    say: It is there.\n")
	o.Resume, o.ID, o.Fork = o.ID, "", true
	for _, fork := range []bool{true, false} {
		o.Fork = fork
		again := mustOpen(t, o)
		if result := again.Agent.Prompt(t.Context(), agent.TextPrompt("go")); result.IsError || !strings.Contains(fmt.Sprint(result.Text), "It is there") {
			t.Errorf("fork %v: %+v", fork, result)
		}
		mustClose(t, again)
	}
}
