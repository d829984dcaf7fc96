package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/tool"
)

// assent decides with the engine and a context of the policy's rules.
type assent struct {
	engine  *permission.Engine
	context *permission.Context
}

func writeAssent(policy []statement) loader {
	list := make([]ruleText, 0, len(policy))
	for _, s := range policy {
		list = append(list, s.rule())
	}
	return func(context.Context) (contender, error) { return newAssent(list) }
}

// ruleText is a rule as it stands in one of the lists of a settings file.
type ruleText struct {
	behavior rule.Behavior
	text     string
}

// rule is the statement in the language of settings files.
func (s statement) rule() ruleText {
	behavior := rule.Allow
	if s.effect == forbid {
		behavior = rule.Deny
	}
	switch inProject, ok := strings.CutPrefix(s.dir, project); {
	case s.dir == "":
		return ruleText{behavior, s.tool}
	case ok:
		return ruleText{behavior, s.tool + "(" + inProject + "/**)"}
	}
	return ruleText{behavior, s.tool + "(/" + s.dir + "/**)"}
}

func newAssent(list []ruleText) (*assent, error) {
	tools, err := tool.NewSet(tool.Builtin()...)
	if err != nil {
		return nil, err
	}
	rules := make([]rule.Rule, 0, len(list))
	for i, l := range list {
		r, _, syntax := rule.Read(l.text, l.behavior, rule.Origin{Source: rule.ProjectSettings, File: "settings.json", Line: i + 1})
		if syntax != nil {
			return nil, syntax
		}
		rules = append(rules, r)
	}
	ctx, err := permission.NewContext(permission.Config{Cwd: project, Home: home, Rules: rules})
	if err != nil {
		return nil, err
	}
	a := &assent{permission.NewEngine(withServers{tools}, permission.NoLinks{}), ctx}
	return a, a.firstDecisions(ctx)
}

// firstDecisions makes decisions of every kind, until nothing is left that is only
// prepared when it is needed.
func (a *assent) firstDecisions(ctx *permission.Context) error {
	for range 20 {
		for tool, input := range map[string]string{
			"Bash": `{"command":"git status && cat x"}`, "Read": `{"file_path":"x"}`, "Edit": `{"file_path":"x","old_string":"a","new_string":"b"}`,
		} {
			call, err := a.engine.Validate(ctx, permission.Request{Tool: tool, Input: []byte(input)})
			if err != nil {
				return err
			}
			a.engine.Decide(ctx, call)
		}
	}
	return nil
}

func (a *assent) prepare(questions []question) (func(int) verdict, error) {
	calls := make([]*permission.Call, len(questions))
	for i, q := range questions {
		call, err := a.validate(q)
		if err != nil {
			return nil, err
		}
		calls[i] = call
	}
	return func(i int) verdict {
		if a.engine.Decide(a.context, calls[i]).Behavior == permission.Allow {
			return permitted
		}
		return refused
	}, nil
}

func (a *assent) validate(q question) (*permission.Call, error) {
	input := map[string]any{}
	if q.path != "" {
		input["file_path"] = q.path
	}
	if q.tool == "Edit" {
		input["old_string"], input["new_string"] = "a", "b"
	}
	data, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	call, err := a.engine.Validate(a.context, permission.Request{Tool: q.tool, Input: data})
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", q.tool, data, err)
	}
	return call, nil
}

// withServers are the built-in tools and those of MCP servers, which take any object.
type withServers struct{ builtin *tool.Set }

func (t withServers) Lookup(name string) (permission.Tool, bool) {
	if strings.HasPrefix(name, "mcp__") {
		return tool.Named(name), true
	}
	return t.builtin.Lookup(name)
}
