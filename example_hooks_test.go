package assent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/hook"
)

// A PreToolUse hook sees every command before it runs and stops those that could destroy
// data. The model reads the reason and can do something else.
func ExampleOn_blockDangerousCommands() {
	dangerous := regexp.MustCompile(`\brm\s+-rf\s+/|\bmkfs\b|\bdd\s+if=`)
	block := assent.On("Bash", func(_ context.Context, in hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
		var bash struct {
			Command string `json:"command"`
		}
		if err := in.ToolInput.Decode(&bash); err != nil {
			return hook.Output{}, err // a hook that fails denies the call
		}
		if dangerous.MatchString(bash.Command) {
			return hook.Deny("The command could destroy data. Delete single files by their name."), nil
		}
		return hook.Output{}, nil // no opinion: the rules decide
	})

	p := newProject("old.tmp")
	defer p.remove()
	result, err := assent.Run(context.Background(), "Delete all temporary files", p.with(`
turns:
  - call: {Bash: {command: "rm -rf /tmp/*"}}
  - expect: could destroy data
    call: {Bash: {command: rm old.tmp}}
  - say: I have deleted old.tmp.
`, block, assent.Allow("Bash(rm:*)"))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, denial := range result.Denials {
		fmt.Printf("denied: %s %s\n", denial.ToolName, denial.ToolInput)
	}
	fmt.Println(result.Text)
	// Output:
	// denied: Bash {"command":"rm -rf /tmp/*"}
	// I have deleted old.tmp.
}

// PostToolUse hooks run when a call has run, PostToolUseFailure hooks when it has run and
// failed. They can log how tools are used.
func ExampleOn_logToolUse() {
	logger := log.New(os.Stdout, "", 0)
	worked := func(_ context.Context, in hook.PostToolUseInput, _ hook.Invocation) (hook.Output, error) {
		logger.Printf("%s %s: ok", in.ToolUseID, in.ToolName)
		return hook.Output{}, nil
	}
	failed := func(_ context.Context, in hook.PostToolUseFailureInput, _ hook.Invocation) (hook.Output, error) {
		logger.Printf("%s %s: failed", in.ToolUseID, in.ToolName)
		return hook.Output{}, nil
	}

	p := newProject("main.go")
	defer p.remove()
	result, err := assent.Run(context.Background(), "Analyse the code", p.with(`
turns:
  - call: {tool: Read, id: toolu_1, input: {file_path: main.go}}
  - call: {tool: Read, id: toolu_2, input: {file_path: missing.go}}
  - say: There is one file.
`, assent.On("", worked), assent.On("", failed))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output:
	// toolu_1 Read: ok
	// toolu_2 Read: failed
	// There is one file.
}

// A UserPromptSubmit hook gives the model something to read beside the prompt.
func ExampleOn_addContext() {
	addModule := assent.On("", func(_ context.Context, in hook.UserPromptSubmitInput, _ hook.Invocation) (hook.Output, error) {
		text, err := os.ReadFile(filepath.Join(in.Cwd, "go.mod"))
		if err != nil {
			return hook.Output{}, err // the prompt goes on without it, and the result says why
		}
		return hook.Context("The project: " + strings.TrimSpace(string(text))), nil
	})

	p := newProject()
	defer p.remove()
	p.write("go.mod", "module example.com/shop\n")
	result, err := assent.Run(context.Background(), "What is this?", p.with(`
turns:
  - expect: "The project: module example.com/shop"
    say: A shop.
`, addModule)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output: A shop.
}

// A SessionStart hook prepares a session. Its matcher says for which: those that are new,
// and not those that go on or start over after a summary.
func ExampleOn_startSession() {
	preferences := map[string]string{"language": "British English", "tests": "table tests"}
	load := assent.On("startup", func(_ context.Context, in hook.SessionStartInput, _ hook.Invocation) (hook.Output, error) {
		text, err := json.Marshal(preferences)
		if err != nil {
			return hook.Output{}, err
		}
		fmt.Println("source:", in.Source)
		return hook.Context("The user's preferences: " + string(text)), nil
	})

	p := newProject()
	defer p.remove()
	result, err := assent.Run(context.Background(), "Hello", p.with(`
turns:
  - expect: British English
    say: Good afternoon.
`, load)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output:
	// source: startup
	// Good afternoon.
}

// A PreCompact hook runs before a long conversation is replaced by a summary: the last
// moment to keep all of it. The message that it returns is for the person.
func ExampleOn_archiveBeforeSummary() {
	p := newProject()
	defer p.remove()
	archive := filepath.Join(p.home, "archive.jsonl")
	keep := assent.On("", func(_ context.Context, in hook.PreCompactInput, _ hook.Invocation) (hook.Output, error) {
		text, err := os.ReadFile(in.TranscriptPath)
		if err != nil {
			return hook.Output{}, err
		}
		if err := os.WriteFile(archive, text, 0o600); err != nil {
			return hook.Output{}, err
		}
		return hook.Message("The conversation was archived before the " + in.Trigger + " summary."), nil
	})

	client, err := assent.Open(context.Background(), p.with(`
turns:
  - say: Four.
  - say: We talked about sums.
`, keep)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	for _, prompt := range []string{"What is two and two?", "/compact"} {
		for message, err := range client.Query(context.Background(), prompt) {
			if err != nil {
				fmt.Println(err)
				return
			}
			if note, ok := message.(*assent.Informational); ok {
				fmt.Println(note.Text)
			}
		}
	}
	text, err := os.ReadFile(archive)
	fmt.Println("archived:", strings.Contains(string(text), "two and two"), err)
	// Output:
	// The conversation was archived before the manual summary.
	// archived: true <nil>
}

// Several hooks run for one event, side by side; a matcher says for which tools. What one
// of them denies is denied, whatever the others say.
func ExampleOn_severalMatchers() {
	onlyTests := func(_ context.Context, in hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
		if !strings.Contains(string(in.ToolInput), "test") {
			return hook.Deny("Only the tests may be run."), nil
		}
		return hook.Allow(), nil
	}
	notGenerated := func(_ context.Context, in hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
		if strings.Contains(string(in.ToolInput), ".pb.go") {
			return hook.Deny("That file is generated. Change the .proto file."), nil
		}
		return hook.Output{}, nil
	}
	var used []string
	note := func(_ context.Context, in hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
		used = append(used, in.ToolName) // one call after the other: nothing to lock
		return hook.Output{}, nil
	}

	p := newProject("api.pb.go")
	defer p.remove()
	result, err := assent.Run(context.Background(), "Refactor the API", p.with(`
turns:
  - call: {Bash: {command: rm api.pb.go}}
  - call: {Write: {file_path: api.pb.go, content: package api}}
  - call: {Bash: {command: echo test}}
  - call: {Glob: {pattern: "*.go"}}
  - say: That was all I could do.
`,
		assent.On("Bash", onlyTests),
		assent.On("Edit|Write", notGenerated),
		assent.On("", note), // for every tool
	)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("used:", used)
	for _, denial := range result.Denials {
		fmt.Println("denied:", denial.ToolName)
	}
	// Output:
	// used: [Bash Write Bash Glob]
	// denied: Bash
	// denied: Write
}

// One function can serve several events: what it is told says at which it runs.
func ExampleOnEvent() {
	trace := func(_ context.Context, call hook.Invocation) (hook.Output, error) {
		switch in := call.Input.(type) {
		case hook.PreToolUseInput:
			fmt.Println("before:", in.ToolName)
		case hook.PostToolUseInput:
			fmt.Println("after:", in.ToolName)
		case hook.StopInput:
			fmt.Println("the end:", in.LastAssistantMessage)
		}
		return hook.Output{}, nil
	}

	p := newProject("notes.txt")
	defer p.remove()
	_, err := assent.Run(context.Background(), "Read the notes", p.with(`
turns:
  - call: {Read: {file_path: notes.txt}}
  - say: They are empty.
`,
		assent.OnEvent(hook.PreToolUse, "", trace),
		assent.OnEvent(hook.PostToolUse, "", trace),
		assent.OnEvent(hook.Stop, "", trace),
	)...)
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// before: Read
	// after: Read
	// the end: They are empty.
}

// A hook need not hold anything up. One that is asynchronous runs in the background and
// decides nothing; the session waits for it before it ends.
func ExampleHooks_async() {
	reported := make(chan string, 1)
	report := hook.Typed("report", func(ctx context.Context, in hook.PreToolUseInput, _ hook.Invocation) (hook.Output, error) {
		// Something slow, as a request to a dashboard. It has to end when ctx does.
		reported <- in.ToolName
		return hook.Output{}, nil
	})

	p := newProject("notes.txt")
	defer p.remove()
	result, err := assent.Run(context.Background(), "Read the notes", p.with(`
turns:
  - call: {Read: {file_path: notes.txt}}
  - say: They are empty.
`, assent.Hooks(hook.Entry{Event: hook.PreToolUse, Handler: report, Async: true, Timeout: 30 * time.Second}))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	fmt.Println("reported:", <-reported)
	// Output:
	// They are empty.
	// reported: Read
}

// Hooks of any kind can be added: here a command, which runs only for what a rule matches.
func ExampleHooks_command() {
	command, err := hook.ShellCommand(`echo "Use the release job instead." >&2; exit 2`)
	if err != nil {
		fmt.Println(err)
		return
	}
	pushes, err := hook.ParseCondition("Bash(git push:*)")
	if err != nil {
		fmt.Println(err)
		return
	}

	p := newProject()
	defer p.remove()
	result, err := assent.Run(context.Background(), "Publish it", p.with(`
turns:
  - call: {Bash: {command: "cd . && git push --force"}}
  - expect: Use the release job instead.
    say: I leave that to the release job.
`, assent.Hooks(hook.Entry{Event: hook.PreToolUse, Handler: command, If: pushes}), assent.Allow("Bash"))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Text)
	// Output: I leave that to the release job.
}

// A hook may depend on anything that a program knows: here nothing runs outside of
// business hours. The clock is a value, so that a test can set it.
func ExampleOn_businessHours() {
	onlyFrom9To17 := func(now func() time.Time) assent.Option {
		return assent.On("", func(context.Context, hook.PreToolUseInput, hook.Invocation) (hook.Output, error) {
			if hour := now().Hour(); hour < 9 || hour >= 17 {
				return hook.Deny("Nothing runs outside of business hours (9 to 17). Say what you would do tomorrow."), nil
			}
			return hook.Output{}, nil
		})
	}

	p := newProject("notes.txt")
	defer p.remove()
	for _, hour := range []int{10, 22} {
		clock := func() time.Time { return time.Date(2026, time.March, 2, hour, 0, 0, 0, time.UTC) } // time.Now in a program
		result, err := assent.Run(context.Background(), "Read the notes", p.with(`
turns:
  - call: {Read: {file_path: notes.txt}}
  - say: Well.
`, onlyFrom9To17(clock))...)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("at %d: %d denied\n", hour, len(result.Denials))
	}
	// Output:
	// at 10: 0 denied
	// at 22: 1 denied
}
