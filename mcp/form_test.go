package mcp_test

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/mcp"
)

const refundForm = `{"type": "object", "required": ["amount", "reason"], "properties": {
	"amount": {"type": "integer", "title": "How much", "minimum": 1, "maximum": 500, "default": 5},
	"rate": {"type": "number", "maximum": 1},
	"reason": {"type": "string", "minLength": 2, "maxLength": 5},
	"sure": {"type": "boolean"},
	"colour": {"type": "string", "enum": ["r", "g"], "enumNames": ["red", "green"]},
	"size": {"type": "string", "oneOf": [{"const": "s", "title": "small"}, {"const": "l"}]},
	"days": {"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "enum": ["mo", "tu", "we"]}},
	"mail": {"type": "string", "format": "email"}, "page": {"type": "string", "format": "uri"},
	"day": {"type": "string", "format": "date"}, "moment": {"type": "string", "format": "date-time"}, "odd": {"type": "string", "format": "odd"}}}`

func TestAFormIsRead(t *testing.T) {
	form, err := mcp.ReadForm([]byte(refundForm))
	if err != nil || len(form.Fields) != 12 {
		t.Fatalf("%+v, %v", form, err)
	}
	amount, colour, size, days := form.Fields[0], form.Fields[4], form.Fields[5], form.Fields[6]
	if amount.Name != "amount" || amount.Title != "How much" || amount.Kind != mcp.IntegerField || !amount.Required || *amount.Least != 1 || *amount.Most != 500 || string(amount.Default) != "5" {
		t.Errorf("%+v", amount)
	}
	if colour.Required || len(colour.Choices) != 2 || colour.Choices[1] != (mcp.Choice{Value: "g", Title: "green"}) {
		t.Errorf("%+v", colour)
	}
	if len(size.Choices) != 2 || size.Choices[0] != (mcp.Choice{Value: "s", Title: "small"}) || size.Choices[1] != (mcp.Choice{Value: "l", Title: "l"}) {
		t.Errorf("%+v", size)
	}
	if days.Kind != mcp.ChoicesField || len(days.Choices) != 3 || *days.Most != 2 {
		t.Errorf("%+v", days)
	}
	for _, nothing := range []string{"", "null", "{}", `{"type":"object"}`} {
		if form, err := mcp.ReadForm([]byte(nothing)); err != nil || len(form.Fields) != 0 {
			t.Errorf("%s: %+v, %v", nothing, form, err)
		}
	}
}

func TestAFormThatNobodyCouldShowIsRefused(t *testing.T) {
	many := ""
	for i := range 51 {
		many += `,"f` + string(rune('a'+i%26)) + string(rune('a'+i/26)) + `": {"type": "string"}`
	}
	for schema, part := range map[string]string{
		`[]`: "object", `{"type": "array"}`: "object", `"x"`: "object", `{`: "",
		`{"properties": {"a": {"type": "object", "properties": {}}}}`:           "only texts",
		`{"properties": {"a": {}}}`:                                             "only texts",
		`{"properties": {"a": {"type": ["string", "null"]}}}`:                   "only texts",
		`{"properties": {"a": {"$ref": "https://evil"}}}`:                       "only texts",
		`{"properties": {"a": null}}`:                                           "only texts",
		`{"properties": {"a": {"type": "array", "items": {"type": "string"}}}}`: "needs choices",
		`{"properties": {"a": {"type": "string", "enum": [1]}}}`:                "no text",
		`{"properties": {"a": {"type": "string", "oneOf": [{"title": "x"}]}}}`:  "no text",
		`{"properties": {"a": {"type": "number", "minimum": "1"}}}`:             "no number",
		`{"properties": {"a": {"type": "string"}, "a": {"type": "string"}}}`:    "twice",
		`{"required": ["b"], "properties": {"a": {"type": "string"}}}`:          `"b" is required`,
		`{"properties": {` + many[1:] + `}}`:                                    "51 fields",
		`{"title": "` + strings.Repeat("x", 65<<10) + `"}`:                      "bytes",
		`{"properties": {"a": {"type": "array", "items": {"type": "object"}}}}`: "needs choices",
	} {
		if _, err := mcp.ReadForm([]byte(schema)); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%.100s: %v", schema, err)
		}
	}
}

