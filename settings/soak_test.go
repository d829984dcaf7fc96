package settings

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// A process of the soak test is this test binary, started again.
const soakVariable = "ASSENT_TEST_SOAK_CHILD"

func TestMain(m *testing.M) {
	if child := os.Getenv(soakVariable); child != "" {
		if err := soakChild(child); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// soakChild writes one rule after the other and prints each that is acknowledged.
// The argument holds
// name, count and the directories, one a line.
func soakChild(arg string) error {
	f := strings.Split(arg, "\n")
	o := Options{Dir: f[2], Home: f[3], StateDir: f[4], ManagedFiles: []string{f[5]}}
	var count int
	if _, err := fmt.Sscan(f[1], &count); err != nil {
		return err
	}
	ctx := context.Background()
	writer := NewWriter(o)
	for i := range count {
		text := fmt.Sprintf("Bash(%s %d)", f[0], i)
		u := ruleUpdate(permission.AddRules, rule.Allow, text)
		u.Destination = fileDestinations[i%2] // both files of the workspace
		if err := writer.Queue(u); err != nil {
			return err
		}
		if err := writer.Flush(ctx); err != nil {
			return err
		}
		fmt.Println(text)
	}
	return writer.Close(ctx)
}

func TestP13_ManyProcessesLoseNothing(t *testing.T) {
	processes, updates, kills := 4, 25, 2
	if os.Getenv("ASSENT_SOAK") != "" {
		processes, updates, kills = 16, 200, 6
	}
	w := newWorld(t)
	w.put(rule.LocalSettings, "{\n  // mine\n  \"theme\": \"dark\"\n}\n")
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}

	var mu sync.Mutex
	var acknowledged []string
	var wg sync.WaitGroup
	for n := range processes {
		killAfter := -1
		if n < kills {
			killAfter = 3 + n*updates/(2*kills)
		}
		wg.Go(func() {
			got, err := w.soak(fmt.Sprintf("p%d", n), updates, killAfter)
			mu.Lock()
			defer mu.Unlock()
			acknowledged = append(acknowledged, got...)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()

	have := map[string]int{}
	for _, r := range w.load().Config().Rules {
		have[r.Text]++
	}
	for _, text := range acknowledged {
		if have[text] != 1 {
			t.Errorf("%s was acknowledged and is there %d times", text, have[text])
		}
	}
	if min := (processes - kills) * updates; len(acknowledged) < min {
		t.Errorf("only %d acknowledged, want at least %d", len(acknowledged), min)
	}
	if text := w.read(w.path(rule.LocalSettings)); !strings.Contains(text, "// mine\n  \"theme\": \"dark\"") {
		t.Errorf("the comment is gone:\n%s", text)
	}
	if got := w.load().TrustState(); got.Status != Trusted {
		t.Errorf("assent's own writes cost the trust: %v", got.Status)
	}
	t.Logf("%d updates acknowledged by %d processes, %d killed", len(acknowledged), processes, kills)
}

// soak runs one child and collects what it acknowledged. With killAfter it is
// killed, in the middle of whatever it does, after so many.
func (w *world) soak(name string, updates, killAfter int) (acknowledged []string, err error) {
	cmd := exec.Command(os.Args[0])
	arg := strings.Join([]string{name, fmt.Sprint(updates), w.Dir, w.Home, w.StateDir, w.ManagedFiles[0]}, "\n")
	cmd.Env = append(os.Environ(), soakVariable+"="+arg)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		acknowledged = append(acknowledged, lines.Text())
		if len(acknowledged) == killAfter {
			if err := cmd.Process.Kill(); err != nil {
				return nil, err
			}
		}
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil && killAfter < 0 {
		return acknowledged, fmt.Errorf("%s: %w", name, err)
	}
	return acknowledged, lines.Err()
}
