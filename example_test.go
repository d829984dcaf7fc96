package assent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/permission"
)

// An agent works off a prompt. What only reads runs, what a rule allows runs, and the rest
// is denied while nobody is there to ask. In these examples a script plays the model.
func Example() {
	p := newProject("main.go")
	defer p.remove()
	result, err := assent.Run(context.Background(), "Tidy up", p.with(`
turns:
  - call: {Bash: {command: ls}}
  - expect: main.go
    call: {Bash: {command: mkdir cmd}}
  - call: {Bash: {command: mv main.go cmd}}
  - expect: {failed: true}
    say: There is a directory cmd now. I may not move main.go.
`, assent.Allow("Bash(mkdir:*)"))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	for _, denial := range result.Denials {
		fmt.Printf("denied: %s %s\n", denial.ToolName, denial.ToolInput)
	}
	// Output:
	// There is a directory cmd now. I may not move main.go.
	// denied: Bash {"command":"mv main.go cmd"}
}

// Hooks, rules and a function that answers, in one session: a hook writes down what is
// used, another one stops sudo, reading needs no answer, and everything else is asked about.
func Example_complete() {
	trace := func(_ context.Context, call hook.Invocation) (hook.Output, error) {
		fmt.Println(call.Input.Event(), call.Input.Subject(), call.ToolUseID)
		return hook.Output{}, nil
	}
	noSudo := func(_ context.Context, in hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
		if strings.Contains(string(in.ToolInput), "sudo") {
			return hook.Deny("No sudo here. Work without it."), nil
		}
		return hook.Output{}, nil
	}
	decide := func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
		fmt.Println("asked:", call.ToolName)
		if call.ToolName == "Write" {
			return assent.Yes(), nil
		}
		return assent.No("Only files may be written."), nil
	}

	p := newProject("main.go")
	defer p.remove()
	for message, err := range assent.Query(context.Background(), "Look at the code and improve it", p.with(`
turns:
  - call: {tool: Read, id: toolu_1, input: {file_path: main.go}}
  - call: {tool: Bash, id: toolu_2, input: {command: sudo make install}}
  - expect: No sudo here.
    call: {tool: Write, id: toolu_3, input: {file_path: README.md, content: Read me.}}
  - say: I have written a README.
`,
		assent.PermissionMode(permission.Default),
		assent.OnEvent(hook.PreToolUse, "", trace),
		assent.OnEvent(hook.PostToolUse, "", trace),
		assent.On("Bash", noSudo),
		assent.CanUseTool(decide),
	)...) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch m := message.(type) {
		case *assent.Assistant:
			if text := m.Text(); text != "" {
				fmt.Println("assistant:", text)
			}
		case *assent.Result:
			fmt.Printf("result: %s, %d denied, %d hooks ran\n", m.Subtype, len(m.Denials), len(m.Hooks))
		}
	}
	// Output:
	// PreToolUse Read toolu_1
	// PostToolUse Read toolu_1
	// PreToolUse Bash toolu_2
	// PreToolUse Write toolu_3
	// asked: Write
	// PostToolUse Write toolu_3
	// assistant: I have written a README.
	// result: success, 1 denied, 6 hooks ran
}

// Query yields what happens as it happens, up to the result.
func ExampleQuery() {
	p := newProject("notes.txt")
	defer p.remove()
	for message, err := range assent.Query(context.Background(), "Read the notes", p.with(`
turns:
  - say: I look.
    call: {Read: {file_path: notes.txt}}
  - say: They are empty.
    usage: {input: 1200, output: 80}
`)...) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch m := message.(type) {
		case *assent.Init:
			fmt.Println("mode:", m.PermissionMode)
		case *assent.Assistant:
			if call := m.Call(); call != nil {
				fmt.Printf("call: %s %s\n", call.Name, call.Input)
			} else {
				fmt.Println("text:", m.Text())
			}
		case *assent.Result:
			fmt.Println("turns:", m.NumTurns, "tokens:", m.Usage.InputTokens, m.Usage.OutputTokens)
		}
	}
	// Output:
	// mode: default
	// text: I look.
	// call: Read {"file_path":"notes.txt"}
	// text: They are empty.
	// turns: 2 tokens: 1200 80
}

// To end the context, or to leave the loop, ends the work: nothing of it goes on.
func ExampleQuery_cancel() {
	p := newProject()
	defer p.remove()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for message, err := range assent.Query(ctx, "Make it", p.with(`
turns:
  - call: {Bash: {command: touch made}}
  - say: It is made.
`, assent.Allow("Bash(touch:*)"))...) {
		switch m := message.(type) {
		case *assent.Assistant:
			cancel() // the agent waits for the body of the loop: the call has not run yet
		case *assent.Result:
			fmt.Println(m.Subtype)
		}
		if err != nil {
			fmt.Println(errors.Is(err, context.Canceled), p.exists("made"))
		}
	}
	// Output:
	// error_during_execution
	// true false
}

