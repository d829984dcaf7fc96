package tool

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checker walks a value and its schema side by side. It does not stop at the
// first problem.
type checker struct {
	path     []string
	problems []Problem
}

func (s *schema) check(value any) []Problem {
	var c checker
	c.value(s, value)
	return c.problems
}

func (c *checker) report(format string, args ...any) {
	var pointer strings.Builder
	for _, token := range c.path {
		pointer.WriteByte('/')
		pointer.WriteString(pointerEscapes.Replace(token))
	}
	c.problems = append(c.problems, Problem{Path: pointer.String(), Message: fmt.Sprintf(format, args...)})
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func (c *checker) below(token string, s *schema, value any) {
	c.path = append(c.path, token)
	c.value(s, value)
	c.path = c.path[:len(c.path)-1]
}

func (c *checker) value(s *schema, value any) {
	switch v := value.(type) {
	case map[string]any:
		if c.typed(s, "object") {
			c.object(s, v)
		}
	case []any:
		if c.typed(s, "array") {
			c.array(s, v)
		}
	case string:
		if c.typed(s, "string") {
			c.text(s, v)
		}
	case float64:
		if c.typed(s, "number") {
			c.number(s, v)
		}
	case bool:
		c.typed(s, "boolean")
	default:
		c.typed(s, "null")
	}
}

// typed reports whether the schema wants this type, and a problem if not.
func (c *checker) typed(s *schema, got string) bool {
	if s.kind == got || s.kind == "integer" && got == "number" {
		return true
	}
	c.report("want %s, got %s", s.kind, got)
	return false
}

func (c *checker) object(s *schema, object map[string]any) {
	for _, name := range s.required {
		if _, ok := object[name]; !ok {
			c.report("missing required property %q", name)
		}
	}
	listed := 0
	for _, name := range s.names {
		if value, ok := object[name]; ok {
			listed++
			c.below(name, s.properties[name], value)
		}
	}
	if listed < len(object) {
		c.unlisted(s, object)
	}
}

func (c *checker) unlisted(s *schema, object map[string]any) {
	var names []string
	for name := range object {
		if _, listed := s.properties[name]; !listed {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		switch {
		case s.additional.closed:
			c.report("unknown property %s%s", clip(name), s.suggestion(name))
		case s.additional.each != nil:
			c.below(name, s.additional.each, object[name])
		}
	}
}

// suggestion points at a property that differs in letter case only.
func (s *schema) suggestion(name string) string {
	for _, listed := range s.names {
		if strings.EqualFold(listed, name) {
			return fmt.Sprintf(" (did you mean %q?)", listed)
		}
	}
	return ""
}

func (c *checker) array(s *schema, items []any) {
	if len(items) < s.minItems {
		c.report("want at least %d items, got %d", s.minItems, len(items))
	}
	if s.maxItems != nil && len(items) > *s.maxItems {
		c.report("want at most %d items, got %d", *s.maxItems, len(items))
	}
	if s.items == nil {
		return
	}
	for i, item := range items {
		c.below(strconv.Itoa(i), s.items, item)
	}
}

func (c *checker) text(s *schema, text string) {
	if s.minLength == 1 && text == "" {
		c.report("must not be empty")
	} else if s.minLength > 1 && utf8.RuneCountInString(text) < s.minLength {
		c.report("want at least %d characters, got %s", s.minLength, clip(text))
	}
	if s.enum != nil && !slices.Contains(s.enum, text) {
		c.report("want %s, got %s", choices(s.enum), clip(text))
	}
	if s.format == "uri" && !absoluteURI(text) {
		c.report("want an absolute URL, got %s", clip(text))
	}
}

func (c *checker) number(s *schema, number float64) {
	if s.kind == "integer" && number != math.Trunc(number) {
		c.report("want a whole number, got %v", number)
	}
	if s.minimum != nil && number < *s.minimum {
		c.report("want at least %v, got %v", *s.minimum, number)
	}
	if s.maximum != nil && number > *s.maximum {
		c.report("want at most %v, got %v", *s.maximum, number)
	}
}

func absoluteURI(text string) bool {
	parsed, err := url.Parse(text)
	return err == nil && parsed.IsAbs()
}

func choices(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = strconv.Quote(word)
	}
	return strings.Join(quoted, " or ")
}

// clip quotes a text of the model's for a message that people read.
func clip(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) <= most {
		return strconv.Quote(text)
	}
	return strconv.Quote(string([]rune(text)[:most]) + "…")
}
