//go:build unix

package mcp_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

func TestAProgramsToolIsATool(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "pay", "ok"))
	if s := status(t, set, "pay"); s.State != mcp.Connected || s.Tools != 1 {
		t.Fatalf("status %+v", s)
	}
	r := find(t, set, "mcp__pay__go")
	if r.Kind() != permission.Other || r.Order(nil) != tool.Alone || r.Description() != "goes" {
		t.Errorf("kind %v, order %v, description %q", r.Kind(), r.Order(nil), r.Description())
	}
	if want := `{"properties":{"n":{"type":"integer"}},"required":["n"],"type":"object"}`; string(r.Schema()) != want {
		t.Errorf("schema %s", r.Schema())
	}
	// Numbers that a float cannot hold arrive as they were judged.
	got := run(t.Context(), r, `{"n": 12345678901234567890, "s": "<a&b>"}`)
	want(t, got, tool.Succeeded, `12345678901234567890`)
	if string(got.Data) != `[{"text":`+strconv.Quote(got.Text)+`,"type":"text"}]` && !strings.HasPrefix(string(got.Data), `[{"type":"text","text":`) {
		t.Errorf("data %s", got.Data)
	}
	for _, input := range []string{`[1]`, `{"n":1,"n":2}`, `{`, ``} {
		if _, err := r.Decode([]byte(input)); err == nil {
			t.Errorf("%s is decoded", input)
		}
		want(t, run(t.Context(), r, input), tool.Failed)
	}
}

func TestWhatGoesWrongAtTheStartIsSaid(t *testing.T) {
	missing := mcp.Server{Name: "missing", Command: "no-such-program-anywhere"}
	set := open(t, mcp.Options{Limits: mcp.Limits{Start: 3 * time.Second}},
		program(t, "exit", "exit"), program(t, "mute", "mute"), program(t, "deaf", "deaf"), program(t, "babble", "babble"),
		missing, program(t, "fine", "ok"), mcp.Server{Name: "host", Kind: mcp.SDK}, program(t, "bad__name", "ok"))
	for name, reason := range map[string]string{
		"exit": "it has ended: exit status 3; its last words: no [31mlicence[0m found", "mute": "did not answer within 3s", "deaf": "did not answer within 3s",
		"babble": "no JSON-RPC message: \"bla bla", "missing": "cannot start it", "host": "no host is there", "bad__name": "contain __",
	} {
		if s := status(t, set, name); s.State != mcp.Failed || !strings.Contains(s.Reason, reason) {
			t.Errorf("%s: %v, %.300s", name, s.State, s.Reason)
		}
	}
	if s := status(t, set, "fine"); s.State != mcp.Connected {
		t.Errorf("fine: %+v", s)
	}
}

func TestNoServerHoldsUpAnother(t *testing.T) {
	before := time.Now()
	set := mcp.Open(t.Context(), []mcp.Server{program(t, "mute", "mute"), program(t, "fine", "ok")}, mcp.Options{})
	for len(set.Tools()) == 0 && time.Since(before) < 20*time.Second {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		set.Wait(ctx)
		cancel()
	}
	if s := status(t, set, "mute"); s.State != mcp.Pending {
		t.Errorf("mute: %+v", s)
	}
	want(t, run(t.Context(), find(t, set, "mcp__fine__go"), `{"n":1}`), tool.Succeeded, "got")
	set.Close(t.Context())
	if s := status(t, set, "mute"); s.State != mcp.Failed {
		t.Errorf("mute after the end: %+v", s)
	}
	if took := time.Since(before); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestWhatGoesWrongInACallIsSaid(t *testing.T) {
	for how, c := range map[string]struct {
		outcome tool.Outcome
		parts   []string
	}{
		"die":          {tool.Failed, []string{`"s" has failed during the call`, "exit status 7", "out of luck", "not known"}},
		"hang":         {tool.Failed, []string{"did not answer within 1s", "MCP_TOOL_TIMEOUT"}},
		"huge":         {tool.Failed, []string{"more than 33554432 bytes"}},
		"half":         {tool.Failed, []string{"has failed during the call", "exit status 0"}},
		"falls silent": {tool.Failed, []string{"has failed during the call"}},
		"chatters":     {tool.Failed, []string{"did not answer within 1s"}},
		"no result":    {tool.Failed, nil},
		"strange":      {tool.Failed, []string{"hologram"}},
		"error":        {tool.Failed, []string{"answered with an error: no [1mmoney"}},
		"wrong":        {tool.Failed, []string{"bad n"}},
		"twice":        {tool.Succeeded, []string{"first"}},
		"noise":        {tool.Succeeded, []string{"got"}},
		"flood stderr": {tool.Succeeded, []string{"got"}},
	} {
		t.Run(how, func(t *testing.T) {
			limit := time.Minute
			if how == "hang" || how == "no result" || how == "chatters" {
				limit = time.Second
			}
			set := open(t, mcp.Options{Limits: mcp.Limits{Call: limit}}, program(t, "s", how))
			want(t, run(t.Context(), find(t, set, "mcp__s__go"), `{"n":1}`), c.outcome, c.parts...)
		})
	}
}

func TestAServerThatDiedIsStartedAgainOnce(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "s", "die"))
	r := find(t, set, "mcp__s__go")
	want(t, run(t.Context(), r, `{}`), tool.Failed, "has failed during the call")
	if s := status(t, set, "s"); s.State != mcp.Failed || !strings.Contains(s.Reason, "exit status 7") || s.Tools != 1 {
		t.Errorf("status %+v", s)
	}
	want(t, run(t.Context(), r, `{}`), tool.Failed, "has failed during the call") // it was started, or it could not have died
	want(t, run(t.Context(), r, `{}`), tool.Failed, "cannot be used", "once a minute", "exit status 7")
	if err := set.Reconnect(t.Context(), "s"); err != nil {
		t.Error(err)
	}
	if s := status(t, set, "s"); s.State != mcp.Connected {
		t.Errorf("status %+v", s)
	}
	if set.Reconnect(t.Context(), "nobody") == nil {
		t.Error("nobody was reconnected")
	}
}

