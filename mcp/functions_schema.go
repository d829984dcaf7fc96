package mcp

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaFor is the schema of an input.
func schemaFor[In any]() (*jsonschema.Schema, error) {
	in := reflect.TypeFor[In]()
	if kind := in.Kind(); kind != reflect.Struct && kind != reflect.Map {
		return nil, fmt.Errorf("models call tools with an object, and %s is none: use a struct, or a map with keys that are strings", in)
	}
	own := map[reflect.Type]*jsonschema.Schema{}
	if err := ownForms(in, own, map[reflect.Type]bool{}); err != nil {
		return nil, err
	}
	schema, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: own})
	if err != nil {
		return nil, err
	}
	if schema.Type != "object" {
		return nil, fmt.Errorf("%s has a JSON form of its own, and models call tools with an object: use a struct, or a map", in)
	}
	return schema, nil
}

// ownForms finds the types inside of another whose JSON is not what their fields say, so
// that the schema never promises what reading would refuse.
func ownForms(t reflect.Type, found map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) error {
	if seen[t] {
		return nil
	}
	seen[t] = true
	if form, err := ownForm(t); err != nil || form != nil {
		found[t] = form
		return err
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return ownForms(t.Elem(), found, seen)
	case reflect.Struct:
		for field := range t.Fields() {
			if !field.IsExported() && !field.Anonymous || field.Tag.Get("json") == "-" {
				continue
			}
			if err := ownForms(field.Type, found, seen); err != nil {
				return fmt.Errorf("%s: %w", field.Name, err)
			}
		}
	}
	return nil
}

// ownForm is the schema of a type that has a JSON form of its own; nil if it has none.
func ownForm(t reflect.Type) (*jsonschema.Schema, error) {
	has := func(method reflect.Type) bool { return t.Implements(method) || reflect.PointerTo(t).Implements(method) }
	switch {
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer:
		return nil, nil
	case t == reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}, nil
	case t == reflect.TypeFor[time.Duration]():
		return nil, errors.New("time.Duration has no JSON form that a model could guess: use a number, and say in which unit")
	case has(reflect.TypeFor[interface{ UnmarshalJSON([]byte) error }]()):
		return &jsonschema.Schema{}, nil // only it knows
	case has(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return &jsonschema.Schema{Type: "string"}, nil
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}, nil
	}
	return nil, nil
}
