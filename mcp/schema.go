package mcp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// schemaOf is the schema of a tool's input. A model request with one schema that the
// Messages API does not take is refused as a whole, so a tool that has one is left out.
func schemaOf(t *sdk.Tool) (strictjson.Raw, error) {
	object, ok := t.InputSchema.(map[string]any)
	if !ok {
		return nil, errors.New("the schema of its input is no object")
	}
	switch object["type"] {
	case "object":
	case nil:
		object["type"] = "object"
	default:
		return nil, errors.New("its input is no object")
	}
	if deeper(object, maxDepth) {
		return nil, fmt.Errorf("the schema of its input is nested more than %d deep", maxDepth)
	}
	if err := checkInput(object); err != nil {
		return nil, fmt.Errorf("models do not take the schema of its input: %w", err)
	}
	schema, err := strictjson.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("the schema of its input: %w", err)
	}
	if len(schema) > maxSchema {
		return nil, fmt.Errorf("the schema of its input has %d bytes, more than %d", len(schema), maxSchema)
	}
	return schema, nil
}

// deeper: a value is nested more than so deep.
func deeper(value any, depth int) bool {
	if depth < 0 {
		return true
	}
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			if deeper(inner, depth-1) {
				return true
			}
		}
	case []any:
		for _, inner := range v {
			if deeper(inner, depth-1) {
				return true
			}
		}
	}
	return false
}

// maxProperty is how long the name of an input's member may be.
const maxProperty = 64

// checkInput finds what the API does not take at the top of a schema, and then below.
func checkInput(schema map[string]any) error {
	for _, word := range []string{"oneOf", "anyOf", "allOf"} {
		if _, there := schema[word]; there {
			return fmt.Errorf("it has %s at its top", word)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !propertyName(name) {
			return fmt.Errorf("the name of the property %s must have 1 to %d letters, digits, _ - or dots", quoted(name), maxProperty)
		}
	}
	return checkSchema(schema)
}

func propertyName(name string) bool {
	return name != "" && len(name) <= maxProperty && strings.IndexFunc(name, func(r rune) bool { return notNameRune(r) && r != '.' }) < 0
}

// checkSchema finds what is no schema of draft 2020-12. Members that are not known mean
// nothing, and everything is right for them.
func checkSchema(schema map[string]any) error {
	for _, word := range slices.Sorted(maps.Keys(schema)) {
		if err := checkMember(word, schema[word]); err != nil {
			return err
		}
	}
	return nil
}

func checkMember(word string, value any) error {
	switch word {
	case "type":
		return checkType(value)
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return checkEach(word, value)
	case "items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties":
		return checkSub(word, value)
	case "oneOf", "anyOf", "allOf", "prefixItems":
		return checkList(word, value)
	case "required":
		list, ok := value.([]any)
		if !ok || slices.ContainsFunc(list, func(v any) bool { _, isText := v.(string); return !isText }) {
			return errors.New("required is no list of names")
		}
	case "enum":
		if _, ok := value.([]any); !ok {
			return errors.New("enum is no list")
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		switch value.(type) {
		case nil, bool, string, []any, map[string]any:
			return fmt.Errorf("%s is no number", word)
		}
	case "title", "description", "pattern", "format", "$ref":
		if _, ok := value.(string); !ok {
			return fmt.Errorf("%s is no text", word)
		}
	}
	return nil
}

func checkType(value any) error {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	for _, one := range list {
		switch one {
		case "object", "array", "string", "number", "integer", "boolean", "null":
		default:
			return fmt.Errorf("there is no type %s", quoted(fmt.Sprint(one)))
		}
	}
	if len(list) == 0 {
		return errors.New("type is an empty list")
	}
	return nil
}

// checkSub: a schema is an object, or a boolean for all or nothing.
func checkSub(word string, value any) error {
	switch v := value.(type) {
	case map[string]any:
		return checkSchema(v)
	case bool:
		return nil
	}
	return fmt.Errorf("%s is no schema", word)
}

func checkEach(word string, value any) error {
	all, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("%s is no object", word)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := checkSub(quoted(name)+" in "+word, all[name]); err != nil {
			return err
		}
	}
	return nil
}

func checkList(word string, value any) error {
	all, ok := value.([]any)
	if !ok || len(all) == 0 {
		return fmt.Errorf("%s is no list of schemas", word)
	}
	for _, one := range all {
		if err := checkSub("a part of "+word, one); err != nil {
			return err
		}
	}
	return nil
}
