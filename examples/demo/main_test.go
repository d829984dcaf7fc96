package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/inbox/client"
)

// The demonstration is what newcomers see first: it works, twice, and leaves nothing.
func TestDemonstration(t *testing.T) {
	start, tmp := built(t)
	for range 2 {
		cmd := start()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		told := string(out)
		for _, want := range []string{
			"result  ok", "denied  rule Bash(git push:*)", "(tool_deferred)", "a deploy needs a person",
			"http://127.0.0.1:", "answers in your place, through the API", ": allow.", "result  production runs version 2", "model   So be it. Nothing else is left to do for this release.", "What would flip it", "whole: 5 records", "Everything has been removed again.",
		} {
			before, after, ok := strings.Cut(told, want)
			if !ok {
				t.Fatalf("%q is missing, or comes too early, in\n%s", want, out)
			}
			_, told = before, after
		}
		isEmpty(t, tmp)
	}
}

// However it is ended, it says so in the same words and leaves nothing.
func TestTheEndIsInGoodOrder(t *testing.T) {
	start, tmp := built(t)
	for name, tt := range map[string]struct {
		until string // is seen
		end   func(cmd *exec.Cmd, out io.Closer) error
		says  string
	}{
		"nobody reads": {"1. The policy", func(_ *exec.Cmd, out io.Closer) error { return out.Close() }, "nobody sees this any more"},
		"interrupted":  {"1. The policy", func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(os.Interrupt) }, "it was interrupted; everything has been removed again"},
		"in a call": {"calls   Bash {\"command\":\"go test", func(cmd *exec.Cmd, _ io.Closer) error {
			for { // until the go command has a directory that it would leave behind
				inside, _ := filepath.Glob(filepath.Join(tmp, "assent-demo-*", "home", "tmp", "go-build*"))
				outside, _ := filepath.Glob(filepath.Join(tmp, "go-build*"))
				if len(inside)+len(outside) > 0 {
					return cmd.Process.Signal(os.Interrupt)
				}
			}
		}, "it was interrupted; everything has been removed again"},
		"hung up": {"calls   Bash", func(cmd *exec.Cmd, _ io.Closer) error { return cmd.Process.Signal(syscall.SIGHUP) }, "it was interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := start()
			var said strings.Builder
			cmd.Stderr = &said
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			for lines.Scan() && !strings.Contains(lines.Text(), tt.until) {
			}
			if err := tt.end(cmd, out); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() { // until it ends
			}
			if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("%v", err)
			}
			if all := strings.Split(strings.TrimSpace(said.String()), "\n"); !strings.HasPrefix(all[len(all)-1], "demo: "+tt.says) {
				t.Errorf("%q", all)
			}
			isEmpty(t, tmp)
		})
	}
}

// Nothing is said to be removed that is not, and nothing that went wrong is hidden.
func TestOutcome(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	broken, left := errors.New("it is broken"), errors.New("shop: not permitted")
	for _, c := range []struct {
		ctx       context.Context
		err, left error
		want      string
	}{
		{t.Context(), nil, nil, ""},
		{t.Context(), broken, nil, "it is broken; everything has been removed again"},
		{ended, context.Canceled, nil, "it was interrupted; everything has been removed again"},
		{ended, nil, nil, ""}, // it was too late
		{t.Context(), nil, left, "something is left behind: shop: not permitted (remove it by hand)"},
		{t.Context(), broken, left, "it is broken\nsomething is left behind: shop: not permitted (remove it by hand)"},
		{ended, broken, left, "it was interrupted\nsomething is left behind: shop: not permitted (remove it by hand)"},
	} {
		got := ""
		if err := outcome(c.ctx, c.err, c.left); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// built is the demonstration as a program, and the directory that it may use.
func built(t *testing.T) (start func() *exec.Cmd, tmp string) {
	t.Helper()
	bin := t.TempDir()
	// As `make demo` does it, or all of it would be compiled twice.
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, "github.com/assent-dev/assent/cmd/assent", ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tmp = t.TempDir()
	return func() *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, "demo"), "-assent", filepath.Join(bin, "assent"), "-yes")
		cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
		return cmd
	}, tmp
}

func isEmpty(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it has left %v behind, %v", left, err)
	}
}

// What has failed is not called denied, and the order stays.
func TestDeniedAndFailed(t *testing.T) {
	var seen strings.Builder
	a := account{screen: &screen{to: &seen}}
	a.add(line{word: "result", text: "one"})
	a.add(line{text: "two", call: "t2"})
	a.add(line{text: "three", call: "t3"})
	a.add(line{word: "model", text: "four"})
	if seen.String() != "  result  one\n" {
		t.Errorf("%q", seen.String())
	}
	a.settle([]assent.Denial{{ToolUseID: "t3"}})
	if seen.String() != "  result  one\n  failed  two\n  denied  three\n  model   four\n" {
		t.Errorf("%q", seen.String())
	}
}

func TestAnswers(t *testing.T) {
	for text, tt := range map[string]struct {
		approved bool
		says     string
	}{
		"y\n": {true, ""}, "Yes": {true, ""}, "\n": {false, ""}, "no\n": {false, ""}, "": {false, "counts as a no"},
	} {
		var seen strings.Builder
		approved, err := (&screen{to: &seen}).ask(t.Context(), typed(strings.NewReader(text)))
		if err != nil || approved != tt.approved || !strings.Contains(seen.String(), tt.says) || tt.says == "" && strings.Contains(seen.String(), "counts") {
			t.Errorf("%q: %v, %v, %q", text, approved, err, seen.String())
		}
	}
}

func TestNobodyAnswers(t *testing.T) {
	if _, err := (stage{screen: &screen{to: io.Discard}}).settle(t.Context(), nil, client.Detail{}, false); err != errNobody {
		t.Error(err)
	}
}

// Whoever has answered on the page sees the result there: the server ends when they want it, or
// when nobody seems to be there.
func TestTheServerStaysForThePage(t *testing.T) {
	for name, tt := range map[string]struct {
		after time.Duration
		end   func(keys *io.PipeWriter, stop func()) error
		fails bool
	}{
		"Enter":           {5 * time.Second, func(keys *io.PipeWriter, _ func()) error { _, err := io.WriteString(keys, "\n"); return err }, false},
		"no keyboard":     {5 * time.Second, func(keys *io.PipeWriter, _ func()) error { return keys.Close() }, false},
		"interrupted":     {5 * time.Second, func(_ *io.PipeWriter, stop func()) error { stop(); return nil }, true},
		"nobody is there": {lingers, func(*io.PipeWriter, func()) error { return nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				from, keys := io.Pipe()
				lines := typed(from)
				begun := time.Now()
				var seen strings.Builder
				ended := make(chan error)
				go func() { ended <- (&screen{to: &seen}).linger(ctx, lines) }()
				go func() {
					time.Sleep(tt.after)
					if err := tt.end(keys, stop); err != nil {
						t.Error(err)
					}
				}()
				if err := <-ended; (err != nil) != tt.fails || time.Since(begun) != tt.after || !strings.Contains(seen.String(), "press Enter") {
					t.Errorf("after %v: %v, %q", time.Since(begun), err, seen.String())
				}
				stop()
				keys.Close()
				for range lines { // to its end
				}
			})
		})
	}
}
