package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

func TestQuickRun(t *testing.T) {
	page := filepath.Join(t.TempDir(), "benchmarks.md")
	var out bytes.Buffer
	if err := run(true, page, nil, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := []string{"## Bars", "## One decision", "| Edit, no rule | 1,000 |", "## A shell command", "`git status`", "## Loading 1,000 rules", "cedar-go v1.9.0", "## The guard as a process"}
	for _, text := range want {
		if !strings.Contains(out.String(), text) {
			t.Errorf("the report lacks %q", text)
		}
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("a quick run wrote the page")
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

// What is measured must be the whole way, not an early end.
func TestShellCommandsAreUnderstood(t *testing.T) {
	a, err := newAssent(shellRules(10))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[permission.Behavior]bool{}
	for _, command := range commands {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		call, err := a.engine.Validate(a.context, permission.Request{Tool: "Bash", Input: input})
		if err != nil {
			t.Fatal(err)
		}
		if problem := call.Script().Problem; problem != nil {
			t.Errorf("%s: %s", command, problem.Text)
		}
		d := a.engine.Decide(a.context, call)
		if d.Behavior == permission.Deny {
			t.Errorf("%s: %s", command, d.Message())
		}
		seen[d.Behavior] = true
	}
	if !seen[permission.Allow] || !seen[permission.Ask] {
		t.Errorf("the commands should be allowed and asked about, not only %v", seen)
	}
}

func TestShellRulesHaveTheirNumber(t *testing.T) {
	for _, n := range full.sizes {
		if got := len(shellRules(n)); got != n {
			t.Errorf("%d rules, want %d", got, n)
		}
	}
}

func TestCompareTakesInputsInTurn(t *testing.T) {
	var asked [3]int
	e := effort{rounds: 5, turn: 50 * time.Microsecond, slow: time.Millisecond}
	figures := e.compare([]runner{
		{"light", len(asked), func(i int) { asked[i]++ }},
		{"heavy", 1, func(int) { sink = make([]byte, 64<<10) }},
	})
	for i, n := range asked {
		if n == 0 || n < asked[0]-1 {
			t.Errorf("input %d was taken %d times, the first one %d times", i, n, asked[0])
		}
	}
	if figures[0].allocs != 0 || figures[1].allocs != 1 {
		t.Errorf("%d and %d allocations, want 0 and 1", figures[0].allocs, figures[1].allocs)
	}
	if figures[0].ns <= 0 || figures[0].ns >= figures[1].ns {
		t.Errorf("counting took %v ns, clearing 64 KB %v ns", figures[0].ns, figures[1].ns)
	}
}

var sink []byte
