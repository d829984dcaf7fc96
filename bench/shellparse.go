package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// commands are what agents run all day, from one word to a small script.
var commands = []string{
	`git status`,
	`go test -race ./internal/... 2>&1 | tail -50`,
	`git add -A && git commit -m "fix: an empty list is no error"`,
	`cd web && npm run build --if-present && ls -la dist`,
	`find . -name '*.go' -not -path './vendor/*' | xargs grep -n "func Test" | sort | uniq -c`,
	`kubectl get pods -n "$NAMESPACE" -o json | jq -r '.items[].metadata.name'`,
	`for f in logs/*.log; do gzip -9 "$f"; done`,
	`docker compose -f deploy/compose.yml up -d --build && docker compose logs --tail=100 api`,
}

// shellRules are n rules: a few that are about the commands, and those of an
// organisation with many tools of its own.
func shellRules(n int) []ruleText {
	list := []ruleText{
		{rule.Allow, "Bash(go test:*)"},
		{rule.Allow, "Bash(npm run build:*)"},
		{rule.Allow, "Bash(git commit -m *)"},
		{rule.Ask, "Bash(git push:*)"},
		{rule.Deny, "Bash(rm -rf:*)"},
	}
	for i := len(list); i < n; i++ {
		switch i % 5 {
		case 0:
			list = append(list, ruleText{rule.Deny, fmt.Sprintf("Bash(tool%d drop:*)", i)})
		case 1:
			list = append(list, ruleText{rule.Ask, fmt.Sprintf("Bash(tool%d deploy *)", i)})
		default:
			list = append(list, ruleText{rule.Allow, fmt.Sprintf("Bash(tool%d run:*)", i)})
		}
	}
	return list
}

// shellFigures are what one command costs.
type shellFigures struct {
	command  string
	parse    figure // mvdan.cc/sh alone
	validate figure // the input's JSON and schema
	decide   []figure
}

// compareShell measures uncached decisions on every command beside the parser on
// the same text.
func compareShell(sizes []int, e effort) ([]shellFigures, error) {
	engines := make([]*assent, len(sizes))
	for i, n := range sizes {
		a, err := newAssent(shellRules(n))
		if err != nil {
			return nil, err
		}
		engines[i] = a
	}
	runtime.GC() // loading left garbage, which whoever allocates first would sweep
	var all []shellFigures
	for _, command := range commands {
		f, err := compareCommand(command, engines, e)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

func compareCommand(command string, engines []*assent, e effort) (shellFigures, error) {
	input, err := json.Marshal(map[string]string{"command": command, "description": "what an agent says it is for"})
	if err != nil {
		return shellFigures{}, err
	}
	request := permission.Request{Tool: "Bash", Input: input}
	runners := []runner{
		{"parse", 1, parsing(command)},
		{"validate", 1, func(int) { _, _ = engines[0].engine.Validate(engines[0].context, request) }},
	}
	for _, a := range engines {
		call, err := a.engine.Validate(a.context, request)
		if err != nil {
			return shellFigures{}, err
		}
		runners = append(runners, runner{"decide", 1, a.deciding(*call)})
	}
	figures := e.compare(runners)
	return shellFigures{command, figures[0], figures[1], figures[2:]}, nil
}

// deciding decides a copy each time, so that a call which keeps how its command was
// understood would be parsed again all the same.
func (a *assent) deciding(call permission.Call) func(int) {
	return func(int) {
		fresh := call
		_ = a.engine.Decide(a.context, &fresh)
	}
}

// parsing uses one parser and one reader over and over, the fastest way there is.
func parsing(command string) func(int) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var text strings.Reader
	return func(int) {
		text.Reset(command)
		_, _ = parser.Parse(&text, "")
	}
}
