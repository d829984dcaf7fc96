package assent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
)

// What may run depends on where: in production nothing is deleted. The command is taken
// apart, so that what hides behind something harmless is found as well.
func ExampleCanUseTool_environment() {
	destructive := func(command string) bool {
		return slices.ContainsFunc(policy.DescribeShell(command).Parts, func(part policy.ShellPart) bool {
			program, _, _ := strings.Cut(part.Text, " ")
			return program == "rm" || program == "dropdb" || part.Unknown != ""
		})
	}
	decideIn := func(environment string) assent.Option {
		return assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
			var in bash
			if err := call.ToolInput.Decode(&in); err != nil || call.ToolName != "Bash" {
				return assent.No("Only commands may be run."), err
			}
			if environment == "production" && destructive(in.Command) {
				return assent.NoAndStop("Nothing is deleted in production."), nil
			}
			return assent.Yes(), nil
		})
	}

	for _, environment := range []string{"development", "production"} { // os.Getenv in a program
		p := newProject("cache")
		result, err := assent.Run(context.Background(), "Empty the cache", p.with(`
turns:
  - call: {Bash: {command: "true && sh -c 'rm cache'"}}
  - say: It is empty.
`, decideIn(environment))...)
		fmt.Printf("%s: %s, deleted: %v, error: %v\n", environment, result.Subtype, !p.exists("cache"), err != nil)
		p.remove()
	}
	// Output:
	// development: success, deleted: true, error: false
	// production: error_during_execution, deleted: false, error: true
}

// What may run depends on who asks for it. Reading is not asked about in any role; to take
// even that away, use [assent.Tools] or [assent.Deny].
func ExampleCanUseTool_roles() {
	tools := map[string][]string{
		"admin":     {"Bash", "Edit", "Write"},
		"developer": {"Edit", "Write"},
		"viewer":    {},
	}
	as := func(role string) assent.Option {
		return assent.CanUseTool(func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
			if !slices.Contains(tools[role], call.ToolName) {
				return assent.No(fmt.Sprintf("A %s may not use %s.", role, call.ToolName)), nil
			}
			return assent.Yes(), nil
		})
	}

	for _, role := range []string{"admin", "developer", "viewer", "stranger"} {
		p := newProject("notes.txt")
		result, err := assent.Run(context.Background(), "Read, write and run", p.with(`
turns:
  - call: {Read: {file_path: notes.txt}}
  - call: {Write: {file_path: written, content: hello}}
  - call: {Bash: {command: touch touched}}
  - say: Well.
`, as(role))...)
		if err != nil {
			fmt.Println(err)
			return
		}
		var denied []string
		for _, denial := range result.Denials {
			denied = append(denied, denial.ToolName)
		}
		fmt.Printf("%s: denied %v\n", role, denied)
		p.remove()
	}
	// Output:
	// admin: denied []
	// developer: denied [Bash]
	// viewer: denied [Write Bash]
	// stranger: denied [Write Bash]
}

// What may run depends on what it is about: files on which everything depends are left to
// people.
func ExampleCanUseTool_criticalFiles() {
	critical := []string{".env", "go.mod", "Makefile"}
	decide := func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
		if call.ToolName != "Edit" && call.ToolName != "Write" {
			return assent.No("Only files may be changed."), nil
		}
		var in edit
		if err := call.ToolInput.Decode(&in); err != nil {
			return assent.Answer{}, err
		}
		if name := filepath.Base(in.FilePath); slices.Contains(critical, name) {
			return assent.No(fmt.Sprintf("%s is changed by people only. Say what should be changed.", name)), nil
		}
		return assent.Yes(), nil
	}

	p := newProject("go.mod")
	defer p.remove()
	result, err := assent.Run(context.Background(), "Add a dependency", p.with(`
turns:
  - call: {Write: {file_path: main.go, content: package main}}
  - call: {Write: {file_path: go.mod, content: module x}}
  - expect: Say what should be changed.
    say: go.mod needs a line for the new module.
`, assent.CanUseTool(decide))...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.exists("main.go"), len(result.Denials), result.Text)
	// Output: true 1 go.mod needs a line for the new module.
}

