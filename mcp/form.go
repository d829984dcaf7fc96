package mcp

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Form is what a server wants to know from a person: a few simple fields. There is no
// other kind of question in the protocol.
type Form struct{ Fields []Field }

// Field is one thing to fill in.
type Field struct {
	// Name is the key in the answer; Title and Description, if any, are for the person.
	Name, Title, Description string
	Kind                     FieldKind
	Required                 bool
	// Choices are the only possible values, if there are any.
	Choices []Choice
	// Least and Most bound a number, the length of a text, or how many are chosen; nil
	// means no bound.
	Least, Most *float64
	// Format of a text: email, uri, date, date-time; "" means any.
	Format string
	// Default is what the server proposes, as JSON; nil means nothing.
	Default strictjson.Raw
}

// Choice is a value and what the person reads in its place.
type Choice struct{ Value, Title string }

// FieldKind is what kind of value a field takes.
type FieldKind uint8

// The kinds.
const (
	TextField FieldKind = iota + 1
	NumberField
	IntegerField
	YesNoField
	// ChoicesField takes a list of its choices.
	ChoicesField
)

// maxFields is how many fields a form may have, and maxForm how many bytes.
const (
	maxFields = 50
	maxForm   = 64 << 10
)

// ReadForm reads the schema of an answer. Whatever is no flat object of simple values is
// refused: nobody could show it as it is.
func ReadForm(schema []byte) (Form, error) {
	if len(schema) == 0 || string(schema) == "null" {
		return Form{}, nil // a question of yes or no
	}
	if len(schema) > maxForm {
		return Form{}, fmt.Errorf("the schema has %d bytes, more than %d", len(schema), maxForm)
	}
	root, err := strictjson.Tree(schema)
	if err != nil {
		return Form{}, err
	}
	if root.Kind != '{' || root.Member("type").Kind != 0 && root.Member("type").Text() != "object" {
		return Form{}, errors.New("the schema is none of an object")
	}
	var form Form
	required := texts(root.Member("required"))
	for _, m := range root.Member("properties").Members() {
		field, err := readField(m.Value)
		field.Name, field.Required = m.Name.Text(), slices.Contains(required, m.Name.Text())
		if err != nil {
			return Form{}, fmt.Errorf("the field %s: %w", quoted(field.Name), err)
		}
		form.Fields = append(form.Fields, field)
	}
	if len(form.Fields) > maxFields {
		return Form{}, fmt.Errorf("the form has %d fields, more than %d", len(form.Fields), maxFields)
	}
	for _, name := range required {
		if !slices.ContainsFunc(form.Fields, func(f Field) bool { return f.Name == name }) {
			return Form{}, fmt.Errorf("the field %s is required and not there", quoted(name))
		}
	}
	return form, nil
}

func readField(n strictjson.Node) (f Field, err error) {
	f.Title, f.Description, f.Format = text(n, "title"), text(n, "description"), text(n, "format")
	least, most := "minLength", "maxLength"
	switch text(n, "type") {
	case "string":
		f.Kind = TextField
		f.Choices, err = choices(n, "oneOf")
	case "number":
		f.Kind, least, most = NumberField, "minimum", "maximum"
	case "integer":
		f.Kind, least, most = IntegerField, "minimum", "maximum"
	case "boolean":
		f.Kind = YesNoField
	case "array":
		f.Kind, least, most = ChoicesField, "minItems", "maxItems"
		if f.Choices, err = choices(n.Member("items"), "anyOf"); err == nil && len(f.Choices) == 0 {
			err = errors.New("a list needs choices")
		}
	default:
		err = errors.New("only texts, numbers, yes or no and choices can be asked for")
	}
	if err != nil {
		return f, err
	}
	if d := n.Member("default"); d.Kind != 0 && d.Kind != 'n' {
		f.Default = strictjson.Raw(d.Raw())
	}
	if f.Least, err = bound(n, least); err == nil {
		f.Most, err = bound(n, most)
	}
	return f, err
}

// choices are those of enum, with their titles in enumNames, or those of oneOf or anyOf.
func choices(n strictjson.Node, titled string) (all []Choice, err error) {
	titles := texts(n.Member("enumNames"))
	for e := range n.Member("enum").Elements() {
		c := Choice{Value: e.Text(), Title: e.Text()}
		if e.Kind != '"' {
			err = errNotText
		}
		if len(all) < len(titles) {
			c.Title = titles[len(all)]
		}
		all = append(all, c)
	}
	for e := range n.Member(titled).Elements() {
		c := Choice{Value: text(e, "const"), Title: text(e, "title")}
		if e.Member("const").Kind != '"' {
			err = errNotText
		}
		if c.Title == "" {
			c.Title = c.Value
		}
		all = append(all, c)
	}
	return all, err
}

var errNotText = errors.New("one of the choices is no text")

func bound(n strictjson.Node, key string) (*float64, error) {
	m := n.Member(key)
	if m.Kind == 0 {
		return nil, nil
	}
	var value float64
	if err := strictjson.Unmarshal([]byte(m.Raw()), &value); err != nil {
		return nil, fmt.Errorf("%s is no number", key)
	}
	return &value, nil
}

func text(n strictjson.Node, key string) string {
	if m := n.Member(key); m.Kind == '"' {
		return m.Text()
	}
	return ""
}

func texts(n strictjson.Node) (all []string) {
	for e := range n.Elements() {
		if e.Kind == '"' {
			all = append(all, e.Text())
		}
	}
	return all
}

func runes(text string) float64 { return float64(utf8.RuneCountInString(text)) }
