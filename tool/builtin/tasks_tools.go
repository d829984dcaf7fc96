package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// taskTool is one of the tools that work on the list of tasks.
type taskTool struct {
	base
	run func(job tool.Job) tool.Result
}

// newTaskTools are the tools of one list.
func newTaskTools(list *Tasks) []tool.Runner {
	return []tool.Runner{
		taskTool{newBase("TaskCreate"), list.runCreate},
		taskTool{newBase("TaskGet"), list.runGet},
		taskTool{newBase("TaskList"), list.runList},
		taskTool{newBase("TaskUpdate"), list.runUpdate},
	}
}

// Order: the list is safe for concurrent use, but its numbers follow the order of the
// calls.
func (t taskTool) Order(*permission.Call) tool.Order {
	switch t.Name() {
	case "TaskGet", "TaskList":
		return tool.Beside
	}
	return tool.Alone
}

func (t taskTool) Run(_ context.Context, job tool.Job) tool.Result { return t.run(job) }

func (t *Tasks) runCreate(job tool.Job) tool.Result {
	var input Task
	if err := strictjson.Unmarshal(job.Input, &input); err != nil {
		return tool.Fail(err.Error())
	}
	input.BlockedBy = []string{}
	task, err := t.add(input)
	if err != nil {
		return tool.Fail(err.Error())
	}
	result := tool.Succeed(fmt.Sprintf("Task #%s was created: %s", task.ID, task.Subject))
	result.Data = data(struct {
		Task taskName `json:"task"`
	}{taskName{task.ID, task.Subject}})
	return result
}

type taskName struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
}

func (t *Tasks) runGet(job tool.Job) tool.Result {
	id, _ := job.Call.Input["taskId"].(string)
	task, ok := t.get(bare(id))
	if !ok {
		return tool.Fail(noTask(id).Error())
	}
	shown := struct {
		Task
		Blocks []string `json:"blocks"`
	}{task, t.blocks(task.ID)}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", line(task, nil), task.Description)
	if len(shown.Blocks) > 0 {
		fmt.Fprintf(&b, "\nWaiting for it: %s", numbers(shown.Blocks))
	}
	if len(task.Metadata) > 0 {
		fmt.Fprintf(&b, "\nMetadata: %s", data(task.Metadata))
	}
	result := tool.Succeed(b.String())
	result.Data = data(struct {
		Task any `json:"task"`
	}{shown})
	return result
}

func (t *Tasks) runList(tool.Job) tool.Result {
	tasks := t.all()
	if len(tasks) == 0 {
		return tool.Succeed("There are no tasks.")
	}
	var lines []string
	for _, task := range tasks {
		lines = append(lines, line(task, tasks))
	}
	result := tool.Succeed(strings.Join(lines, "\n"))
	result.Data = data(struct {
		Tasks []Task `json:"tasks"`
	}{tasks})
	return result
}

// line is a task in one line. What it waits for is only what is not completed; nil means
// that all is.
func line(task Task, among []Task) string {
	text := fmt.Sprintf("#%s [%s] %s", task.ID, task.Status, task.Subject)
	if task.Owner != "" {
		text += " (" + task.Owner + ")"
	}
	waits := slices.DeleteFunc(slices.Clone(task.BlockedBy), func(id string) bool {
		return among != nil && !slices.ContainsFunc(among, func(other Task) bool { return other.ID == id && other.Status != TaskCompleted })
	})
	if len(waits) > 0 {
		text += " [waits for " + numbers(waits) + "]"
	}
	return text
}

// bare is the number of a task. Models write it as they have read it: "#3".
func bare(id string) string { return strings.TrimPrefix(id, "#") }

func numbers(ids []string) string { return "#" + strings.Join(ids, ", #") }

func (t *Tasks) runUpdate(job tool.Job) tool.Result {
	var change taskChange
	if err := strictjson.Unmarshal(job.Input, &change); err != nil {
		return tool.Fail(err.Error())
	}
	change.ID = bare(change.ID)
	for _, ids := range [][]string{change.AddBlocks, change.AddBlockedBy} {
		for i := range ids {
			ids[i] = bare(ids[i])
		}
	}
	before, after, err := t.change(change)
	if err != nil {
		return tool.Fail(err.Error())
	}
	result := tool.Succeed("Task " + line(after, nil) + ": saved.")
	type statusChange struct {
		From TaskStatus `json:"from"`
		To   TaskStatus `json:"to"`
	}
	changed := struct {
		Success bool          `json:"success"`
		ID      string        `json:"taskId"`
		Fields  []string      `json:"updatedFields"`
		Status  *statusChange `json:"statusChange,omitzero"`
	}{Success: true, ID: after.ID, Fields: change.fields()}
	if before.Status != after.Status {
		changed.Status = &statusChange{before.Status, after.Status}
	}
	result.Data = data(changed)
	return result
}

// fields names what is to be changed.
func (c taskChange) fields() []string {
	list := []string{}
	for name, set := range map[string]bool{
		"subject": c.Subject != nil, "description": c.Description != nil, "activeForm": c.ActiveForm != nil, "status": c.Status != nil,
		"owner": c.Owner != nil, "blocks": len(c.AddBlocks) > 0, "blockedBy": len(c.AddBlockedBy) > 0, "metadata": len(c.Metadata) > 0,
	} {
		if set {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