func TestALongResultIsCut(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "s", "long"))
	got := run(t.Context(), find(t, set, "mcp__s__go"), `{}`)
	want(t, got, tool.Succeeded, "200000 bytes of its text are missing")
	if len(got.Text) > 100_300 || len(got.Data) > 100_500 || strictjson.Valid(got.Data) != nil {
		t.Errorf("%d bytes of text, %d of data", len(got.Text), len(got.Data))
	}
}

func TestManyTools(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "s", "many"))
	if s := status(t, set, "s"); s.Tools != 10_000 || len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "more than 10000 tools") {
		t.Errorf("status %+v", s)
	}
}

func TestNamesOfTools(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "s", "names"))
	var names []string
	for _, r := range set.Tools() {
		names = append(names, r.Name())
	}
	if got := strings.Join(names, " "); got != "mcp__s__ok mcp__s__a_b mcp__s__fine_name" {
		t.Errorf("tools %s", got)
	}
	if r := find(t, set, "mcp__s__a_b"); r.Description() != "the real one" {
		t.Errorf("description %q", r.Description())
	}
	if r := find(t, set, "mcp__s__ok"); string(r.Schema()) != `{"type":"object"}` {
		t.Errorf("schema %s", r.Schema())
	}
	notes := strings.Join(status(t, set, "s").Notes, "\n")
	for _, part := range []string{`"a.b"`, `"x.y"`, `"x/y"`, "lists it twice", "no name", "130", "more than 128", `"list"`, `"none"`} {
		if !strings.Contains(notes, part) && part != "130" {
			t.Errorf("the notes lack %s:\n%s", part, notes)
		}
	}
}

// A call that is cut off before the server was told of it has done nothing.
func TestACallThatTheServerWasNotToldOf(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "s", "hang"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	want(t, run(ctx, find(t, set, "mcp__s__go"), `{}`), tool.NothingDone)
}

func TestACancelledCallIsToldToTheServer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cancelled")
	set := open(t, mcp.Options{}, program(t, "s", "hang", mcp.Pair{Name: "CANCELLED", Value: file}))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	want(t, run(ctx, find(t, set, "mcp__s__go"), `{}`), tool.Interrupted)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if text, _ := os.ReadFile(file); len(text) > 0 {
			return
		}
	}
	t.Error("the server was not told")
}

// A server may have to be started before a call is made. Whoever has the call made is asked after that,
// and it is not made when he may not any more.
func TestD8_ACallIsNotMadeAfterItsTime(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "s", "progress"))
	r := find(t, set, "mcp__s__go")
	made := false
	asked := func(err error) tool.Job {
		return tool.Job{Input: []byte(`{}`), Begins: func(context.Context) error { return err }, Progress: func(tool.Progress) { made = true }}
	}
	want(t, r.Run(t.Context(), asked(errors.New("another machine has it"))), tool.Failed, "was not called: another machine has it")
	if made {
		t.Error("the call was made")
	}
	want(t, r.Run(t.Context(), asked(nil)), tool.Succeeded, "ok")
}

