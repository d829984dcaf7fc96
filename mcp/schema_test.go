package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
)

// One schema that the Messages API refuses would break every request of a session.
func TestASchemaThatModelsDoNotTake(t *testing.T) {
	long := strings.Repeat("x", 65)
	for schema, why := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]}]}`: "anyOf at its top",
		`{"oneOf":[{"type":"object"}]}`:                                                       "oneOf at its top",
		`{"allOf":[]}`:                                                                        "allOf at its top",
		`{"type":"object","properties":"nonsense"}`:                                           "properties is no object",
		`{"type":"object","properties":["a"]}`:                                                "properties is no object",
		`{"type":"object","properties":{"bad key!":{}}}`:                                      `"bad key!"`,
		`{"type":"object","properties":{"filter[id]":{}}}`:                                    `"filter[id]"`,
		`{"type":"object","properties":{"":{}}}`:                                              `""`,
		`{"type":"object","properties":{"ü":{}}}`:                                             `"ü"`,
		`{"type":"object","properties":{"` + long + `":{}}}`:                                  "1 to 64 letters",
		`{"type":"object","properties":{"a":{"type":"strin"}}}`:                               `no type "strin"`,
		`{"type":"object","properties":{"a":{"type":["string","any"]}}}`:                      `no type "any"`,
		`{"type":"object","properties":{"a":{"type":[]}}}`:                                    "empty list",
		`{"type":"object","properties":{"a":{"type":7}}}`:                                     `no type "7"`,
		`{"type":"object","properties":{"a":"string"}}`:                                       `"a" in properties is no schema`,
		`{"type":"object","properties":{"a":{"items":[{"type":"string"}]}}}`:                  "items is no schema",
		`{"type":"object","properties":{"a":{"items":{"properties":{"b":{"type":"date"}}}}}}`: `no type "date"`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"text"}]}}}`:                    `no type "text"`,
		`{"type":"object","properties":{"a":{"anyOf":{}}}}`:                                   "anyOf is no list",
		`{"type":"object","properties":{"a":{"required":true}}}`:                              "required is no list",
		`{"type":"object","properties":{"a":{"enum":"x"}}}`:                                   "enum is no list",
		`{"type":"object","properties":{"a":{"exclusiveMinimum":true}}}`:                      "exclusiveMinimum is no number",
		`{"type":"object","properties":{"a":{"description":7}}}`:                              "description is no text",
		`{"type":"object","$defs":{"a":{"type":"x"}}}`:                                        `no type "x"`,
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &puppet{tools: []string{fmt.Sprintf(`{"name":"bad","inputSchema":%s},`, schema) + named("fine")}}
			set := p.open(t, mcp.Options{}, "s")
			notes := strings.Join(status(t, set, "s").Notes, "\n")
			if tools := set.Tools(); len(tools) != 1 || tools[0].Name() != "mcp__s__fine" {
				t.Errorf("%s is offered", schema)
			}
			if !strings.Contains(notes, `the tool "bad" is left out`) || !strings.Contains(notes, why) {
				t.Errorf("%s: the notes lack %q: %s", schema, why, notes)
			}
		})
	}
}

// What the API takes stays, whatever it means.
func TestASchemaThatModelsTake(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object"}`,
		`{"type":"object","properties":{}}`,
		`{"type":"object","properties":{"a.b-c_9":{"type":["string","null"],"enum":["x",null],"description":"d"}},"required":["a.b-c_9"],"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"object","properties":{"bad key!":true}}}}`, // only the names at the top count
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer","minimum":1}]}},"$schema":"http://json-schema.org/draft-07/schema#"}`,
		`{"type":"object","properties":{"type":{"type":"string"},"anyOf":{"type":"array","items":{"$ref":"#/$defs/d"}}},"$defs":{"d":{"type":"boolean"}}}`,
		`{"type":"object","properties":{"a":{"default":{"type":"nonsense"},"examples":[{"type":1}],"x-own":{"type":2},"const":{"items":[]}}}}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &puppet{tools: []string{fmt.Sprintf(`{"name":"good","inputSchema":%s}`, schema)}}
			if set := p.open(t, mcp.Options{}, "s"); len(set.Tools()) != 1 {
				t.Errorf("%s is left out: %+v", schema, status(t, set, "s").Notes)
			}
		})
	}
}

// An image whose bytes are no image stays in the conversation and breaks every request.
func TestAnImageIsWhatItIsSaidToBe(t *testing.T) {
	for name, tt := range map[string]struct {
		kind, data string // base64
		note       string
	}{
		"a PNG":              {"image/png", "iVBORw0KGgo=", ""},
		"a GIF":              {"image/gif", "R0lGODlhAQABAA==", ""},
		"a JPEG":             {"image/jpeg", "/9j/4AAQSkZJRg==", ""},
		"a WebP":             {"image/webp", "UklGRhoAAABXRUJQVlA4TA==", ""},
		"a text":             {"image/png", "bm90IGFuIGltYWdl", "said to be image/png, and its bytes are text/plain"},
		"another kind":       {"image/jpeg", "iVBORw0KGgo=", "said to be image/jpeg, and its bytes are image/png"},
		"nothing in it":      {"image/png", "AAAA", "its bytes are application/octet-stream"},
		"a kind in capitals": {"image/PNG", "iVBORw0KGgo=", "cannot be shown"},
	} {
		for _, block := range []string{
			fmt.Sprintf(`{"type":"image","mimeType":%q,"data":%q}`, tt.kind, tt.data),
			fmt.Sprintf(`{"type":"resource","resource":{"uri":"file:///a","mimeType":%q,"blob":%q}}`, tt.kind, tt.data),
		} {
			synctest.Test(t, func(t *testing.T) {
				p := &puppet{tools: []string{named("go")}, call: func(strictjson.Raw) string { return `{"content":[` + block + `]}` }}
				got := run(t.Context(), find(t, p.open(t, mcp.Options{}, "s"), "mcp__s__go"), `{}`)
				want(t, got, tool.Succeeded, tt.note)
				if isImage := strings.Contains(string(got.Data), `"type":"image"`); isImage != (tt.note == "") {
					t.Errorf("%s: %s", name, got.Data)
				}
			})
		}
	}
}
