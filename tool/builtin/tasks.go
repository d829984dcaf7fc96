package builtin

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxTasks is how many tasks a session may have, and maxTask how long the texts of one
// may be together.
const (
	maxTasks = 1000
	maxTask  = 64 << 10
)

// Task is one entry of a list of tasks.
type Task struct {
	ID          string         `json:"id"`
	Subject     string         `json:"subject"`
	Description string         `json:"description"`
	ActiveForm  string         `json:"activeForm,omitzero"`
	Status      TaskStatus     `json:"status"`
	Owner       string         `json:"owner,omitzero"`
	BlockedBy   []string       `json:"blockedBy"`
	Metadata    map[string]any `json:"metadata,omitzero"`
}

// TaskStatus is how far a task is.
type TaskStatus string

// The states of a task. One that was deleted keeps its number, so that no other gets it.
const (
	TaskPending   TaskStatus = "pending"
	TaskActive    TaskStatus = "in_progress"
	TaskCompleted TaskStatus = "completed"
	TaskDeleted   TaskStatus = "deleted"
)

// Tasks is the list of tasks that an agent and its sub-agents share. It is safe for
// concurrent use.
type Tasks struct {
	mu   sync.Mutex
	list []Task // the one with the id "1" first
	// Changed is told about every task that is new or has changed, so that somebody can
	// keep it; nil means nobody. It is set before the first tool runs.
	Changed func(Task)
}

// NewTasks is an empty list.
func NewTasks() *Tasks { return &Tasks{} }

// Restore puts the tasks of an earlier process on the list, in their order.
func (t *Tasks) Restore(list []Task) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, task := range list {
		if task.ID != strconv.Itoa(i+1) || len(list) > maxTasks {
			return fmt.Errorf("the list of tasks is damaged at %q", task.ID)
		}
	}
	t.list = slices.Clone(list)
	for i := range t.list { // a process may have died in the middle of a deletion
		t.list[i] = t.list[i].without(func(id string) bool { return t.find(id) == nil })
	}
	return nil
}

// add puts a task on the list and returns it with its number.
func (t *Tasks) add(task Task) (Task, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.list) >= maxTasks {
		return Task{}, fmt.Errorf("there are %d tasks already, and there can be no more: finish what is there, or keep a list in a file", maxTasks)
	}
	task.ID, task.Status = strconv.Itoa(len(t.list)+1), TaskPending
	if err := task.check(); err != nil {
		return Task{}, err
	}
	t.list = append(t.list, task)
	t.tell(task)
	return task, nil
}

// get finds a task; ok is false when there is none of that number.
func (t *Tasks) get(id string) (task Task, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if found := t.find(id); found != nil {
		return *found, true
	}
	return Task{}, false
}

// all are the tasks that were not deleted.
func (t *Tasks) all() []Task {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(t.list), func(task Task) bool { return task.Status == TaskDeleted })
}

// blocks are the tasks that wait for one.
func (t *Tasks) blocks(id string) []string {
	list := []string{}
	for _, task := range t.all() {
		if slices.Contains(task.BlockedBy, id) {
			list = append(list, task.ID)
		}
	}
	return list
}

// taskChange is what is to be changed; nil fields stay.
type taskChange struct {
	ID           string         `json:"taskId"`
	Subject      *string        `json:"subject"`
	Description  *string        `json:"description"`
	ActiveForm   *string        `json:"activeForm"`
	Status       *TaskStatus    `json:"status"`
	Owner        *string        `json:"owner"`
	AddBlocks    []string       `json:"addBlocks"`
	AddBlockedBy []string       `json:"addBlockedBy"`
	Metadata     map[string]any `json:"metadata"`
}

