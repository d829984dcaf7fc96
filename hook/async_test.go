package hook

import (
	"math"
	"testing"
	"time"
)

func TestH4_TheFirstLineOfAHookThatGoesOn(t *testing.T) {
	tests := []struct {
		line    string
		timeout time.Duration
		ok      bool
	}{
		{`{"async":true}`, 0, true},
		{` { "async" : true , "asyncTimeout" : 1500 } ` + "\r\n", 1500 * time.Millisecond, true},
		{`{"async":true,"suppressOutput":true,"pid":17}`, 0, true},
		{`{"async":true,"continue":true}`, 0, true},
		{`{"async":true,"asyncTimeout":9223372036854775807}`, math.MaxInt64, true},
		{`{"async":false}`, 0, false},
		{`{"async":"true"}`, 0, false},
		{`{"async":1}`, 0, false},
		{`{"Async":true}`, 0, false},
		{`{"async":true,"async":true}`, 0, false},
		{`{"async":true,"asyncTimeout":-1}`, 0, false},
		{`{"async":true,"asyncTimeout":"5"}`, 0, false},
		{`{"async":true,"decision":"block"}`, 0, false},
		{`{"async":true,"continue":false}`, 0, false},
		{`{"async":true,"permissionDecision":"deny"}`, 0, false},
		{`{"async":true,"hookSpecificOutput":{"permissionDecision":"deny"}}`, 0, false},
		{`{"async":true,"hookSpecificOutput":{}}`, 0, false},
		{`{"async":true} {}`, 0, false},
		{`{"async":true`, 0, false},
		{`{`, 0, false},
		{`{}`, 0, false},
		{`async`, 0, false},
		{``, 0, false},
	}
	for _, test := range tests {
		if timeout, ok := asyncLine([]byte(test.line)); timeout != test.timeout || ok != test.ok {
			t.Errorf("%s: %v, %t; want %v, %t", test.line, timeout, ok, test.timeout, test.ok)
		}
	}
}

func TestH4_AsyncOutputAndWhatFollows(t *testing.T) {
	for text, notes := range map[string]int{
		`{"async":true,"asyncTimeout":50}`:                                          0,
		"{\"async\":true,\"asyncTimeout\":50}\n":                                    0,
		"{\n\"async\": true,\n\"asyncTimeout\": 50\n}\n":                            0,
		"{\"async\":true,\"asyncTimeout\":50}\nworking\n{":                          1,
		`{"async":true,"asyncTimeout":50,"hookSpecificOutput":{"retry":false}}`:     1,
		"\n{\"async\":true,\"asyncTimeout\":50}\n{\"decision\":\"approve\"}\nready": 1,
	} {
		out, got, err := ReadOutput(PreToolUse, []byte(text))
		if err != nil || len(got) != notes || !out.Async || out.backgroundTime() != 50*time.Millisecond || out.decides() || out.Specific != nil {
			t.Errorf("%q: %+v, %q, %v", text, out, got, err)
		}
	}
}

// Nothing waits for a hook in the background, so what it decides would be lost.
func TestH4_AsyncBesideADecisionIsBroken(t *testing.T) {
	for _, text := range []string{
		`{"async":true,"decision":"block"}`,
		`{"async":true,"continue":false}`,
		`{"async":true,"hookSpecificOutput":{"permissionDecision":"deny"}}`,
		`{"async":true,"hookSpecificOutput":{"updatedInput":{}}}`,
	} {
		brokenOutput(t, PreToolUse, text, "leave out one of them")
	}
	brokenOutput(t, PreToolUse, "{\"async\":true,\"decision\":\"block\"}\nmore", "not strict JSON")
}
