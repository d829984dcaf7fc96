package agent

import (
	"context"
	"fmt"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
	"github.com/assent-dev/assent/tool"
)

// verdictInterrupted is what the model reads about a call that was cut off.
const verdictInterrupted = "Not run: the work was interrupted."

// execute runs a call that is allowed. Its record comes first: what cannot be recorded
// does not run.
func (r *run) execute(ctx context.Context, m *matter) outcome {
	switch {
	case m.halt: // a hook wants to stop here: the call is listed as denied
		return r.refuse(m, joined("Not run: a hook stopped the session", m.judged.Verdict.HaltReason))
	case m.Name == "ExitPlanMode" && m.snapshot.Mode() != permission.Plan:
		return r.error(m, "Not run: the session is not in plan mode, so there is none to leave.")
	}
	m.asking.Wait() // who else was asked is on record, too
	if err := r.record(m, allowed, ""); err != nil {
		return r.unrecorded(m, err)
	}
	if err := r.recordChange(m); err != nil {
		return r.unrecorded(m, err)
	}
	runner := r.tools.byName[m.Name]
	result := runSafely(ctx, runner, tool.Job{
		Call: m.judged.Call, Input: m.judged.Input, ToolUseID: m.ID, Cwd: m.snapshot.Cwd(), MayRead: r.mayRead(m.snapshot),
	})
	if result.Mode != 0 {
		r.switchMode(result.Mode)
	}
	return r.after(ctx, m, result)
}

// recordChange writes down what runs, where it is not what the model wrote.
func (r *run) recordChange(m *matter) error {
	if sameJSON(m.judged.Input, m.call.Input) {
		return nil
	}
	change := session.Change{ToolUseID: m.ID, Input: m.judged.Input, By: []string{}}
	for _, c := range m.changes {
		change.By = append(change.By, c.Hook)
	}
	if m.resolution.Answer.UpdatedInput != nil {
		change.By = append(change.By, m.answeredBy())
	}
	return r.config.Transcript.Append(session.Changed, change)
}

// runSafely runs a tool. One that panics has failed; it does not take the session with it.
func runSafely(ctx context.Context, runner tool.Runner, job tool.Job) (result tool.Result) {
	defer func() {
		if fault := recover(); fault != nil {
			result = tool.Fail(fmt.Sprintf("The tool failed: %v (please report it)", fault))
		}
	}()
	return runner.Run(ctx, job)
}

// tellHalt says that a hook stops the session, and why.
func (a *Agent) tellHalt(verdict hook.Verdict) {
	if verdict.Halt {
		a.warn("A hook stopped the session: %s", orElse(verdict.HaltReason, "it gave no reason"))
	}
}

// switchMode changes the mode for a tool. Leaving plan mode goes back to the mode in
// which it was entered.
func (r *run) switchMode(mode permission.Mode) {
	if mode != permission.Plan {
		r.mu.Lock()
		if r.resume != 0 {
			mode = r.resume
		}
		r.mu.Unlock()
	}
	if err := r.SetMode(mode); err != nil {
		r.warn("The permission mode stays as it is: %v.", err)
	}
}

// mayRead judges files that a search finds: those that a rule keeps from being read are
// left out.
func (r *run) mayRead(snapshot *permission.Context) func(string) bool {
	if _, ok := r.tools.byName["Read"]; !ok { // nobody can say, so nobody may
		return func(string) bool { return false }
	}
	return func(path string) bool {
		input, err := strictjson.Marshal(map[string]string{"file_path": path})
		if err != nil {
			return false
		}
		call, err := r.engine.Validate(snapshot, permission.Request{Tool: "Read", Input: input})
		if err != nil {
			return false
		}
		d := r.engine.Decide(snapshot, call)
		byRule := d.Reason.Kind == permission.ByRule || d.Reason.Kind == permission.ByMaybeRule
		return d.Behavior == permission.Allow || !byRule && d.Behavior == permission.Ask
	}
}