// change changes a task, and those that are to wait for it. All of it happens, or
// nothing does.
func (t *Tasks) change(c taskChange) (before, after Task, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := t.find(c.ID)
	if found == nil {
		return Task{}, Task{}, noTask(c.ID)
	}
	before = *found
	next := map[string]Task{c.ID: c.applied(before)}
	for _, id := range c.AddBlocks {
		waiting := t.find(id)
		if waiting == nil {
			return before, before, noTask(id)
		}
		task := *waiting
		if changed, ok := next[id]; ok {
			task = changed
		}
		task.BlockedBy = added(task.BlockedBy, c.ID)
		next[id] = task
	}
	if next[c.ID].Status == TaskDeleted {
		t.release(c.ID, next)
	}
	for _, task := range next {
		if err := t.allowed(task, next); err != nil {
			return before, before, err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(next)) {
		*t.find(id) = next[id]
		t.tell(next[id])
	}
	return before, next[c.ID], nil
}

// release lets go of what waits for a task that is deleted: it could wait for ever.
func (t *Tasks) release(deleted string, next map[string]Task) {
	for _, task := range t.list {
		if changed, ok := next[task.ID]; ok {
			task = changed
		}
		if task.Status != TaskDeleted && slices.Contains(task.BlockedBy, deleted) {
			next[task.ID] = task.without(func(id string) bool { return id == deleted })
		}
	}
}

// without is the task without some of what it waits for.
func (task Task) without(gone func(id string) bool) Task {
	if slices.ContainsFunc(task.BlockedBy, gone) {
		task.BlockedBy = slices.DeleteFunc(slices.Clone(task.BlockedBy), gone)
	}
	return task
}

// applied is the task after the change.
func (c taskChange) applied(task Task) Task {
	set := func(to *string, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&task.Subject, c.Subject)
	set(&task.Description, c.Description)
	set(&task.ActiveForm, c.ActiveForm)
	set(&task.Owner, c.Owner)
	if c.Status != nil {
		task.Status = *c.Status
	}
	for _, id := range c.AddBlockedBy {
		task.BlockedBy = added(task.BlockedBy, id)
	}
	if len(c.Metadata) > 0 {
		merged := maps.Clone(task.Metadata)
		if merged == nil {
			merged = map[string]any{}
		}
		for key, value := range c.Metadata {
			if value == nil {
				delete(merged, key)
			} else {
				merged[key] = value
			}
		}
		task.Metadata = merged
	}
	return task
}

// allowed refuses a task that would wait for one that does not exist, or for itself.
func (t *Tasks) allowed(task Task, next map[string]Task) error {
	if err := task.check(); err != nil {
		return err
	}
	for _, id := range task.BlockedBy {
		if t.find(id) == nil {
			return noTask(id)
		}
		if t.waitsFor(id, task.ID, next, map[string]bool{}) {
			return fmt.Errorf("the tasks %s and %s would wait for each other", task.ID, id)
		}
	}
	return nil
}

// waitsFor: the task id waits for another one, or for one that does.
func (t *Tasks) waitsFor(id, other string, next map[string]Task, seen map[string]bool) bool {
	if id == other {
		return true
	}
	if seen[id] {
		return false
	}
	seen[id] = true
	task, ok := next[id]
	if found := t.find(id); !ok && found != nil {
		task = *found
	}
	return slices.ContainsFunc(task.BlockedBy, func(b string) bool { return t.waitsFor(b, other, next, seen) })
}

// find is a task that was not deleted. Its number has one spelling: a list that knew two
// would take a task for another.
func (t *Tasks) find(id string) *Task {
	n, err := strconv.Atoi(id)
	if err != nil || strconv.Itoa(n) != id || n < 1 || n > len(t.list) || t.list[n-1].Status == TaskDeleted {
		return nil
	}
	return &t.list[n-1]
}

func (t *Tasks) tell(task Task) {
	if t.Changed != nil {
		t.Changed(task)
	}
}

func (task Task) check() error {
	if strings.TrimSpace(task.Subject) == "" {
		return errors.New("a task needs a subject")
	}
	if size := len(data(task)); size > maxTask {
		return fmt.Errorf("the task would be %d bytes long, and %d is the limit: put what is long into a file", size, maxTask)
	}
	return nil
}

func noTask(id string) error {
	return fmt.Errorf("there is no task %q (TaskList shows those there are)", id)
}

// added is a list with one more id.
func added(list []string, id string) []string {
	if slices.Contains(list, id) {
		return list
	}
	return append(slices.Clone(list), id)
}
