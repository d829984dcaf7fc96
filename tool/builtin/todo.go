package builtin

import (
	"context"
	"fmt"
	"sync"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// todoTool keeps the model's list of what is to do. The list lives as long as the
// session; it is a note of the model's to itself and the person who watches.
type todoTool struct {
	base
	mu    sync.Mutex
	todos []any
}

func newTodoWrite() *todoTool { return &todoTool{base: newBase("TodoWrite")} }

// Order is Alone: of two lists in one turn the one that was written last must stay.
func (*todoTool) Order(*permission.Call) tool.Order { return tool.Alone }

func (t *todoTool) Run(_ context.Context, job tool.Job) tool.Result {
	todos, _ := job.Call.Input["todos"].([]any)
	t.mu.Lock()
	old := t.todos
	t.todos = todos
	t.mu.Unlock()
	result := tool.Succeed(progress(todos))
	result.Data = data(struct {
		Old []any `json:"oldTodos"`
		New []any `json:"newTodos"`
	}{old, todos})
	return result
}

// progress says what was noted, so that the model need not read its own list again.
func progress(todos []any) string {
	if len(todos) == 0 {
		return "The list of todos is empty now."
	}
	var pending, active, done int
	for _, todo := range todos {
		entry, _ := todo.(map[string]any)
		switch entry["status"] {
		case "in_progress":
			active++
		case "completed":
			done++
		default:
			pending++
		}
	}
	return fmt.Sprintf("The list of todos was saved: %d completed, %d in progress, %d pending.", done, active, pending)
}
