package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// decider is a tool that answers questions.
type decider struct {
	tool.Named
	says string
}

func (decider) Description() string                         { return "" }
func (decider) Schema() []byte                              { return []byte(`{"type":"object"}`) }
func (decider) Order(*permission.Call) tool.Order           { return tool.Alone }
func (d decider) Run(context.Context, tool.Job) tool.Result { return tool.Succeed(d.says) }

// What is ignored in the answer of a tool is told, as it is of a host.
func TestW3_WhatAToolsAnswerIsIgnoredOf(t *testing.T) {
	var told []string
	asker := agent.ToolAsker{
		Tool: decider{"mcp__desk__judge", `{"behavior":"allow","updatedPermissions":[{"type":"bogus"},{"type":"addRules","destination":"session","behavior":"allow","rules":[{"toolName":"Read"}]}]}`},
		Note: func(text string) { told = append(told, text) },
	}
	answer, err := asker.Ask(t.Context(), agent.Question{Tool: "Bash", Input: strictjson.Raw(`{"command":"make"}`)})
	if err != nil || answer.Behavior != permission.Allow || len(answer.Updates) != 1 {
		t.Errorf("%+v, %v", answer, err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "mcp__desk__judge") || !strings.Contains(told[0], "permission update 1 is ignored") {
		t.Errorf("told %q", told)
	}
	asker.Note = nil // nobody wants to know
	if _, err := asker.Ask(t.Context(), agent.Question{Tool: "Bash", Input: strictjson.Raw(`{}`)}); err != nil {
		t.Error(err)
	}
}
