package terminal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
)

// fieldPage shows what a server wants to know.
func (a *Asker) fieldPage(f mcp.Field, place string) string {
	p := a.newPage(true)
	p.say(ordinary, place+pick(f.Required, "", " (may be left out)")+":")
	title := orElse(f.Title, f.Name)
	if f.Description != "" {
		title += " - " + f.Description
	}
	p.quote(source, title)
	for i, c := range f.Choices {
		p.plain(quoted(source, fmt.Sprintf("%d. ", i+1), c.Title, p.width))
	}
	if f.Default != nil {
		p.say(ordinary, "The server proposes:")
		p.quote(exact, string(f.Default))
	}
	return p.text.String()
}

// fieldWays lists what may be typed.
func fieldWays(f mcp.Field) string {
	list := []string{"a text"}
	switch {
	case f.Kind == mcp.ChoicesField:
		list[0] = "numbers (1,3)"
	case len(f.Choices) > 0 && f.Kind == mcp.TextField:
		list[0] = "a number from the list"
	case f.Kind == mcp.NumberField || f.Kind == mcp.IntegerField:
		list[0] = "a number"
	case f.Kind == mcp.YesNoField:
		list[0] = "y or n"
	}
	if !f.Required {
		list = append(list, "Enter leaves it out")
	}
	if f.Default != nil {
		list = append(list, "/default")
	}
	return strings.Join(append(list, "/decline", "/cancel"), " | ")
}

// fieldValue is what was typed, as JSON.
func fieldValue(f mcp.Field, reply string) (strictjson.Raw, error) {
	reply = strings.ToValidUTF8(reply, "\uFFFD")
	switch f.Kind {
	case mcp.TextField:
		if len(f.Choices) == 0 {
			return marshal(reply)
		}
		chosen, err := chosenValues(f, reply)
		if err != nil || len(chosen) != 1 {
			return nil, errors.New("want one of the numbers in the list")
		}
		return marshal(chosen[0])
	case mcp.ChoicesField:
		chosen, err := chosenValues(f, reply)
		if err != nil {
			return nil, err
		}
		return marshal(chosen)
	case mcp.NumberField, mcp.IntegerField:
		if n, err := strconv.ParseInt(reply, 10, 64); err == nil {
			return marshal(n)
		}
		n, err := strconv.ParseFloat(reply, 64)
		if err != nil {
			return nil, errors.New("want a number")
		}
		return marshal(n)
	case mcp.YesNoField:
		switch strings.ToLower(reply) {
		case "y", "yes":
			return strictjson.Raw("true"), nil
		case "n", "no":
			return strictjson.Raw("false"), nil
		}
		return nil, errors.New("want y or n")
	}
	return nil, errors.New("nobody knows this kind of field")
}

func marshal(value any) (strictjson.Raw, error) {
	raw, err := strictjson.Marshal(value)
	return raw, err
}

// chosenValues are the values behind numbers.
func chosenValues(f mcp.Field, reply string) ([]string, error) {
	chosen := []string{}
	for _, word := range strings.FieldsFunc(reply, func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(f.Choices) {
			return nil, errors.New("want numbers from the list")
		}
		chosen = append(chosen, f.Choices[n-1].Value)
	}
	return chosen, nil
}
