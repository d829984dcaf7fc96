package builtin

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/tool"
)

// tasking is a list of tasks with its tools.
type tasking struct {
	t     *testing.T
	list  *Tasks
	tools map[string]tool.Runner
}

func newTasking(t *testing.T) tasking {
	k := tasking{t, NewTasks(), map[string]tool.Runner{}}
	for _, r := range newTaskTools(k.list) {
		k.tools[r.Name()] = r
	}
	return k
}

func (k tasking) call(name string, in input) tool.Result {
	k.t.Helper()
	return k.tools[name].Run(k.t.Context(), jobFor(k.t, k.tools[name], "/", in))
}

func (k tasking) create(subjects ...string) {
	k.t.Helper()
	for _, s := range subjects {
		if result := k.call("TaskCreate", input{"subject": s, "description": "about " + s}); result.Outcome != tool.Succeeded {
			k.t.Fatal(result.Text)
		}
	}
}

func TestTasks_OneAfterTheOther(t *testing.T) {
	k := newTasking(t)
	k.create("a", "b", "c")
	for _, step := range []struct {
		name string
		in   input
		text string
	}{
		{"TaskUpdate", input{"taskId": "2", "addBlockedBy": []any{"#1"}, "owner": "me"}, "Task #2 [pending] b (me) [waits for #1]: saved."},
		{"TaskUpdate", input{"taskId": "#1", "addBlocks": []any{"3"}, "status": "in_progress"}, "Task #1 [in_progress] a: saved."},
		{"TaskList", input{}, "#1 [in_progress] a\n#2 [pending] b (me) [waits for #1]\n#3 [pending] c [waits for #1]"},
		{"TaskGet", input{"taskId": "1"}, "#1 [in_progress] a\nabout a\nWaiting for it: #2, #3"},
		{"TaskUpdate", input{"taskId": "1", "status": "completed", "metadata": map[string]any{"x": 1}}, "Task #1 [completed] a: saved."},
		{"TaskList", input{}, "#1 [completed] a\n#2 [pending] b (me)\n#3 [pending] c"},
		{"TaskGet", input{"taskId": "1"}, "#1 [completed] a\nabout a\nWaiting for it: #2, #3\nMetadata: {\"x\":1}"},
		{"TaskUpdate", input{"taskId": "1", "metadata": map[string]any{"x": nil}}, "Task #1 [completed] a: saved."},
		{"TaskGet", input{"taskId": "1"}, "#1 [completed] a\nabout a\nWaiting for it: #2, #3"},
		{"TaskUpdate", input{"taskId": "3", "status": "deleted"}, "Task #3 [deleted] c [waits for #1]: saved."},
		{"TaskList", input{}, "#1 [completed] a\n#2 [pending] b (me)"},
		{"TaskCreate", input{"subject": "d", "description": ""}, "Task #4 was created: d"},
	} {
		if result := k.call(step.name, step.in); result.Outcome != tool.Succeeded || result.Text != step.text {
			t.Errorf("%s %v: %s, want %s", step.name, step.in, result.Text, step.text)
		}
	}
}

func TestTasks_Data(t *testing.T) {
	k := newTasking(t)
	if got := k.call("TaskCreate", input{"subject": "a", "description": "b"}).Data.String(); got != `{"task":{"id":"1","subject":"a"}}` {
		t.Error(got)
	}
	want := `{"success":true,"taskId":"1","updatedFields":["owner","status"],"statusChange":{"from":"pending","to":"in_progress"}}`
	if got := k.call("TaskUpdate", input{"taskId": "1", "status": "in_progress", "owner": "x"}).Data.String(); got != want {
		t.Error(got)
	}
}