// News of a call go to that call and to no other.
func TestProgressIsPassedOn(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "s", "progress"))
	r := find(t, set, "mcp__s__go")
	var calls sync.WaitGroup
	for range 2 {
		calls.Go(func() {
			var mu sync.Mutex
			var heard []tool.Progress
			got := r.Run(t.Context(), tool.Job{Input: []byte(`{}`), Progress: func(p tool.Progress) {
				mu.Lock()
				defer mu.Unlock()
				heard = append(heard, p)
			}})
			want(t, got, tool.Succeeded, "ok")
			mu.Lock()
			defer mu.Unlock()
			if len(heard) != 3 || heard[0] != (tool.Progress{Done: 1, Total: 3, Message: "step"}) || heard[2].Done != 3 {
				t.Errorf("heard %+v", heard)
			}
		})
	}
	calls.Wait()
	want(t, run(t.Context(), r, `{}`), tool.Succeeded, "ok") // nobody wants to know
}

func TestTheEnvironmentOfAProgram(t *testing.T) {
	t.Setenv("ASSENT_TOKEN", "of the inbox")
	t.Setenv("SECRET", "a")
	for _, env := range [][]string{nil, {"SECRET=a", "ASSENT_TOKEN=of the options"}} {
		set := open(t, mcp.Options{Env: env, Dir: t.TempDir()}, program(t, "s", "env", mcp.Pair{Name: "GIVEN", Value: "b"}))
		if got := run(t.Context(), find(t, set, "mcp__s__go"), `{}`); got.Text != "a|b|" {
			t.Errorf("%q: %q", env, got.Text)
		}
	}
}

func TestNothingIsLeftOfAStubbornProgram(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	set := open(t, mcp.Options{}, program(t, "s", "stubborn", mcp.Pair{Name: "PIDS", Value: file}))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // no patience
	set.Close(ctx)
	if took := time.Since(before); took > 5*time.Second {
		t.Errorf("the end took %v", took)
	}
	for _, word := range strings.Fields(string(text)) {
		for deadline := time.Now().Add(10 * time.Second); runs(word); {
			if time.Now().After(deadline) {
				t.Errorf("%s is still there", word)
				break
			}
		}
	}
	want(t, run(t.Context(), find(t, set, "mcp__s__go"), `{}`), tool.Failed, "the session has ended")
}

// A program that does not end when it is asked to gets a moment, and no more.
func TestAProgramThatHangsAtTheEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	set := open(t, mcp.Options{}, program(t, "s", "stubborn", mcp.Pair{Name: "PIDS", Value: file}), program(t, "deaf", "hang"))
	before := time.Now()
	set.Close(t.Context())
	if took := time.Since(before); took < 2*time.Second || took > 10*time.Second {
		t.Errorf("the end took %v", took)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(text)) {
		for deadline := time.Now().Add(10 * time.Second); runs(word); {
			if time.Now().After(deadline) {
				t.Errorf("%s is still there", word)
				break
			}
		}
	}
}

// runs reports whether a process runs; one that has ended and was not noticed does not.
func runs(pid string) bool {
	n, _ := strconv.Atoi(pid)
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return syscall.Kill(n, 0) == nil && (err != nil || !strings.Contains(string(stat), ") Z "))
}

func TestTheServerOfTheKit(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("the server of the conformance kit needs node (scripts/setup says how to get it)")
	}
	kit, err := filepath.Abs("../conformance/mcp.mjs")
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	set := open(t, mcp.Options{}, mcp.Server{Name: "pay", Command: node, Args: []string{kit, log}})
	if s := status(t, set, "pay"); s.State != mcp.Connected || s.Tools != 4 {
		t.Fatalf("%+v", s)
	}
	want(t, run(t.Context(), find(t, set, "mcp__pay__process_refund"), `{"amount":5}`), tool.Succeeded, `MARK-mcp-process_refund {"amount":5}`)
	got := run(t.Context(), find(t, set, "mcp__pay__approve"), `{"tool_name":"Bash","input":{"command":"say no"},"tool_use_id":"t"}`)
	want(t, got, tool.Succeeded, `{"behavior":"deny","message":"MARK-mcp-no"}`)
	if text, _ := os.ReadFile(log); strings.Count(string(text), "\n") != 2 {
		t.Errorf("the log has %s", text)
	}
}

func TestTheEndFreesTheCallsUnderWay(t *testing.T) {
	set := open(t, mcp.Options{}, program(t, "s", "hang"), program(t, "o", "ok"))
	hang, ok := find(t, set, "mcp__s__go"), find(t, set, "mcp__o__go")
	var all sync.WaitGroup
	begun := make(chan struct{}, 40)
	for range 20 {
		all.Go(func() {
			begun <- struct{}{}
			want(t, run(t.Context(), hang, `{}`), tool.Failed)
		})
		all.Go(func() {
			begun <- struct{}{}
			for range 20 {
				if run(t.Context(), ok, `{}`).Outcome == tool.Failed {
					return // the end was faster
				}
			}
		})
	}
	for range cap(begun) {
		<-begun
	}
	set.Close(t.Context())
	all.Wait()
}