// Run makes an error of a prompt that did not go well. A call that was denied is none.
func ExampleRun() {
	p := newProject()
	defer p.remove()
	_, err := assent.Run(context.Background(), "Go on and on", p.with(`
turns:
  - {call: {Bash: {command: ls}}, repeat: 9}
`, assent.MaxTurns(2))...)
	var failed *assent.ResultError
	if errors.As(err, &failed) {
		fmt.Println(failed.Result.Subtype)
	}
	// Output: error_max_turns
}

// A client is a conversation of several prompts.
func ExampleClient() {
	p := newProject()
	defer p.remove()
	ctx := context.Background()
	client, err := assent.Open(ctx, p.with(`
turns:
  - say: First the tests, then the code.
  - call: {Write: {file_path: main_test.go, content: package main}}
  - say: The tests are there.
`, assent.PermissionMode(permission.Plan))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	for _, prompt := range []string{"Plan the change", "Begin"} {
		for message, err := range client.Query(ctx, prompt) {
			if err != nil {
				fmt.Println(err)
				return
			}
			if result, ok := message.(*assent.Result); ok {
				fmt.Println(result.Text)
			}
		}
		if err := client.SetPermissionMode(ctx, permission.AcceptEdits); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(p.exists("main_test.go"))
	// Output:
	// First the tests, then the code.
	// The tests are there.
	// true
}

// Interrupt ends what the agent is doing; the conversation can go on.
func ExampleClient_Interrupt() {
	p := newProject()
	defer p.remove()
	ctx := context.Background()
	client, err := assent.Open(ctx, p.with(`
turns:
  - call: {Bash: {command: touch made}}
  - say: What shall I do instead?
`, assent.Allow("Bash(touch:*)"))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	for _, prompt := range []string{"Make it", "Stop, something else"} {
		for message, err := range client.Query(ctx, prompt) {
			if err != nil {
				fmt.Println(err)
				return
			}
			switch m := message.(type) {
			case *assent.Assistant:
				if m.Call() != nil {
					if err := client.Interrupt(ctx); err != nil {
						fmt.Println(err)
					}
				}
			case *assent.Result:
				fmt.Printf("%s %q\n", m.Subtype, m.Text)
			}
		}
	}
	fmt.Println(p.exists("made"))
	// Output:
	// error_during_execution ""
	// success "What shall I do instead?"
	// false
}

// A Go function is a tool. Its input type is the schema that the model sees, and what the
// model sends is checked against it.
func ExampleServe() {
	type order struct {
		Item  string `json:"item" jsonschema:"what to buy"`
		Count int    `json:"count,omitzero" jsonschema:"how many; one unless given"`
	}
	buy, err := assent.NewTool("buy", "Buys something.", func(_ context.Context, o order) (string, error) {
		if o.Item == "yacht" {
			return "", errors.New("there is no money for that")
		}
		return fmt.Sprintf("bought %d %s", max(o.Count, 1), o.Item), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	p := newProject()
	defer p.remove()
	result, err := assent.Run(context.Background(), "We need tea", p.with(`
turns:
  - call: {mcp__shop__buy: {item: tea, count: 2}}
  - expect: bought 2 tea
    call: {mcp__shop__buy: {item: yacht}}
  - expect: there is no money for that
    call: {mcp__shop__buy: {thing: cake}}
  - expect: {failed: true}
    say: We have tea.
`, assent.Serve("shop", buy), assent.Allow("mcp__shop__buy"))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output: We have tea.
}

// The same program can drive an agent outside of this process. Hooks, tools and functions
// that answer stay here.
func ExampleExternal() {
	p := newProject()
	defer p.remove()
	result, err := assent.Run(context.Background(), "Tidy up", p.outside(`
turns:
  - call: {Bash: {command: rm notes.bak}}
  - expect: Move it to the attic.
    say: I leave it alone.
`,
		assent.External("assent"),
		assent.Allow("Bash(rm:*)"),
		assent.On("Bash", func(_ context.Context, in hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
			fmt.Printf("%s\n", in.ToolInput)
			return hook.Deny("Move it to the attic."), nil
		}),
	)...)
	var exit *assent.ExitError
	switch {
	case errors.As(err, &exit):
		fmt.Println("the program has ended too early:", exit)
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(result.Text)
		fmt.Println("denied:", result.Denials[0].Reason)
	}
	// Output:
	// {"command":"rm notes.bak"}
	// I leave it alone.
	// denied: Move it to the attic.
}
