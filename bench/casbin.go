package main

import (
	"context"
	"slices"

	"github.com/casbin/casbin/v3"
	"github.com/casbin/casbin/v3/model"
)

// casbinModel: a statement is a line of policy, and a forbidding one wins.
const casbinModel = `
[request_definition]
r = tool, path

[policy_definition]
p = tool, path, eft

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = r.tool == p.tool && keyMatch(r.path, p.path)
`

// casbinChunk is how many lines are added between two looks at the clock.
const casbinChunk = 5_000

type casbinEnforcer struct{ enforcer *casbin.Enforcer }

func writeCasbin(policy []statement) loader {
	lines := casbinLines(policy)
	return func(ctx context.Context) (contender, error) { return newCasbin(ctx, lines) }
}

func newCasbin(ctx context.Context, lines [][]string) (contender, error) {
	m, err := model.NewModelFromString(casbinModel)
	if err != nil {
		return nil, err
	}
	enforcer, err := casbin.NewEnforcer(m)
	if err != nil {
		return nil, err
	}
	for chunk := range slices.Chunk(lines, casbinChunk) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := enforcer.AddPolicies(chunk); err != nil {
			return nil, err
		}
	}
	return casbinEnforcer{enforcer}, nil
}

func casbinLines(policy []statement) [][]string {
	lines := make([][]string, 0, len(policy))
	for _, s := range policy {
		path, effect := "*", "allow"
		if s.dir != "" {
			path = s.dir + "/*"
		}
		if s.effect == forbid {
			effect = "deny"
		}
		lines = append(lines, []string{s.tool, path, effect})
	}
	return lines
}

func (c casbinEnforcer) prepare(questions []question) (func(int) verdict, error) {
	requests := make([][]any, len(questions))
	for i, q := range questions {
		requests[i] = []any{q.tool, q.path}
	}
	return func(i int) verdict {
		ok, err := c.enforcer.Enforce(requests[i]...)
		switch {
		case err != nil:
			return 0
		case ok:
			return permitted
		}
		return refused
	}, nil
}