func TestAnAnswerIsHeldAgainstItsForm(t *testing.T) {
	form, err := mcp.ReadForm([]byte(refundForm))
	if err != nil {
		t.Fatal(err)
	}
	for answer, fault := range map[string]string{
		`{"amount": 5, "reason": "late"}`:                                                                                            "",
		`{"amount": 5.0, "reason": "äöü"}`:                                                                                           "",
		`{"amount": 5, "reason": "ok", "rate": 0.5, "sure": false, "colour": "g"}`:                                                   "",
		`{"amount": 5, "reason": "ok", "size": "l", "days": ["mo", "we"], "odd": "x"}`:                                               "",
		`{"amount": 5, "reason": "ok", "mail": "a@b.c", "page": "https://x", "day": "2026-01-31", "moment": "2026-01-31T00:00:00Z"}`: "",
		``:                                                      `"amount" is missing`,
		`[]`:                                                    "object of fields",
		`{"amount": 5}`:                                         `"reason" is missing`,
		`{"amount": 5, "reason": null}`:                         "want a text",
		`{"amount": "5", "reason": "ok"}`:                       "want a number",
		`{"amount": 5.5, "reason": "ok"}`:                       "whole number",
		`{"amount": 0, "reason": "ok"}`:                         "at least 1",
		`{"amount": 501, "reason": "ok"}`:                       "at most 500",
		`{"amount": 1e999, "reason": "ok"}`:                     "want a number",
		`{"amount": 5, "reason": "x"}`:                          "at least 2 characters",
		`{"amount": 5, "reason": "xxxxxx"}`:                     "at most 5 characters",
		`{"amount": 5, "reason": "ok", "more": 1}`:              `no field "more"`,
		`{"amount": 5, "reason": "ok", "reason": "no"}`:         "twice",
		`{"amount": 5, "reason": "ok", "sure": "yes"}`:          "true or false",
		`{"amount": 5, "reason": "ok", "colour": "red"}`:        "one of r, g",
		`{"amount": 5, "reason": "ok", "size": ""}`:             "one of s, l",
		`{"amount": 5, "reason": "ok", "days": []}`:             "at least 1 choices",
		`{"amount": 5, "reason": "ok", "days": "mo"}`:           "a list",
		`{"amount": 5, "reason": "ok", "days": [1]}`:            "list of texts",
		`{"amount": 5, "reason": "ok", "days": ["mo", "mo"]}`:   "twice",
		`{"amount": 5, "reason": "ok", "days": ["fr"]}`:         "one of mo, tu, we",
		`{"amount": 5, "reason": "ok", "mail": "me"}`:           "no email",
		`{"amount": 5, "reason": "ok", "mail": "Me <a@b.c>"}`:   "no email",
		`{"amount": 5, "reason": "ok", "page": "x y"}`:          "no uri",
		`{"amount": 5, "reason": "ok", "day": "31.1.2026"}`:     "no date",
		`{"amount": 5, "reason": "ok", "moment": "2026-01-31"}`: "no date-time",
	} {
		err := form.Check([]byte(answer))
		if fault == "" {
			if err != nil {
				t.Errorf("%s: %v", answer, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func FuzzForm(f *testing.F) {
	f.Add(refundForm, `{"amount": 5, "reason": "late"}`)
	f.Add(`{"properties": {"a": {"type": "array", "items": {"anyOf": [{"const": "x"}]}}}}`, `{"a": ["x"]}`)
	f.Fuzz(func(t *testing.T, schema, answer string) {
		form, err := mcp.ReadForm([]byte(schema))
		if err != nil {
			return
		}
		for _, field := range form.Fields {
			if field.Kind == 0 {
				t.Errorf("a field without a kind: %+v", field)
			}
		}
		if form.Check([]byte(answer)) == nil && len(form.Fields) == 0 && strings.Contains(answer, ":") {
			t.Errorf("%q answers nothing", answer)
		}
	})
}
