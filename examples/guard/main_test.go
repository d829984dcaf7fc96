package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/model/script"
)

// The test binary is the program when it is told so: nothing has to be built.
func TestMain(m *testing.M) {
	if os.Getenv("GUARD_EXAMPLE") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestProgram: it prints what its README says.
func TestProgram(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "Do not look me up.'\n")
	want, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("the README does not say what the example prints")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-model", "script:session.yaml", "I am c-17 and want my $450 back.")
	cmd.Env = append(os.Environ(), "GUARD_EXAMPLE=1", "ASSENT_HOME="+t.TempDir(), "HOME="+t.TempDir(), "GORACE=atexit_sleep_ms=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || string(out) != want {
		t.Errorf("%v: it prints\n%s%s\nwant\n%s", err, out, stderr.Bytes(), want)
	}
}

// session lets a model make calls after the first, which looks two customers up.
func session(t *testing.T, turns string) string {
	t.Helper()
	model, err := script.New(t.Name(), []byte(`
turns:
  - calls: [{mcp__desk__get_customer: {customer_id: c-17}}, {mcp__desk__get_customer: {customer_id: c-18}}]
`+turns+"\n  - say: Done.\n"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = serve(t.Context(), &out, "hello", assent.Provider(model), assent.Dir(t.TempDir()), assent.Home(t.TempDir()), assent.StateDir(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		turns  string
		paid   string // all of it
		denied int
	}{
		"exactly":             {"  - call: {mcp__desk__process_refund: {customer_id: c-17, cents: 30000}}", "paid: $300.00 to c-17\n", 0},
		"a cent more":         {"  - call: {mcp__desk__process_refund: {customer_id: c-17, cents: 30001}}", "", 1},
		"each has their own":  {"  - call: {mcp__desk__process_refund: {customer_id: c-18, cents: 5001}}", "", 1},
		"at the same moment":  {"  - calls: [{mcp__desk__process_refund: {customer_id: c-18, cents: 5000}}, {mcp__desk__process_refund: {customer_id: c-18, cents: 5000}}]", "paid: $50.00 to c-18\n", 1},
		"less than nothing":   {"  - call: {mcp__desk__process_refund: {customer_id: c-17, cents: -1}}", "", 1},
		"so much that it is":  {"  - call: {mcp__desk__process_refund: {customer_id: c-17, cents: 9223372036854775807}}", "", 1},
		"a stranger":          {"  - call: {mcp__desk__process_refund: {customer_id: c-1, cents: 1}}", "", 1},
		"nobody":              {"  - call: {mcp__desk__process_refund: {customer_id: '', cents: 1}}", "", 1},
		"two amounts":         {`  - call: {tool: mcp__desk__process_refund, raw: '{"customer_id": "c-18", "cents": 1, "cents": 90000}'}`, "", 0},
		"in capitals":         {`  - call: {tool: mcp__desk__process_refund, raw: '{"customer_id": "c-18", "cents": 90000, "Cents": 1}'}`, "", -1},
		"in capitals, before": {`  - call: {tool: mcp__desk__process_refund, raw: '{"Cents": 1, "customer_id": "c-18", "cents": 90000}'}`, "", -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said := session(t, tt.turns)
			var paid strings.Builder
			for line := range strings.Lines(said) {
				if strings.HasPrefix(line, "paid:") {
					paid.WriteString(line)
				}
			}
			if paid.String() != tt.paid || tt.denied >= 0 && strings.Count(said, "denied:") != tt.denied {
				t.Errorf("%s", said)
			}
		})
	}
}

// Many refunds side by side are counted one by one.
func TestManyAtOnce(t *testing.T) {
	state := hook.MemoryState()
	if err := change(state, "c-17", func(a *account) error { a.Limit = 1000; return nil }); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	through := 0
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			out, err := limitRefund(context.Background(), hook.PreToolUseInput{
				ToolUseID: fmt.Sprint(i), ToolInput: []byte(`{"customer_id": "c-17", "cents": 100}`),
			}, hook.Invocation{State: state})
			mu.Lock()
			defer mu.Unlock()
			if err == nil && out.Specific == nil {
				through++
			}
		})
	}
	wg.Wait()
	if through != 10 {
		t.Errorf("%d refunds went through, want 10", through)
	}
}
