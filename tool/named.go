package tool

import (
	"errors"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Named is a tool of which only the name is known, as those of MCP servers and of
// other agents: any object is an input, and without a rule it asks.
type Named string

var _ permission.Tool = Named("")

// Name is the tool's name as the model calls it.
func (t Named) Name() string { return string(t) }

// Kind is [permission.Other].
func (t Named) Kind() permission.Kind { return permission.Other }

// Subject is "": rules can only name the tool as a whole.
func (t Named) Subject() string { return "" }

// Decode reads an object, strictly.
func (t Named) Decode(input []byte) (map[string]any, error) {
	var value any
	if err := strictjson.Unmarshal(input, &value); err != nil {
		if fault, ok := errors.AsType[*strictjson.Error](err); ok {
			return nil, errors.New(string(t) + " input: " + fault.Message)
		}
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New(string(t) + " input: want object")
	}
	return object, nil
}
