package mcp_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
	"go.uber.org/goleak"
)

// TestTools_TheEndOfACall: who does not want an answer any more does not wait for it, and
// the function learns of that; one that does not listen holds up nobody.
func TestTools_TheEndOfACall(t *testing.T) {
	for name, heeds := range map[string]bool{"heeds": true, "deaf": false} {
		t.Run(name, func(t *testing.T) {
			running, ended, release := make(chan struct{}), make(chan struct{}), make(chan struct{})
			set, _ := offering(t, function(t, "wait", func(ctx context.Context, _ order) (string, error) {
				defer close(ended)
				close(running)
				if heeds {
					<-ctx.Done()
					return "", ctx.Err()
				}
				<-release
				return "", nil
			}))
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-running
				cancel()
			}()
			want(t, run(ctx, find(t, set, "mcp__shop__wait"), `{"item": "x"}`), tool.Interrupted)
			close(release)
			<-ended
		})
	}
}

// A function that does not heed its end does not hold up that of the program.
func TestTools_TheEndOfTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running, release := make(chan struct{}), make(chan struct{})
		functions, err := mcp.NewFunctions("shop", function(t, "deaf", func(context.Context, order) (string, error) {
			close(running)
			<-release
			return "", nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		introduce(t, functions)
		go func() { _, _ = functions.Send(t.Context(), []byte(shopping("deaf"))) }()
		<-running
		before := time.Now()
		functions.Close()
		if took := time.Since(before); took > 3*time.Second {
			t.Errorf("the end took %v", took)
		}
		if _, err := functions.Send(t.Context(), []byte(shopping("deaf"))); err == nil {
			t.Error("a server that has ended answers")
		}
		functions.Close()
		close(release)
	})
}

func shopping(name string) string {
	return `{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"` + name + `","arguments":{"item":"x"}}}`
}

// TestTools_AClientThatComesAgain: one that introduces itself anew finds the tools, and
// what it has left behind ends.
func TestTools_AClientThatComesAgain(t *testing.T) {
	running := make(chan struct{}, 1)
	var ended atomic.Int32
	functions, err := mcp.NewFunctions(
		"shop",
		function(t, "wait", func(ctx context.Context, _ order) (string, error) {
			running <- struct{}{}
			<-ctx.Done()
			ended.Add(1)
			return "", ctx.Err()
		}),
		function(t, "text", func(context.Context, order) (string, error) { return "here", nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	defer functions.Close()
	if _, err := functions.Send(t.Context(), []byte(shopping("text"))); err != nil {
		t.Errorf("who has not introduced itself is answered with %v", err) // an answer that says so is right
	}
	introduce(t, functions)
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = functions.Send(t.Context(), []byte(shopping("wait")))
	}()
	<-running
	introduce(t, functions)
	<-over
	if answer, err := functions.Send(t.Context(), []byte(shopping("text"))); err != nil || !strings.Contains(string(answer), "here") {
		t.Errorf("%s, %v", answer, err)
	}
	functions.Close()
	if ended.Load() != 1 {
		t.Error("the call that was left behind goes on")
	}
}

// TestTools_WhoCountsCalls knows of each from before it begins until it has ended, also when
// nobody waits for it any more.
func TestTools_WhoCountsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running, release := make(chan struct{}), make(chan struct{})
		var count atomic.Int32
		functions, err := mcp.NewFunctions("shop", function(t, "deaf", func(context.Context, order) (string, error) {
			if count.Load() != 1 {
				t.Errorf("%d calls run", count.Load())
			}
			close(running)
			<-release
			return "", nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		functions.Observe(func() { count.Add(1) }, func() { count.Add(-1) })
		introduce(t, functions)
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			_, _ = functions.Send(ctx, []byte(shopping("deaf")))
		}()
		<-running
		cancel()
		<-over
		synctest.Wait()
		if count.Load() != 1 {
			t.Error("a call that runs is not counted")
		}
		close(release)
		synctest.Wait()
		if count.Load() != 0 {
			t.Error("a call that has ended is counted")
		}
		functions.Close()
	})
}
