package audit

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// A process of the soak test is this test binary, started again.
const soakVariable = "ASSENT_TEST_AUDIT_CHILD"

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

// soakChild appends records and prints each that is acknowledged. The argument holds
// name, count and directory, one a line.
func soakChild(arg string) error {
	f := strings.Split(arg, "\n")
	var count int
	if _, err := fmt.Sscan(f[1], &count); err != nil {
		return err
	}
	l := Open(f[2])
	l.size = 20_000
	for n := range count {
		r := decision(n)
		r.ToolUseID = fmt.Sprintf("%s-%d", f[0], n)
		r.Reason = strings.Repeat("x", n%7*1000)
		if err := l.Append(r); err != nil {
			return err
		}
		fmt.Println(r.ToolUseID)
	}
	return l.Close()
}

func TestT3_ManyProcessesLoseNothing(t *testing.T) {
	processes, appends, kills := 4, 25, 2
	if os.Getenv("ASSENT_SOAK") != "" {
		processes, appends, kills = 16, 400, 8
	}
	dir := newLog(t).Dir()
	var mu sync.Mutex
	var acknowledged []string
	var wg sync.WaitGroup
	for n := range processes {
		killAfter := -1
		if n < kills {
			killAfter = 3 + n*appends/(2*kills)
		}
		wg.Go(func() {
			got, err := soak(dir, fmt.Sprintf("p%d", n), appends, killAfter)
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
	for _, e := range read(t, dir, Query{}) {
		have[e.ToolUseID]++
	}
	for _, id := range acknowledged {
		if have[id] != 1 {
			t.Errorf("%s was acknowledged and is there %d times", id, have[id])
		}
	}
	if min := (processes - kills) * appends; len(acknowledged) < min {
		t.Errorf("only %d acknowledged, want at least %d", len(acknowledged), min)
	}
	r := verify(t, dir)
	if !r.Whole() {
		t.Errorf("%+v", r.Findings)
	}
	t.Logf("%d acknowledged, %d records in %d segments, notes %q", len(acknowledged), r.Records, r.Segments, r.Notes)
}

// soak runs one child and collects what it acknowledged. With killAfter it is killed,
// in the middle of whatever it does, after so many.
func soak(dir, name string, appends, killAfter int) (acknowledged []string, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), soakVariable+"="+strings.Join([]string{name, fmt.Sprint(appends), dir}, "\n"))
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
