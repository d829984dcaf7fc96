package tool

import (
	"errors"
	"sync"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

var _ permission.Tool = (*Definition)(nil)

// Definition is what is known about one tool before it is called. It is safe for
// concurrent use.
type Definition struct {
	name    string
	kind    permission.Kind
	subject string

	once     sync.Once
	compiled *schema
	broken   error
}

// Name is the tool's name as the model calls it.
func (d *Definition) Name() string { return d.name }

// Kind is the family it belongs to.
func (d *Definition) Kind() permission.Kind { return d.kind }

// Subject is the property that a rule's content is about ("command",
// "file_path", "url"), or "" when rules can only name the tool as a whole.
func (d *Definition) Subject() string { return d.subject }

// Schema is the JSON Schema of the input, draft 2020-12, as the model gets it.
func (d *Definition) Schema() []byte {
	text, err := schemas.ReadFile("schema/" + d.name + ".json")
	if err != nil {
		return nil
	}
	return text
}

// Validate checks an input. Its error is an [*InvalidError].
func (d *Definition) Validate(input []byte) error {
	_, err := d.Decode(input)
	return err
}

// Decode is [Definition.Validate] that also returns the decoded input, so that
// what was judged need not be read a second time.
func (d *Definition) Decode(input []byte) (map[string]any, error) {
	schema, err := d.schema()
	if err != nil {
		return nil, d.invalid(Problem{Message: err.Error()})
	}
	var value any
	if err := strictjson.Unmarshal(input, &value); err != nil {
		return nil, d.invalid(unreadable(err))
	}
	if problems := schema.check(value); len(problems) > 0 {
		return nil, d.invalid(problems...)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, d.invalid(Problem{Message: "want object"})
	}
	return object, nil
}

func (d *Definition) schema() (*schema, error) {
	d.once.Do(func() { d.compiled, d.broken = compile(d.Schema()) })
	return d.compiled, d.broken
}

func (d *Definition) invalid(problems ...Problem) error {
	return &InvalidError{Tool: d.name, Problems: problems}
}

func unreadable(err error) Problem {
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return Problem{Path: e.Pointer, Message: e.Message}
	}
	return Problem{Message: err.Error()}
}
