package assent_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/hook"
)

// A hook parks a call until a person has decided. The process ends; another one goes on
// exactly there, and the call runs once.
func ExampleResume() {
	p := newProject()
	defer p.remove()
	ctx := context.Background()
	wait := assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		return hook.Defer("a deploy needs a person"), nil
	})

	// The first process.
	result, err := assent.Run(ctx, "Deploy it", p.with(`
turns:
  - say: I deploy it.
    call: {Bash: {command: touch deployed}}
`, wait)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.StopReason)
	for _, call := range result.Deferred {
		fmt.Printf("waiting: %s %s\n", call.ToolName, call.ToolInput)
	}

	// Somebody decides, with `assent approve`, in the inbox, or here.
	store, err := approval.Open(p.state)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	tickets, err := store.List(ctx, approval.Query{Session: result.SessionID, States: []approval.State{approval.Pending}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, ticket := range tickets {
		// The digest is that of what the person has seen: nothing else can run.
		if _, err := store.Approve(ctx, ticket.ID, ticket.Digest, "ann", "as agreed on Monday", nil); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("approved:", ticket.Why)
	}

	// The second process goes on without a prompt.
	result, err = assent.Run(ctx, "", p.with(`
turns:
  - say: It is deployed.
`, wait, assent.Resume(result.SessionID))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text, p.exists("deployed"))
	// Output:
	// tool_deferred
	// waiting: Bash {"command":"touch deployed"}
	// approved: a deploy needs a person, says hook function github.com/assent-dev/assent_test.ExampleResume.func1
	// It is deployed. true
}

// Without a prompt only what waits is worked off. What nobody has decided waits on, as often
// as somebody tries; what is denied is told to the model, and the session goes on.
func ExampleResume_decide() {
	p := newProject()
	defer p.remove()
	ctx := context.Background()
	// The hook asks the program's own list of decisions, and waits where there is none.
	decisions := map[string]hook.Output{}
	ask := assent.On("Bash", func(_ context.Context, in hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
		if decision, ok := decisions[in.ToolUseID]; ok {
			return decision, nil
		}
		return hook.Defer("nobody has decided yet"), nil
	})

	result, err := assent.Run(ctx, "Deploy it", p.with(`
turns:
  - call: {tool: Bash, id: toolu_1, input: {command: touch deployed}}
`, ask)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("1:", result.StopReason)

	nothing := "turns: [{error: {status: 500, message: nobody asks the model}}]"
	result, err = assent.Run(ctx, "", p.with(nothing, ask, assent.Resume(result.SessionID))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("2:", result.StopReason)

	decisions[result.Deferred[0].ToolUseID] = hook.Deny("Not on a Friday.")
	result, err = assent.Run(ctx, "", p.with(`
turns:
  - expect: Not on a Friday.
    say: I try again on Monday.
`, ask, assent.Resume(result.SessionID))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("3:", result.StopReason, len(result.Denials), result.Text, p.exists("deployed"))

	_, err = assent.Run(ctx, "", p.with(nothing, ask, assent.Resume(result.SessionID))...)
	fmt.Println("4:", errors.Is(err, assent.ErrNothingPending))
	// Output:
	// 1: tool_deferred
	// 2: tool_deferred
	// 3: end_turn 1 I try again on Monday. false
	// 4: true
}

// The agent has a question, and nobody is there. The question waits; when the person has
// answered, the hook gives the answer in their place.
func ExampleResume_question() {
	p := newProject()
	defer p.remove()
	ctx := context.Background()
	answers := map[string]string{} // by the text of the question
	relay := assent.On("AskUserQuestion", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		if len(answers) == 0 {
			return hook.Defer("the person is not here"), nil
		}
		return hook.AllowWith(map[string]any{"answers": answers})
	})

	result, err := assent.Run(ctx, "Release it", p.with(`
turns:
  - call:
      AskUserQuestion:
        questions:
          - question: Deploy to production?
            header: Deployment
            options: [{label: "Yes", description: now}, {label: "No", description: not today}]
            multiSelect: false
`, relay)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.StopReason, result.Deferred[0].ToolName)

	answers["Deploy to production?"] = "Yes"
	result, err = assent.Run(ctx, "", p.with(`
turns:
  - expect: "Yes"
    say: Then I deploy it to production.
`, relay, assent.Resume(result.SessionID))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output:
	// tool_deferred AskUserQuestion
	// Then I deploy it to production.
}

// Somebody who is there answers the agent's questions at once.
func ExampleAnswers() {
	p := newProject()
	defer p.remove()
	person := assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
		if call.ToolName != "AskUserQuestion" {
			return assent.No("Only questions are answered here."), nil
		}
		return assent.Answers(call, map[string]string{"Which region?": "eu"})
	})
	result, err := assent.Run(context.Background(), "Set it up", p.with(`
turns:
  - call:
      AskUserQuestion:
        questions:
          - question: Which region?
            header: Region
            options: [{label: eu, description: Europe}, {label: us, description: America}]
            multiSelect: false
  - expect: eu
    say: It runs in Europe.
`, person)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output: It runs in Europe.
}

// Only a call that is alone in its turn can wait, unless the program can deal with several.
func ExampleDeferBatch() {
	p := newProject("notes.txt")
	defer p.remove()
	wait := assent.On("Bash", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
		return hook.Defer("somebody has to look at it"), nil
	})
	result, err := assent.Run(context.Background(), "Deploy both", p.with(`
turns:
  - calls:
      - Read: {file_path: notes.txt}
      - Bash: {command: touch one}
      - Bash: {command: touch two}
`, wait, assent.DeferBatch())...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range result.Deferred {
		fmt.Printf("waiting: %s\n", call.ToolInput)
	}
	// Output:
	// waiting: {"command":"touch one"}
	// waiting: {"command":"touch two"}
}