// What is refused changes nothing, and is not told to whoever keeps the list.
func TestTasks_Refused(t *testing.T) {
	k := newTasking(t)
	k.create("a", "b", "c")
	k.call("TaskUpdate", input{"taskId": "2", "addBlockedBy": []any{"1"}})
	k.call("TaskUpdate", input{"taskId": "3", "addBlockedBy": []any{"2"}})
	k.list.Changed = func(task Task) { t.Errorf("told: %+v", task) }
	before := k.call("TaskList", input{}).Text
	for _, in := range []input{
		{"taskId": "9", "status": "completed"},
		{"taskId": "0"},
		{"taskId": "-1"},
		{"taskId": "x"},
		{"taskId": "01", "status": "completed"},
		{"taskId": "+1", "status": "completed"},
		{"taskId": "3", "addBlockedBy": []any{"01"}},
		{"taskId": "1", "addBlocks": []any{"+2"}},
		{"taskId": "1", "addBlockedBy": []any{"1"}, "status": "completed"},
		{"taskId": "1", "addBlockedBy": []any{"3"}, "status": "completed"},
		{"taskId": "3", "addBlocks": []any{"1"}, "status": "completed"},
		{"taskId": "1", "addBlocks": []any{"1"}, "status": "completed"},
		{"taskId": "1", "addBlocks": []any{"2", "7"}, "status": "completed"},
		{"taskId": "1", "subject": " "},
		{"taskId": "1", "description": strings.Repeat("x", maxTask)},
	} {
		if result := k.call("TaskUpdate", in); result.Outcome != tool.Failed || result.Text == "" {
			t.Errorf("%v: %s", in, result.Text)
		}
	}
	if after := k.call("TaskList", input{}).Text; after != before {
		t.Errorf("%s\nwas\n%s", after, before)
	}
}

// Who waits for a task that is deleted waits for it no more, and can be changed.
func TestTasks_NobodyWaitsForADeletedTask(t *testing.T) {
	k := newTasking(t)
	k.create("a", "b", "c", "d")
	kept := map[string]Task{}
	k.list.Changed = func(task Task) { kept[task.ID] = task }
	for _, in := range []input{
		{"taskId": "2", "addBlockedBy": []any{"1", "4"}},
		{"taskId": "3", "addBlockedBy": []any{"1"}},
		{"taskId": "3", "status": "deleted"},
		{"taskId": "1", "status": "deleted"},
		{"taskId": "2", "status": "in_progress"},
		{"taskId": "2", "addBlockedBy": []any{"4"}},
	} {
		if result := k.call("TaskUpdate", in); result.Outcome != tool.Succeeded {
			t.Errorf("%v: %s", in, result.Text)
		}
	}
	if got := k.call("TaskGet", input{"taskId": "2"}).Text; got != "#2 [in_progress] b [waits for #4]\nabout b" {
		t.Error(got)
	}
	if got := kept["2"].BlockedBy; len(got) != 1 || got[0] != "4" {
		t.Errorf("kept %v", got)
	}
	again := newTasking(t) // from a process that wrote only the deletion down
	waiting := Task{ID: "2", Subject: "b", Status: TaskPending, BlockedBy: []string{"1"}}
	if err := again.list.Restore([]Task{kept["1"], waiting}); err != nil {
		t.Fatal(err)
	}
	if result := again.call("TaskUpdate", input{"taskId": "2", "status": "completed"}); result.Outcome != tool.Succeeded {
		t.Error(result.Text)
	}
	if waiting.BlockedBy[0] != "1" {
		t.Error("the list of the caller was changed")
	}
}

func TestTasks_HasAnEnd(t *testing.T) {
	k := newTasking(t)
	for range maxTasks {
		k.create("a")
	}
	if result := k.call("TaskCreate", input{"subject": "a", "description": ""}); result.Outcome != tool.Failed {
		t.Error(result.Text)
	}
}

// What somebody kept makes the same list again.
func TestTasks_Restore(t *testing.T) {
	k := newTasking(t)
	kept := map[string]Task{}
	k.list.Changed = func(task Task) { kept[task.ID] = task }
	k.create("a", "b")
	k.call("TaskUpdate", input{"taskId": "1", "addBlocks": []any{"2"}, "metadata": map[string]any{"k": "v"}})
	again := newTasking(t)
	if err := again.list.Restore([]Task{kept["1"], kept["2"]}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TaskList", "TaskGet"} {
		in := input{}
		if name == "TaskGet" {
			in["taskId"] = "1"
		}
		if got, want := again.call(name, in).Text, k.call(name, in).Text; got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
	if err := again.list.Restore([]Task{kept["2"]}); err == nil {
		t.Error("a list with a hole was taken")
	}
}

func TestTasks_SideBySide(t *testing.T) {
	k := newTasking(t)
	k.create("a")
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { k.call("TaskCreate", input{"subject": fmt.Sprint(i), "description": ""}) })
		all.Go(func() { k.call("TaskUpdate", input{"taskId": "1", "description": fmt.Sprint(i)}) })
		all.Go(func() { k.call("TaskList", input{}) })
	}
	all.Wait()
	if got := len(k.list.all()); got != 21 {
		t.Errorf("%d tasks", got)
	}
}
