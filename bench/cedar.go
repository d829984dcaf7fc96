package main

import (
	"context"
	"fmt"
	"strconv"

	cedar "github.com/cedar-policy/cedar-go"
)

// cedarPolicies decides with one Cedar policy for each statement.
type cedarPolicies struct{ set *cedar.PolicySet }

func writeCedar(policy []statement) loader {
	texts := make([][]byte, 0, len(policy))
	for _, s := range policy {
		texts = append(texts, []byte(s.cedar()))
	}
	return func(ctx context.Context) (contender, error) { return newCedar(ctx, texts) }
}

func newCedar(ctx context.Context, texts [][]byte) (contender, error) {
	set := cedar.NewPolicySet()
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var p cedar.Policy
		if err := p.UnmarshalCedar(text); err != nil {
			return nil, err
		}
		set.Add(cedar.PolicyID("policy"+strconv.Itoa(i)), &p)
	}
	return cedarPolicies{set}, nil
}

// cedar is the statement as a Cedar policy: the tool is the action.
func (s statement) cedar() string {
	keyword := "permit"
	if s.effect == forbid {
		keyword = "forbid"
	}
	scope := fmt.Sprintf("%s (principal, action == Action::%q, resource)", keyword, s.tool)
	if s.dir == "" {
		return scope + ";"
	}
	return fmt.Sprintf("%s when { resource.path like %q };", scope, s.dir+"/*")
}

func (c cedarPolicies) prepare(questions []question) (func(int) verdict, error) {
	requests := make([]cedar.Request, len(questions))
	entities := make([]cedar.EntityMap, len(questions))
	for i, q := range questions {
		file := cedar.NewEntityUID("File", cedar.String(q.path))
		requests[i] = cedar.Request{
			Principal: cedar.NewEntityUID("Agent", "main"),
			Action:    cedar.NewEntityUID("Action", cedar.String(q.tool)),
			Resource:  file,
		}
		entities[i] = cedar.EntityMap{file: {
			UID:        file,
			Attributes: cedar.NewRecord(cedar.RecordMap{"path": cedar.String(q.path)}),
		}}
	}
	return func(i int) verdict {
		if decision, _ := cedar.Authorize(c.set, entities[i], requests[i]); decision == cedar.Allow {
			return permitted
		}
		return refused
	}, nil
}
