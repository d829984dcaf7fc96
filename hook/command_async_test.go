//go:build unix

package hook

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// gate is a pipe with a name: a hook that opens it waits until the test does.
func gate(t *testing.T, dir string) (open func()) {
	t.Helper()
	path := filepath.Join(dir, "gate")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}

func wantBackground(t *testing.T, reply Reply) {
	t.Helper()
	if reply.Failure != nil || reply.Background == nil || reply.Abandon == nil || reply.Exit != nil {
		t.Fatalf("it does not go on: %s", show(reply))
	}
}

func TestH4_AnAsyncHookGoesOnInTheBackground(t *testing.T) {
	lines := map[string]string{
		"itself":                     `echo '{"async":true}'; read line < gate; touch done`,
		"after a blank line":         `echo; echo '  {"async":true} '; read line < gate; touch done`,
		"prints more than is read":   `echo '{"async":true}'; read line < gate; head -c 3000000 /dev/zero; touch done`,
		"reads its input afterwards": `echo '{"async":true}'; cat > /dev/null; read line < gate; touch done`,
		"a child with its output":    `echo '{"async":true}'; (read line < gate; touch done) & exit 0`,
		"a child without its output": `echo '{"async":true}'; (read line < gate; touch done) > /dev/null 2>&1 & exit 0`,
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			env := noLeaks(t)
			dir := t.TempDir()
			open := gate(t, dir)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			reply := shell(t, line).Handle(ctx, Invocation{JSON: []byte("{}"), Dir: dir, Env: env})
			wantBackground(t, reply)
			if string(reply.Text) != `{"async":true}` {
				t.Errorf("text is %q", reply.Text)
			}
			cancel() // the event is over; the hook goes on
			if isClosed(reply.Background) {
				t.Fatal("it ended with the event")
			}
			open()
			closesSoon(t, "the end of the hook", reply.Background)
			if !exists(filepath.Join(dir, "done"))() {
				t.Error("it was ended before it was done")
			}
			reply.Abandon() // too late, and harmless
		})
	}
}

func TestH4_AnAsyncHookEndsAfterItsTime(t *testing.T) {
	lines := map[string]string{
		"itself":                     `echo '{"async":true,"asyncTimeout":50}'; sleep 60`,
		"and its child":              `echo '{"async":true,"asyncTimeout":50}'; sleep 60 & wait`,
		"a child alone":              `echo '{"async":true,"asyncTimeout":50}'; sleep 60 & exit 0`,
		"a child without its output": `echo '{"async":true,"asyncTimeout":50}'; sleep 60 >/dev/null 2>&1 & exit 0`,
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			env := noLeaks(t)
			reply := shell(t, line).Handle(t.Context(), Invocation{JSON: []byte("{}"), Dir: t.TempDir(), Env: env})
			wantBackground(t, reply)
			closesSoon(t, "the end of the hook", reply.Background)
		})
	}
}

func TestH4_AnAsyncHookCanBeAbandoned(t *testing.T) {
	lines := map[string]string{
		"itself":                     `echo '{"async":true}'; sleep 60`,
		"a child without its output": `echo '{"async":true}'; sleep 60 >/dev/null 2>&1 & exit 0`,
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			env := noLeaks(t)
			reply := shell(t, line).Handle(t.Context(), Invocation{JSON: []byte("{}"), Dir: t.TempDir(), Env: env})
			wantBackground(t, reply)
			reply.Abandon()
			reply.Abandon()
			closesSoon(t, "the end of the hook", reply.Background)
		})
	}
}

func TestH4_AnAsyncHookThatEndsAtOnceHasEnded(t *testing.T) {
	env := noLeaks(t)
	for range 20 {
		reply := shell(t, `echo '{"async":true}'`).Handle(t.Context(), Invocation{JSON: []byte("{}"), Dir: t.TempDir(), Env: env})
		wantBackground(t, reply)
		closesSoon(t, "the end of the hook", reply.Background)
	}
}

// Only the first line counts: nothing that was said before is taken back by it.
func TestH4_OnlyTheFirstLineMakesAHookAsync(t *testing.T) {
	lines := map[string]string{
		"not the first":     `echo '{"decision":"block"}'; echo '{"async":true}'`,
		"false":             `echo '{"async":false}'`,
		"not complete":      `printf '{"async":true}'`,
		"on stderr":         `echo '{"async":true}' >&2`,
		"not the whole one": `echo '{"async":true} and more'`,
	}
	for name, line := range lines {
		t.Run(name, func(t *testing.T) {
			env := noLeaks(t)
			reply := shell(t, line).Handle(t.Context(), Invocation{JSON: []byte("{}"), Dir: t.TempDir(), Env: env})
			if reply.Background != nil || reply.Failure != nil || reply.Exit == nil {
				t.Errorf("got %s", show(reply))
			}
		})
	}
}

// A hook that hesitates is judged like any other until it says that it is async.
func TestH4_AHookThatIsLateIsNotAsync(t *testing.T) {
	env := noLeaks(t)
	began := time.Now()
	reply := shell(t, `sleep 60; echo '{"async":true}'`).Handle(short(t), Invocation{JSON: []byte("{}"), Dir: t.TempDir(), Env: env})
	wantFailure(t, reply, TimedOut, "")
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("that took %v", took)
	}
}
