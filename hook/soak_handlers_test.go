//go:build unix

package hook

import (
	"context"
	"net/http"
	"os"
	"runtime/debug"
	"testing"
	"time"
)

func TestSoakHookRunsLeakNothing(t *testing.T) {
	runs := 200
	if os.Getenv("ASSENT_SOAK") == "1" {
		runs = 10_000
	}
	// The server is there before the count begins: its goroutines are not at issue.
	url, _ := endpoint(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) })
	env := noLeaks(t)
	if runs > 200 {
		debug.SetGCPercent(100) // so many runs need it
	}
	call := Invocation{Input: StopInput{}, JSON: []byte(`{"session_id":"soak"}`), Dir: t.TempDir(), Env: env}
	kinds := []struct {
		name string
		hook Handler
		wait time.Duration
		want FailureKind // zero for none
	}{
		{name: "shell", hook: shell(t, "cat")},
		{name: "program", hook: program(t, "cat")},
		{name: "blocks", hook: shell(t, "echo no >&2; exit 2")},
		{name: "not found", hook: program(t, "./none"), want: CannotStart},
		{name: "signal", hook: shell(t, "kill -9 $$"), want: Crashed},
		{name: "leaves a child", hook: shell(t, "sleep 60 >/dev/null 2>&1 & echo '{}'")},
		{name: "hangs with a child", hook: shell(t, "sleep 60 & sleep 60"), wait: 10 * time.Millisecond, want: TimedOut},
		{name: "async", hook: shell(t, `echo '{"async":true,"asyncTimeout":20}'; sleep 60 & sleep 60`)},
		{name: "http", hook: newHTTP(t, url)},
		{name: "function", hook: Function{Label: "f", Func: func(context.Context, Invocation) (Output, error) { return Output{}, nil }}},
	}
	for i := range runs {
		kind := kinds[i%len(kinds)]
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if kind.wait > 0 {
			cancel()
			ctx, cancel = context.WithTimeout(t.Context(), kind.wait)
		}
		reply := kind.hook.Handle(ctx, call)
		cancel()
		var got FailureKind
		if reply.Failure != nil {
			got = reply.Failure.Kind
		}
		if got != kind.want {
			t.Fatalf("run %d, %s: %s", i, kind.name, show(reply))
		}
		if reply.Background != nil {
			closesSoon(t, kind.name, reply.Background)
		}
	}
}
