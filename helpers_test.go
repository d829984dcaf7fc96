package assent_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
)

// anID is that of a session.
const anID = "01234567-89ab-4cde-8f01-23456789abcd"

// opened is a client that ends with the test.
func opened(t *testing.T, options ...assent.Option) *assent.Client {
	t.Helper()
	client, err := assent.Open(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

// ask runs a prompt of a client to its end; an error is fatal.
func ask(t *testing.T, client *assent.Client, prompt string) ([]string, *assent.Result) {
	t.Helper()
	var all []string
	var last *assent.Result
	for m, err := range client.Query(t.Context(), prompt) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, told(m))
		if r, ok := m.(*assent.Result); ok {
			last = r
		}
	}
	return all, last
}

// noteTo is a hook that writes down at which event it ran.
func noteTo(list *[]string) hook.Func {
	var mu sync.Mutex
	return func(_ context.Context, call hook.Invocation) (hook.Output, error) {
		mu.Lock()
		defer mu.Unlock()
		*list = append(*list, strings.TrimSuffix(string(call.Input.Event())+":"+call.Input.Subject(), ":"))
		return hook.Output{}, nil
	}
}

// hello is a tool.
func hello(t *testing.T) assent.Tool {
	t.Helper()
	return tool(t, "hello", func(context.Context, struct{}) (string, error) { return "Hello!", nil })
}

func tool[In, Out any](t *testing.T, name string, f func(context.Context, In) (Out, error)) assent.Tool {
	t.Helper()
	made, err := assent.NewTool(name, "It does "+name+".", f)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// soon fails the test if something takes as long as a person would notice.
func soon(t *testing.T, what string, do func()) {
	t.Helper()
	before := time.Now()
	do()
	if took := time.Since(before); took > time.Second {
		t.Errorf("%s took %v", what, took)
	}
}
