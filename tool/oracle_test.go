package tool_test

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/tool"
)

// oracle compiles all schemas with a complete JSON Schema implementation.
func oracle(t testing.TB) map[string]*jsonschema.Schema {
	t.Helper()
	compiled := map[string]*jsonschema.Schema{}
	for _, d := range tool.Builtin() {
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.Schema()))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		compiler.AssertFormat()
		if err := compiler.AddResource("assent:"+d.Name(), document); err != nil {
			t.Fatal(err)
		}
		if compiled[d.Name()], err = compiler.Compile("assent:" + d.Name()); err != nil {
			t.Fatal(err)
		}
	}
	return compiled
}

// Our validator and the complete one agree on every input.
func TestAgreesWithAFullImplementation(t *testing.T) {
	full := oracle(t)
	valid := 0
	rapid.Check(t, func(rt *rapid.T) {
		d := rapid.SampledFrom(tool.Builtin()).Draw(rt, "tool")
		value := instance(rt, d.Schema())
		input, err := strictjson.Marshal(value)
		if err != nil {
			rt.Fatal(err)
		}
		got, want := d.Validate(input), full[d.Name()].Validate(value)
		if (got == nil) != (want == nil) {
			rt.Fatalf("%s %s:\nours:   %v\ntheirs: %v", d.Name(), input, got, want)
		}
		if got == nil {
			valid++
		}
	})
	if valid == 0 {
		t.Error("no valid input was drawn: the test proves little")
	}
}

func FuzzValidate(f *testing.F) {
	full := oracle(f)
	tools := tool.Builtin()
	for i, d := range tools {
		f.Add(i, []byte(`{"command":"ls","file_path":"a","url":"https://a","todos":[{}]}`))
		f.Add(i, d.Schema())
	}
	f.Fuzz(func(t *testing.T, index int, input []byte) {
		if index < 0 || index >= len(tools) {
			return
		}
		d := tools[index]
		err := d.Validate(input)
		var value any
		if strictjson.Unmarshal(input, &value) != nil {
			if err == nil {
				t.Fatalf("%s accepts %q, which is not strict JSON", d.Name(), input)
			}
			return
		}
		if want := full[d.Name()].Validate(value); (err == nil) != (want == nil) {
			t.Fatalf("%s %s:\nours:   %v\ntheirs: %v", d.Name(), input, err, want)
		}
	})
}

type node struct {
	Type       string                    `json:"type"`
	Properties map[string]strictjson.Raw `json:"properties"`
	Required   []string                  `json:"required"`
	Additional strictjson.Raw            `json:"additionalProperties"`
	Items      strictjson.Raw            `json:"items"`
	Enum       []string                  `json:"enum"`
	Format     string                    `json:"format"`
}

// instance draws a value that mostly follows the schema and errs now and then.
func instance(rt *rapid.T, schema []byte) any {
	if rapid.IntRange(0, 24).Draw(rt, "err") == 0 {
		return anything(rt)
	}
	var n node
	if err := strictjson.Unmarshal(schema, &n); err != nil {
		rt.Fatal(err)
	}
	switch n.Type {
	case "object":
		return n.object(rt)
	case "array":
		list := []any{}
		for range rapid.IntRange(0, 5).Draw(rt, "items") {
			list = append(list, instance(rt, n.Items))
		}
		return list
	case "string":
		return n.text(rt)
	case "boolean":
		return rapid.Bool().Draw(rt, "bool")
	default:
		return rapid.SampledFrom([]float64{0, 1, 2, 1.5, -1, 599999.5, 600000, 600001, math.MaxFloat64}).Draw(rt, "number")
	}
}

func (n node) object(rt *rapid.T) any {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		skip := 2
		if slices.Contains(n.Required, name) {
			skip = 25
		}
		if rapid.IntRange(1, skip).Draw(rt, "keep "+name) > 1 {
			object[name] = instance(rt, n.Properties[name])
		}
	}
	if n.Additional.String() != "false" {
		for range rapid.IntRange(0, 2).Draw(rt, "more") {
			object[rapid.String().Draw(rt, "name")] = anything(rt)
		}
	} else if rapid.IntRange(0, 24).Draw(rt, "extra") == 0 {
		object[rapid.SampledFrom([]string{"", "COMMAND", "x/y"}).Draw(rt, "name")] = anything(rt)
	}
	return object
}

func (n node) text(rt *rapid.T) string {
	switch {
	case len(n.Enum) > 0:
		return rapid.SampledFrom(append(n.Enum, "", "other")).Draw(rt, "enum")
	case n.Format == "uri":
		return rapid.SampledFrom([]string{"https://a.example/b", "mailto:a@b", "a.example", "/a", "", "https://[::1", "http://%zz", "HTTP://A"}).Draw(rt, "uri")
	default:
		return rapid.SampledFrom([]string{"", "x", "é", "ls -la", "\x00"}).Draw(rt, "text")
	}
}

func anything(rt *rapid.T) any {
	return rapid.SampledFrom([]any{nil, true, "", "x", 0.0, 1.5, []any{}, []any{"x"}, map[string]any{}, map[string]any{"x": 1.0}}).Draw(rt, "any")
}
