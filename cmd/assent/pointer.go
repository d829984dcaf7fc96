package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// lookup finds the value that a JSON pointer names; nil when there is none. A string
// that holds a JSON object or array is looked into, because that is how most tools
// of MCP servers return data.
func lookup(text strictjson.Raw, pointer string) (strictjson.Raw, error) {
	if pointer == "" {
		return text, nil
	}
	steps := strings.Split(pointer, "/")
	if steps[0] != "" {
		return nil, fmt.Errorf("%q is no JSON pointer: it starts with a slash, as in /tool_input/command", pointer)
	}
	at := ""
	for _, step := range steps[1:] {
		inside, err := unpack(text)
		if err != nil {
			return nil, fmt.Errorf("the text in %s is not JSON: %w", at, err)
		}
		if text, err = child(inside, unescape(step)); text == nil || err != nil {
			return nil, err
		}
		at += "/" + step
	}
	return text, nil
}

func unescape(step string) string {
	return strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
}

// unpack is what a string holds if that looks like JSON; else the value itself.
func unpack(value strictjson.Raw) (strictjson.Raw, error) {
	if kind(value) != '"' {
		return value, nil
	}
	var text string
	if err := strictjson.Unmarshal(value, &text); err != nil {
		return nil, err
	}
	text = strings.TrimSpace(text)
	if k := kind(strictjson.Raw(text)); k != '{' && k != '[' {
		return value, nil
	}
	return strictjson.Raw(text), strictjson.Valid([]byte(text))
}

// child is one member of an object or array; nil when there is none.
func child(value strictjson.Raw, name string) (strictjson.Raw, error) {
	switch kind(value) {
	case '{':
		var members map[string]strictjson.Raw
		err := strictjson.Unmarshal(value, &members)
		return members[name], err
	case '[':
		var elements []strictjson.Raw
		err := strictjson.Unmarshal(value, &elements)
		i, notANumber := strconv.ParseUint(name, 10, 31)
		if err != nil || notANumber != nil || name != strconv.FormatUint(i, 10) || i >= uint64(len(elements)) {
			return nil, err
		}
		return elements[i], nil
	}
	return nil, nil
}

// kind is the first character of a value; zero for nothing.
func kind(value strictjson.Raw) byte {
	text := strings.TrimSpace(string(value))
	if text == "" {
		return 0
	}
	return text[0]
}