// after hears the hooks about what came of a call, and makes the result of it.
func (r *run) after(ctx context.Context, m *matter, result tool.Result) outcome {
	o := outcome{context: m.context, halt: m.halt, data: data(result)}
	verdict := r.hooks(outlive(ctx), hook.Occasion{Input: r.afterInput(m, result, o.data), ToolUseID: m.ID, Call: m.judged.Call})
	o.context = append(o.context, verdict.Feedback...)
	o.context = append(o.context, verdict.Context...)
	o.halt = o.halt || verdict.Halt
	r.tellHalt(verdict)
	shown := result
	if replaced := firstOf(verdict.ToolOutput, verdict.MCPToolOutput); replaced != nil && result.Outcome == tool.Succeeded {
		if err := r.config.Transcript.Append(session.Ran, ran{ToolUseID: m.ID, Data: o.data, Text: result.Text}); err != nil {
			o.err = err
			return o
		}
		shown.Text, shown.Blocks = plain(replaced), nil
	}
	o.result = model.Block{
		Kind: model.ToolResult, ToolUseID: m.ID, IsError: result.Outcome != tool.Succeeded, Result: blocks(shown),
	}
	if o.result.IsError {
		o.data = quoted("Error: " + result.Text)
	}
	return o
}

// afterInput is what hooks are told about a call that ran.
func (r *run) afterInput(m *matter, result tool.Result, data strictjson.Raw) hook.Input {
	base := r.base()
	if result.Outcome == tool.Succeeded {
		return hook.PostToolUseInput{Base: base, ToolName: m.Name, ToolInput: m.judged.Input, ToolResponse: data, ToolUseID: m.ID}
	}
	return hook.PostToolUseFailureInput{
		Base: base, ToolName: m.Name, ToolInput: m.judged.Input, ToolUseID: m.ID,
		Error: result.Text, IsInterrupt: result.Outcome == tool.Interrupted,
	}
}

// ran is a result as it was before a hook changed what the model sees of it.
type ran struct {
	ToolUseID string         `json:"tool_use_id"`
	Text      string         `json:"text"`
	Data      strictjson.Raw `json:"data"`
}

// data is the result for programs.
func data(result tool.Result) strictjson.Raw {
	if result.Data != nil {
		return result.Data
	}
	return quoted(result.Text)
}

// blocks are what the model sees of a result.
func blocks(result tool.Result) []model.Block {
	if result.Blocks == nil {
		return []model.Block{model.TextBlock(result.Text)}
	}
	list := make([]model.Block, 0, len(result.Blocks))
	for _, raw := range result.Blocks {
		list = append(list, model.Block{Raw: raw})
	}
	return list
}

// plain is a value of a hook as text: a string is itself, anything else its JSON.
func plain(value strictjson.Raw) string {
	var text string
	if err := strictjson.Unmarshal(value, &text); err == nil {
		return text
	}
	return string(value)
}

func firstOf(values ...strictjson.Raw) strictjson.Raw {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// refuse is a call that may not run: it is on record and listed.
func (r *run) refuse(m *matter, text string) outcome {
	m.asking.Wait()
	if err := r.record(m, denied, text); err != nil {
		return r.unrecorded(m, err)
	}
	o := failure(m.call, text)
	o.denied, o.halt, o.context = true, m.halt, m.context
	return o
}

// error is a call that cannot run, because it is none: it is on record and not listed.
func (r *run) error(m *matter, text string) outcome {
	if err := r.record(m, failed, text); err != nil {
		return r.unrecorded(m, err)
	}
	o := failure(m.call, text)
	o.halt, o.context = m.halt, m.context
	return o
}

// unrecorded is a decision that could not be written down.
func (r *run) unrecorded(m *matter, err error) outcome {
	o := failure(m.call, "Not run: the decision could not be recorded.")
	o.err = fmt.Errorf("the decision about a call cannot be recorded: %w", err)
	r.broken.Store(&o.err)
	return o
}
