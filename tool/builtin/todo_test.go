package builtin

import (
	"fmt"
	"sync"
	"testing"

	"github.com/assent-dev/assent/tool"
)

func todo(content, status string) map[string]any {
	return map[string]any{"content": content, "status": status, "activeForm": content}
}

func TestTodoWrite_KeepsTheList(t *testing.T) {
	runner := newTodoWrite()
	steps := []struct {
		todos      []any
		text, data string
	}{
		{
			[]any{todo("a", "pending"), todo("b", "in_progress")},
			"The list of todos was saved: 0 completed, 1 in progress, 1 pending.",
			`{"oldTodos":[],"newTodos":[{"activeForm":"a","content":"a","status":"pending"},{"activeForm":"b","content":"b","status":"in_progress"}]}`,
		},
		{
			[]any{todo("a", "completed")},
			"The list of todos was saved: 1 completed, 0 in progress, 0 pending.",
			`{"oldTodos":[{"activeForm":"a","content":"a","status":"pending"},{"activeForm":"b","content":"b","status":"in_progress"}],"newTodos":[{"activeForm":"a","content":"a","status":"completed"}]}`,
		},
		{[]any{}, "The list of todos is empty now.", `{"oldTodos":[{"activeForm":"a","content":"a","status":"completed"}],"newTodos":[]}`},
	}
	for _, step := range steps {
		result := runner.Run(t.Context(), jobFor(t, runner, "/", input{"todos": step.todos}))
		if result.Outcome != tool.Succeeded || result.Text != step.text || result.Data.String() != step.data {
			t.Errorf("outcome %d\n%s\n%s\nwant\n%s\n%s", result.Outcome, result.Text, result.Data, step.text, step.data)
		}
	}
}

// Each session has a list of its own.
func TestTodoWrite_Sessions(t *testing.T) {
	one, two := newTodoWrite(), newTodoWrite()
	one.Run(t.Context(), jobFor(t, one, "/", input{"todos": []any{todo("a", "pending")}}))
	result := two.Run(t.Context(), jobFor(t, two, "/", input{"todos": []any{}}))
	if got := result.Data.String(); got != `{"oldTodos":[],"newTodos":[]}` {
		t.Errorf("got %s", got)
	}
}

func TestTodoWrite_SideBySide(t *testing.T) {
	runner := newTodoWrite()
	var all sync.WaitGroup
	for i := range 20 {
		job := jobFor(t, runner, "/", input{"todos": []any{todo(fmt.Sprint(i), "pending")}})
		all.Go(func() {
			if result := runner.Run(t.Context(), job); result.Outcome != tool.Succeeded {
				t.Error(result.Text)
			}
		})
	}
	all.Wait()
}