// A person says yes or no, for this time or for ever. "Always" takes what the engine
// suggests and keeps it in the settings of the project; "never" adds a rule of its own.
func ExampleYesAlways() {
	// What the person of this example says to each question.
	says := map[string]string{
		"mkdir one":   "once",
		"touch three": "always",
		"chmod 777 .": "never",
	}
	prompt := func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
		var in bash
		if err := call.ToolInput.Decode(&in); err != nil {
			return assent.Answer{}, err
		}
		fmt.Println("asked:", in.Command)
		switch says[in.Command] {
		case "once":
			return assent.Yes(), nil
		case "always":
			return assent.YesAlways(call.Suggestions...), nil
		case "never":
			return assent.NoAlways("Never do that.", permission.Update{
				Type: permission.AddRules, Behavior: rule.Deny, Rules: []string{"Bash(" + rule.Escape(in.Command) + ")"}, Destination: rule.Session,
			}), nil
		}
		return assent.No("Not now."), nil
	}

	p := newProject()
	defer p.remove()
	options := []assent.Option{
		assent.CanUseTool(prompt), assent.SettingSources(rule.LocalSettings), assent.TrustWorkspace(),
	}
	_, err := assent.Run(context.Background(), "Set it up", p.with(`
turns:
  - call: {Bash: {command: mkdir one}}
  - call: {Bash: {command: mkdir two}}
  - call: {Bash: {command: touch three}}
  - call: {Bash: {command: chmod 777 .}}
  - call: {Bash: {command: chmod 777 .}}
  - say: Done.
`, options...)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("another session:")
	_, err = assent.Run(context.Background(), "Once more", p.with(`
turns:
  - call: {Bash: {command: mkdir two}}
  - call: {Bash: {command: touch three}}
  - say: Done.
`, options...)...)
	if err != nil {
		fmt.Println(err)
		return
	}
	settings, err := os.ReadFile(filepath.Join(p.dir, ".claude", "settings.local.json"))
	fmt.Println(strings.Join(strings.Fields(string(settings)), " "), err)
	// Output:
	// asked: mkdir one
	// asked: mkdir two
	// asked: touch three
	// asked: chmod 777 .
	// another session:
	// asked: mkdir two
	// { "permissions": { "allow": [ "Bash(touch three)" ] } } <nil>
}

// answers remembers what was decided, so that the same call need not be decided again. It is
// asked by several goroutines at once when sub-agents work side by side: the lock is only for
// what it knows, so that nobody waits for the decision about another call.
type answers struct {
	decide assent.CanUseToolFunc

	mu    sync.Mutex
	known map[string]assent.Answer
}

func (a *answers) canUseTool(ctx context.Context, call assent.ToolCall) (assent.Answer, error) {
	key := call.ToolName + " " + string(call.ToolInput)
	if answer, ok := a.recall(key); ok {
		return answer, nil
	}
	answer, err := a.decide(ctx, call)
	if err == nil { // what went wrong may work the next time
		a.remember(key, answer)
	}
	return answer, err
}

func (a *answers) recall(key string) (assent.Answer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	answer, ok := a.known[key]
	return answer, ok
}

func (a *answers) remember(key string, answer assent.Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.known[key] = answer
}

// Decisions that cost something, as a question to another service, can be kept.
func ExampleCanUseTool_cache() {
	cache := &answers{known: map[string]assent.Answer{}, decide: func(_ context.Context, call assent.ToolCall) (assent.Answer, error) {
		fmt.Printf("decided: %s\n", call.ToolInput)
		return assent.Yes(), nil
	}}

	p := newProject()
	defer p.remove()
	_, err := assent.Run(context.Background(), "Process all files", p.with(`
turns:
  - call: {Bash: {command: touch a}}
  - call: {Bash: {command: touch b}}
  - call: {Bash: {command: touch a}}
  - say: Done.
`, assent.CanUseTool(cache.canUseTool))...)
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// decided: {"command":"touch a"}
	// decided: {"command":"touch b"}
}
