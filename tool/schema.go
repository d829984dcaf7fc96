package tool

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/assent-dev/assent/internal/strictjson"
)

// schema is the part of JSON Schema that our tools use. A keyword that is not
// listed here does not compile, so a constraint is never silently ignored.
type schema struct {
	Type                 string             `json:"type"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties additional         `json:"additionalProperties"`
	Items                *schema            `json:"items"`
	MinItems             int                `json:"minItems"`
	MaxItems             *int               `json:"maxItems"`
	MinLength            int                `json:"minLength"`
	Minimum              *float64           `json:"minimum"`
	Maximum              *float64           `json:"maximum"`
	Enum                 []string           `json:"enum"`
	Format               string             `json:"format"`

	// Annotations.
	Dialect     string `json:"$schema"`
	Title       string `json:"title"`
	Description string `json:"description"`

	names []string // of Properties, sorted: problems come in a fixed order
}

// additional says what holds for properties that are not listed.
type additional struct {
	given  bool
	closed bool
	each   *schema // nil: anything
}

// UnmarshalJSON reads true, false or a schema.
func (a *additional) UnmarshalJSON(data []byte) error {
	a.given = true
	switch string(data) {
	case "true":
		return nil
	case "false":
		a.closed = true
		return nil
	}
	return strictjson.UnmarshalKnown(data, &a.each)
}

var (
	schemaTypes   = []string{"object", "array", "string", "number", "integer", "boolean"}
	schemaFormats = []string{"", "uri"}
)

func compile(text []byte) (*schema, error) {
	if len(text) == 0 {
		return nil, errors.New("the tool has no schema")
	}
	var s schema
	if err := strictjson.UnmarshalKnown(text, &s); err != nil {
		return nil, fmt.Errorf("the tool's schema is broken: %w", err)
	}
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("the tool's schema is broken: %w", err)
	}
	return &s, nil
}

// prepare sorts names and refuses what check would misread.
func (s *schema) prepare() error {
	switch {
	case !slices.Contains(schemaTypes, s.Type):
		return fmt.Errorf("unknown type %q", s.Type)
	case !slices.Contains(schemaFormats, s.Format):
		return fmt.Errorf("unknown format %q", s.Format)
	case s.Type == "object" && !s.AdditionalProperties.given:
		return errors.New("an object must say what holds for additionalProperties")
	}
	s.names = slices.Sorted(maps.Keys(s.Properties))
	for _, name := range s.names {
		if s.Properties[name] == nil {
			return fmt.Errorf("property %q has no schema", name)
		}
		if err := s.Properties[name].prepare(); err != nil {
			return fmt.Errorf("property %q: %w", name, err)
		}
	}
	for _, below := range []*schema{s.Items, s.AdditionalProperties.each} {
		if below == nil {
			continue
		}
		if err := below.prepare(); err != nil {
			return err
		}
	}
	return nil
}
