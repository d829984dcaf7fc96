package mcp

import (
	"errors"
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Check says what is wrong with an answer: it must be what the form asks for, and no
// more than that.
func (f Form) Check(content []byte) error {
	if len(content) == 0 {
		content = []byte("{}")
	}
	if len(content) > maxInput {
		return errors.New("the answer is too long")
	}
	root, err := strictjson.Tree(content)
	switch {
	case err != nil:
		return err
	case root.Kind != '{':
		return errors.New("want an object of fields")
	}
	for _, m := range root.Members() {
		name := m.Name.Text()
		if !slices.ContainsFunc(f.Fields, func(f Field) bool { return f.Name == name }) {
			return fmt.Errorf("there is no field %s", quoted(name))
		}
	}
	for _, field := range f.Fields {
		value := root.Member(field.Name)
		switch {
		case value.Kind == 0 && field.Required:
			return fmt.Errorf("%s is missing", quoted(field.Name))
		case value.Kind == 0:
			continue
		}
		if err := field.Check(value.Raw()); err != nil {
			return fmt.Errorf("%s: %w", quoted(field.Name), err)
		}
	}
	return nil
}

// Check says what is wrong with the value of a field, given as JSON.
func (f Field) Check(value string) error {
	n, err := strictjson.Tree(value)
	if err != nil {
		return err
	}
	switch f.Kind {
	case TextField:
		return f.checkText(n)
	case NumberField, IntegerField:
		return f.checkNumber(n)
	case YesNoField:
		if n.Kind != 't' && n.Kind != 'f' {
			return errors.New("want true or false")
		}
		return nil
	case ChoicesField:
		return f.checkChoices(n)
	}
	return errors.New("nobody knows this kind of field")
}

func (f Field) checkText(n strictjson.Node) error {
	if n.Kind != '"' {
		return errors.New("want a text")
	}
	text := n.Text()
	if len(f.Choices) > 0 {
		return f.checkChoice(text)
	}
	if err := f.within(runes(text), "characters"); err != nil {
		return err
	}
	return checkFormat(f.Format, text)
}

func (f Field) checkChoice(text string) error {
	if slices.ContainsFunc(f.Choices, func(c Choice) bool { return c.Value == text }) {
		return nil
	}
	var values []string
	for _, c := range f.Choices {
		values = append(values, c.Value)
	}
	return fmt.Errorf("want one of %s", cut(strings.Join(values, ", "), 200, "…"))
}

func (f Field) checkNumber(n strictjson.Node) error {
	var value float64
	if n.Kind != '0' || strictjson.Unmarshal([]byte(n.Raw()), &value) != nil {
		return errors.New("want a number")
	}
	if f.Kind == IntegerField && value != math.Trunc(value) {
		return errors.New("want a whole number")
	}
	return f.within(value, "")
}

func (f Field) checkChoices(n strictjson.Node) error {
	if n.Kind != '[' {
		return errors.New("want a list")
	}
	var chosen []string
	for e := range n.Elements() {
		if e.Kind != '"' {
			return errors.New("want a list of texts")
		}
		if err := f.checkChoice(e.Text()); err != nil {
			return err
		}
		if slices.Contains(chosen, e.Text()) {
			return errors.New("something is chosen twice")
		}
		chosen = append(chosen, e.Text())
	}
	return f.within(float64(len(chosen)), "choices")
}

func (f Field) within(size float64, what string) error {
	switch {
	case f.Least != nil && size < *f.Least:
		return errors.New(strings.TrimSpace(fmt.Sprintf("want at least %v %s", *f.Least, what)))
	case f.Most != nil && size > *f.Most:
		return errors.New(strings.TrimSpace(fmt.Sprintf("want at most %v %s", *f.Most, what)))
	}
	return nil
}

// checkFormat: formats that are not known mean nothing.
func checkFormat(format, text string) (err error) {
	switch format {
	case "email":
		var a *mail.Address
		if a, err = mail.ParseAddress(text); err == nil && a.Address != text {
			err = errors.New("more than an address")
		}
	case "uri":
		var u *url.URL
		if u, err = url.Parse(text); err == nil && u.Scheme == "" {
			err = errors.New("no scheme")
		}
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time":
		_, err = time.Parse(time.RFC3339, text)
	}
	if err != nil {
		return fmt.Errorf("that is no %s", format)
	}
	return nil
}
