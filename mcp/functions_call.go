package mcp

import (
	"cmp"
	"context"
	"encoding"
	"fmt"
	"reflect"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Function is a Go function that is a tool of a server in this process.
type Function struct {
	name, description string
	schema            *jsonschema.Schema
	call              func(ctx context.Context, arguments strictjson.Raw) (any, error)
}

// NewFunction makes a tool of a function. The schema of its input is made of In, a struct
// or a map: fields without omitempty or omitzero are required, others than these are
// refused, and a tag `jsonschema:"…"` describes a field. What the model sends is checked
// against it before the function is called.
//
// The model reads Out: a string or bytes as they are, anything else as JSON. It reads an error, too,
// and a panic is one.
func NewFunction[In, Out any](name, description string, f func(context.Context, In) (Out, error)) (Function, error) {
	if fault := toolNameFault(name); fault != "" {
		return Function{}, fmt.Errorf("no tool can be called %q: %s", name, fault)
	}
	if f == nil {
		return Function{}, fmt.Errorf("the tool %s has no function", name)
	}
	schema, err := schemaFor[In]()
	if err != nil {
		return Function{}, fmt.Errorf("the input of the tool %s: %w", name, err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return Function{}, fmt.Errorf("the schema of the tool %s: %w", name, err)
	}
	return Function{name: name, description: description, schema: schema, call: func(ctx context.Context, arguments strictjson.Raw) (any, error) {
		var input In
		if err := readArguments(arguments, resolved, &input); err != nil {
			return nil, fmt.Errorf("the input is not what the tool %s takes: %w", name, err)
		}
		return f(ctx, input)
	}}, nil
}

// readArguments reads what the model sent, if it is what the schema says.
func readArguments(arguments strictjson.Raw, schema *jsonschema.Resolved, into any) error {
	if len(arguments) == 0 {
		arguments = strictjson.Raw("{}")
	}
	var value any
	if err := strictjson.Unmarshal(arguments, &value); err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return err
	}
	return strictjson.Unmarshal(arguments, into)
}

// run calls the function and answers with what comes back, whatever that is.
func (t Function) run(ctx context.Context, arguments []byte, answer func(*sdk.CallToolResult)) {
	result := said(fmt.Sprintf("The tool %s failed: it has ended without a result.", t.name), failed) // as a test does that calls Fatal
	defer func() {
		if fault := recover(); fault != nil {
			result = said(fmt.Sprintf("The tool %s failed: it panicked: %v", t.name, fault), failed)
		}
		answer(result)
	}()
	result = t.result(t.call(ctx, arguments))
}

// result is what a function returned, as the model reads it.
func (t Function) result(value any, err error) *sdk.CallToolResult {
	if err != nil {
		return said(cmp.Or(err.Error(), fmt.Sprintf("The tool %s failed and did not say why.", t.name)), failed)
	}
	if text, ok := plainText(value); ok {
		return said(text, succeeded)
	}
	text, err := strictjson.Marshal(value)
	if err != nil {
		return said(fmt.Sprintf("The tool %s ran, but its result cannot be written as JSON: %v", t.name, err), failed)
	}
	result := said(string(text), succeeded)
	if len(text) > 0 && text[0] == '{' { // the protocol has a place for objects only
		result.StructuredContent = strictjson.Raw(text)
	}
	return result
}

// plainText is a result that is a text: a string, or bytes, which JSON would make base64 of
// and no model could read. A type that has a JSON form of its own is none.
func plainText(value any) (text string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case interface{ MarshalJSON() ([]byte, error) }, encoding.TextMarshaler:
		return "", false
	}
	if v := reflect.ValueOf(value); v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return string(v.Bytes()), true
	}
	return "", false
}

// success is whether a function did what it was called for.
type success bool

const (
	succeeded success = true
	failed    success = false
)

// said is a result that is a text.
func said(text string, how success) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: valid(text)}}, IsError: how == failed}
}
