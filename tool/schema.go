package tool

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// schema is the part of JSON Schema that our tools use.
type schema struct {
	kind       string // object, array, string, number, integer, boolean
	properties map[string]*schema
	required   []string
	additional additional
	items      *schema
	minItems   int
	maxItems   *int
	minLength  int
	minimum    *float64
	maximum    *float64
	enum       []string
	format     string

	names []string // of properties, sorted: problems come in a fixed order
}

// additional says what holds for properties that are not listed.
type additional struct {
	given  bool
	closed bool
	each   *schema // nil: anything
}

var (
	schemaTypes   = []string{"object", "array", "string", "number", "integer", "boolean"}
	schemaFormats = []string{"", "uri"}
)

func compile(text []byte) (*schema, error) {
	if len(text) == 0 {
		return nil, errors.New("the tool has no schema")
	}
	s, err := readSchema(text)
	if err == nil {
		err = s.prepare()
	}
	if err != nil {
		return nil, fmt.Errorf("the tool's schema is broken: %w", err)
	}
	return s, nil
}

// prepare sorts names and refuses what check would misread.
func (s *schema) prepare() error {
	switch {
	case !slices.Contains(schemaTypes, s.kind):
		return fmt.Errorf("unknown type %q", s.kind)
	case !slices.Contains(schemaFormats, s.format):
		return fmt.Errorf("unknown format %q", s.format)
	case s.kind == "object" && !s.additional.given:
		return errors.New("an object must say what holds for additionalProperties")
	}
	s.names = slices.Sorted(maps.Keys(s.properties))
	for _, name := range s.names {
		if err := s.properties[name].prepare(); err != nil {
			return fmt.Errorf("property %q: %w", name, err)
		}
	}
	for _, below := range []*schema{s.items, s.additional.each} {
		if below == nil {
			continue
		}
		if err := below.prepare(); err != nil {
			return err
		}
	}
	return nil
}
