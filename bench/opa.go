package main

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

// opaModule finds a tool's name in an object, which OPA indexes, and tries the
// directories of one tool in turn.
const opaModule = `package bench

default permitted := false

permitted if {
	matches(data.rules.permit)
	not matches(data.rules.forbid)
}

matches(rules) if rules.tools[input.tool]

matches(rules) if {
	some dir in rules.dirs[input.tool]
	startswith(input.path, dir)
}
`

// opaQuery decides with a prepared query over a document of the statements.
type opaQuery struct{ query rego.PreparedEvalQuery }

func writeOPA(policy []statement) loader {
	data, err := json.Marshal(map[string]any{"rules": map[string]any{
		"permit": opaDocument(policy, permit),
		"forbid": opaDocument(policy, forbid),
	}})
	return func(ctx context.Context) (contender, error) {
		if err != nil {
			return nil, err
		}
		return newOPA(ctx, data)
	}
}

// newOPA takes the options with which decisions are fastest.
func newOPA(ctx context.Context, data []byte) (contender, error) {
	store := inmem.NewFromReaderWithOpts(bytes.NewReader(data), inmem.OptReturnASTValuesOnRead(true), inmem.OptRoundTripOnWrite(false))
	query, err := rego.New(
		rego.Query("data.bench.permitted"),
		rego.Module("bench.rego", opaModule),
		rego.Store(store),
	).PrepareForEval(ctx)
	if err != nil {
		return nil, err
	}
	return opaQuery{query}, nil
}

// opaDocument is the data of the statements of one effect: tools by name, and
// directories under the tool they are about.
func opaDocument(policy []statement, e effect) map[string]any {
	tools, dirs := map[string]any{}, map[string][]any{}
	for _, s := range policy {
		switch {
		case s.effect != e:
		case s.dir == "":
			tools[s.tool] = true
		default:
			dirs[s.tool] = append(dirs[s.tool], s.dir+"/")
		}
	}
	byTool := make(map[string]any, len(dirs))
	for tool, list := range dirs {
		byTool[tool] = list
	}
	return map[string]any{"tools": tools, "dirs": byTool}
}

func (o opaQuery) prepare(questions []question) (func(int) verdict, error) {
	inputs := make([]ast.Value, len(questions))
	for i, q := range questions {
		input, err := ast.InterfaceToValue(map[string]any{"tool": q.tool, "path": q.path})
		if err != nil {
			return nil, err
		}
		inputs[i] = input
	}
	ctx := context.Background()
	return func(i int) verdict {
		results, err := o.query.Eval(ctx, rego.EvalParsedInput(inputs[i]))
		switch {
		case err != nil:
			return 0
		case results.Allowed():
			return permitted
		}
		return refused
	}, nil
}
