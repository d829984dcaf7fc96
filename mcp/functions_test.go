package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/mcp"
	"github.com/assent-dev/assent/tool"
)

type order struct {
	Item  string   `json:"item" jsonschema:"what to buy"`
	Count int      `json:"count,omitzero" jsonschema:"how many; one unless given"`
	Tags  []string `json:"tags,omitempty"`
	To    struct {
		City string `json:"city"`
	} `json:"to,omitzero"`
}

// function makes a tool, or fails the test.
func function[In, Out any](t *testing.T, name string, f func(context.Context, In) (Out, error)) mcp.Function {
	t.Helper()
	made, err := mcp.NewFunction(name, "It does "+name+".", f)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// offering is a set with one server "shop" that is made of functions.
func offering(t *testing.T, tools ...mcp.Function) (*mcp.Set, *mcp.Functions) {
	t.Helper()
	functions, err := mcp.NewFunctions("shop", tools...)
	if err != nil {
		t.Fatal(err)
	}
	send := func(ctx context.Context, server string, message []byte) ([]byte, error) {
		if server != functions.Server() {
			return nil, fmt.Errorf("no server %q", server)
		}
		return functions.Send(ctx, message)
	}
	set := open(t, mcp.Options{Host: send}, mcp.Server{Name: "shop", Kind: mcp.SDK})
	t.Cleanup(functions.Close)
	return set, functions
}

// TestTools_ThePromiseOfASchema: the model is told what a function takes, and what it sends
// is held against that before the function runs.
func TestTools_ThePromiseOfASchema(t *testing.T) {
	ran := 0
	set, _ := offering(t, function(t, "buy", func(_ context.Context, o order) (string, error) {
		ran++
		return fmt.Sprintf("%d %s to %s %q", o.Count, o.Item, o.To.City, o.Tags), nil
	}))
	buy := find(t, set, "mcp__shop__buy")
	var schema map[string]any
	if err := strictjson.Unmarshal(buy.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	if schema["type"] != "object" || schema["additionalProperties"] != false || fmt.Sprint(schema["required"]) != "[item]" {
		t.Errorf("schema %s", buy.Schema())
	}
	if !strings.Contains(string(buy.Schema()), `"what to buy"`) || buy.Description() != "It does buy." {
		t.Errorf("%s: %s", buy.Description(), buy.Schema())
	}
	want(t, run(t.Context(), buy, `{"item": "tea", "count": 2, "to": {"city": "Bern"}, "tags": ["a"]}`), tool.Succeeded, `2 tea to Bern ["a"]`)
	want(t, run(t.Context(), buy, `{"item": "tea"}`), tool.Succeeded, `0 tea to  []`)
	ran = 0
	for input, why := range map[string]string{
		`{}`:                                   "item",
		`{"item": 5}`:                          "string",
		`{"item": "tea", "price": 1}`:          "price",
		`{"item": "tea", "Count": 1}`:          "Count",
		`{"item": "tea", "count": 1.5}`:        "integer",
		`{"item": "tea", "count": "2"}`:        "integer",
		`{"item": "tea", "to": {}}`:            "city",
		`{"item": "tea", "to": {"x": 1}}`:      "x",
		`{"item": "tea", "item": "gold"}`:      "twice",
		`{"item": "tea", "it\u0065m": "gold"}`: "twice",
	} {
		want(t, run(t.Context(), buy, input), tool.Failed, why)
	}
	if ran != 0 {
		t.Errorf("the function ran %d times with an input that it does not take", ran)
	}
}

// A message that others could read otherwise is not read at all.
func TestTools_AKeyThatOccursTwice(t *testing.T) {
	ran := false
	functions, err := mcp.NewFunctions("shop", function(t, "buy", func(context.Context, map[string]any) (string, error) {
		ran = true
		return "", nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer functions.Close()
	introduce(t, functions)
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"buy","arguments":{"a":1,"a":2}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"buy","arguments":{"a":{"b":1,"b":2}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none","name":"buy","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"buy"},"params":{"name":"buy"}}`,
		`[]`, `{`, `{}`,
	} {
		if answer, err := functions.Send(t.Context(), []byte(message)); err == nil {
			t.Errorf("%s was answered with %s", message, answer)
		}
	}
	if ran {
		t.Error("the function ran")
	}
}

func introduce(t *testing.T, f *mcp.Functions) {
	t.Helper()
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	} {
		answer, err := f.Send(t.Context(), []byte(message))
		if err != nil || strings.Contains(message, `"id"`) != strings.Contains(string(answer), `"serverInfo"`) {
			t.Fatalf("%s, %v", answer, err)
		}
	}
}

type total struct {
	Sum int `json:"sum"`
}

type page []byte

type sour struct{}

func (sour) MarshalJSON() ([]byte, error) { return nil, errors.New("I will not") }

// TestTools_WhatTheModelReads: a text as it is, anything else as JSON, and whatever goes
// wrong in a function is its result and not the end of the program.
func TestTools_WhatTheModelReads(t *testing.T) {
	type none struct{}
	set, _ := offering(
		t,
		function(t, "text", func(context.Context, none) (string, error) { return `{"not": "parsed`, nil }),
		function(t, "object", func(context.Context, none) (total, error) { return total{3}, nil }),
		function(t, "pointer", func(context.Context, none) (*total, error) { return nil, nil }),
		function(t, "list", func(context.Context, none) ([]int, error) { return []int{1, 2}, nil }),
		function(t, "any", func(context.Context, none) (any, error) { return "plain", nil }),
		function(t, "bytes", func(context.Context, none) ([]byte, error) { return []byte("plain"), nil }),
		function(t, "named", func(context.Context, none) (page, error) { return page("plain"), nil }),
		function(t, "raw", func(context.Context, none) (strictjson.Raw, error) { return strictjson.Raw(`[1]`), nil }),
		function(t, "binary", func(context.Context, none) (string, error) { return "a\xffb", nil }),
		function(t, "error", func(context.Context, none) (string, error) { return "half", errors.New("sold out") }),
		function(t, "speechless", func(context.Context, none) (string, error) { return "", errors.New("") }),
		function(t, "panic", func(context.Context, none) (string, error) { panic("oh") }),
		function(t, "nil", func(_ context.Context, in none) (int, error) { var p *total; return p.Sum, nil }),
		function(t, "exit", func(context.Context, none) (string, error) { runtime.Goexit(); return "", nil }),
		function(t, "sour", func(context.Context, none) (sour, error) { return sour{}, nil }),
		function(t, "channel", func(context.Context, none) (any, error) { return make(chan int), nil }),
	)
	for name, tt := range map[string]struct {
		outcome tool.Outcome
		text    string
	}{
		"text":       {tool.Succeeded, `{"not": "parsed`},
		"object":     {tool.Succeeded, `{"sum":3}`},
		"pointer":    {tool.Succeeded, `null`},
		"list":       {tool.Succeeded, `[1,2]`},
		"any":        {tool.Succeeded, `plain`},
		"bytes":      {tool.Succeeded, "plain"},
		"named":      {tool.Succeeded, "plain"},
		"raw":        {tool.Succeeded, "[1]"},
		"binary":     {tool.Succeeded, "a\uFFFDb"},
		"error":      {tool.Failed, "sold out"},
		"speechless": {tool.Failed, "The tool speechless failed and did not say why."},
		"panic":      {tool.Failed, "The tool panic failed: it panicked: oh"},
		"nil":        {tool.Failed, "The tool nil failed: it panicked: runtime error"},
		"exit":       {tool.Failed, "The tool exit failed: it has ended without a result."},
		"sour":       {tool.Failed, "I will not"},
		"channel":    {tool.Failed, "cannot be written as JSON"},
	} {
		got := run(t.Context(), find(t, set, "mcp__shop__"+name), `{}`)
		want(t, got, tt.outcome, tt.text)
		if tt.outcome == tool.Succeeded && got.Text != tt.text {
			t.Errorf("%s: %q", name, got.Text)
		}
	}
}

// A program that reads results gets objects as such.
func TestTools_StructuredContent(t *testing.T) {
	functions, err := mcp.NewFunctions(
		"shop",
		function(t, "object", func(context.Context, map[string]int) (total, error) { return total{3}, nil }),
		function(t, "text", func(context.Context, map[string]int) (string, error) { return "{}", nil }),
	)
	if err != nil {
		t.Fatal(err)
	}
	defer functions.Close()
	introduce(t, functions)
	for name, want := range map[string]bool{"object": true, "text": false} {
		answer, err := functions.Send(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":%q}}`, name, name))
		if err != nil || strings.Contains(string(answer), `"structuredContent":{"sum":3}`) != want {
			t.Errorf("%s: %s, %v", name, answer, err)
		}
	}
}

// TestTools_WhatCannotBeATool: every fault is an error when the tool is made, not a surprise
// when a model calls it.
func TestTools_WhatCannotBeATool(t *testing.T) {
	type cycle struct{ Next *cycle }
	type wait struct {
		For time.Duration `json:"for"`
	}
	for name, tt := range map[string]struct {
		make func() (mcp.Function, error)
		why  string
	}{
		"a text for input":    {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[string]) }, "use a struct"},
		"anything for input":  {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[any]) }, "use a struct"},
		"a list for input":    {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[[]string]) }, "use a struct"},
		"a pointer for input": {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[*order]) }, "use a struct"},
		"keys that are none":  {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[map[int]string]) }, "map key"},
		"a channel":           {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[struct{ C chan int }]) }, "chan"},
		"a cycle":             {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[cycle]) }, "cycle"},
		"a duration":          {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[wait]) }, "For: time.Duration"},
		"a time":              {func() (mcp.Function, error) { return mcp.NewFunction("a", "", plain[time.Time]) }, "use a struct"},
		"no function": {func() (mcp.Function, error) {
			return mcp.NewFunction[order, string]("a", "", nil)
		}, "no function"},
		"no name":   {func() (mcp.Function, error) { return mcp.NewFunction("", "", plain[order]) }, "empty"},
		"a blank":   {func() (mcp.Function, error) { return mcp.NewFunction("a b", "", plain[order]) }, "letters"},
		"a dot":     {func() (mcp.Function, error) { return mcp.NewFunction("a.b", "", plain[order]) }, "letters"},
		"a star":    {func() (mcp.Function, error) { return mcp.NewFunction("*", "", plain[order]) }, "letters"},
		"no ASCII":  {func() (mcp.Function, error) { return mcp.NewFunction("größe", "", plain[order]) }, "letters"},
		"a bracket": {func() (mcp.Function, error) { return mcp.NewFunction("a(b)", "", plain[order]) }, "letters"},
	} {
		if _, err := tt.make(); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good := function(t, "good", plain[order])
	for name, tt := range map[string]struct {
		server string
		tools  []mcp.Function
		why    string
	}{
		"no tools":     {"shop", nil, "no tools"},
		"an empty one": {"shop", []mcp.Function{{}}, "NewFunction"},
		"twice":        {"shop", []mcp.Function{good, good}, `two tools called "good"`},
		"no name":      {"", []mcp.Function{good}, "empty"},
		"underscores":  {"a__b", []mcp.Function{good}, "__"},
		"at the end":   {"a_", []mcp.Function{good}, "_"},
		"a blank":      {"a b", []mcp.Function{good}, "letters"},
		"too long":     {"shop", []mcp.Function{function(t, strings.Repeat("x", 120), plain[order])}, "at most 128"},
	} {
		if _, err := mcp.NewFunctions(tt.server, tt.tools...); err == nil || !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func plain[In any](context.Context, In) (string, error) { return "", nil }

// TestTools_TypesWithAFormOfTheirOwn: the schema never promises what reading would refuse.
func TestTools_TypesWithAFormOfTheirOwn(t *testing.T) {
	type rich struct {
		At      time.Time      `json:"at"`
		Where   netip.Addr     `json:"where"`
		Bytes   []byte         `json:"bytes"`
		Raw     strictjson.Raw `json:"raw"`
		Pointer *time.Time     `json:"pointer"`
		ByAddr  map[string]netip.Addr
		Ignored chan int `json:"-"`
	}
	set, _ := offering(t, function(t, "show", func(_ context.Context, in rich) (string, error) {
		return fmt.Sprintf("%v %v %s %s %v %v", in.At.Year(), in.Where, in.Bytes, in.Raw, in.Pointer == nil, in.ByAddr), nil
	}))
	show := find(t, set, "mcp__shop__show")
	input := `{"at": "2026-01-02T03:04:05Z", "where": "10.0.0.1", "bytes": "aGk=", "raw": {"a": [1]}, "pointer": null, "ByAddr": {"x": "::1"}}`
	want(t, run(t.Context(), show, input), tool.Succeeded, `2026 10.0.0.1 hi {"a":[1]} true map[x:::1]`)
	want(t, run(t.Context(), show, strings.Replace(input, "10.0.0.1", "ten", 1)), tool.Failed, "not what the tool show takes")
	want(t, run(t.Context(), show, strings.Replace(input, `"aGk="`, `[1, 2]`, 1)), tool.Failed, "string")
}

// Calls run side by side, and each gets its own answer.
func TestTools_CallsAtOnce(t *testing.T) {
	type number struct {
		N int `json:"n"`
	}
	var together sync.WaitGroup
	const calls = 20
	together.Add(calls)
	_, functions := offering(t, function(t, "twice", func(_ context.Context, in number) (total, error) {
		together.Done()
		together.Wait() // nobody returns before all are there
		return total{2 * in.N}, nil
	}))
	var all sync.WaitGroup
	for n := range calls {
		all.Go(func() {
			answer, err := functions.Send(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"own-%d","method":"tools/call","params":{"name":"twice","arguments":{"n":%d}}}`, n, n))
			if err != nil || !strings.Contains(string(answer), fmt.Sprintf(`{"sum":%d}`, 2*n)) || !strings.Contains(string(answer), fmt.Sprintf(`"own-%d"`, n)) {
				t.Errorf("%s, %v", answer, err)
			}
		})
	}
	all.Wait()
}

// A server that is asked for what it does not know says so, and lives.
func TestTools_OtherMessages(t *testing.T) {
	functions, err := mcp.NewFunctions("shop", function(t, "text", func(context.Context, order) (string, error) { return "", io.EOF }))
	if err != nil {
		t.Fatal(err)
	}
	defer functions.Close()
	introduce(t, functions)
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":5,"method":"ping"}`:                                                  `"result":{}`,
		`{"jsonrpc":"2.0","id":6,"method":"no/such"}`:                                               `"error"`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"none","arguments":{}}}`:    `"error"`,
		`{"jsonrpc":"2.0","id":8,"result":{}}`:                                                      ``,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`:            ``,
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"text","arguments":[1,2]}}`: `takes`,
	} {
		answer, err := functions.Send(t.Context(), []byte(message))
		if err != nil || !strings.Contains(string(answer), want) || want == "" && answer != nil {
			t.Errorf("%s: %s, %v", message, answer, err)
		}
	}
}
