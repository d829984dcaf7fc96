package strictjson_test

import (
	"encoding/json"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

func TestMarshal(t *testing.T) {
	tests := []struct {
		name string
		v    any
		want string
	}{
		{"sorted keys", map[string]int{"b": 1, "a": 2, "c": 3}, `{"a":2,"b":1,"c":3}`},
		{"no HTML escapes", "<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"nil slice", struct {
			L []int `json:"l"`
		}{}, `{"l":[]}`},
		{"raw keeps its spelling", strictjson.Raw(`{"z":"\u0041\/", "a": 1.50e3}`), `{"z":"\u0041\/","a":1.50e3}`},
		{"nil raw", strictjson.Raw(nil), `null`},
		{"control characters", "\x00\n", `"\u0000\n"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := strictjson.Marshal(test.v)
			if err != nil || string(got) != test.want {
				t.Errorf("Marshal = %s, %v; want %s", got, err, test.want)
			}
		})
	}
}

func TestMarshalRefusesWhatUnmarshalWould(t *testing.T) {
	for _, v := range []any{"\xff", strictjson.Raw(`{"a":1,"a":2}`), strictjson.Raw(`{} {}`), strictjson.Raw("")} {
		if got, err := strictjson.Marshal(v); err == nil {
			t.Errorf("Marshal(%q) = %s", v, got)
		}
	}
}

func TestMarshalIndent(t *testing.T) {
	got, err := strictjson.MarshalIndent(map[string]any{"b": []int{1}, "a": map[string]any{}})
	want := "{\n  \"a\": {},\n  \"b\": [\n    1\n  ]\n}"
	if err != nil || string(got) != want {
		t.Errorf("MarshalIndent = %s, %v; want %s", got, err, want)
	}
}

func TestRawIsACopy(t *testing.T) {
	data := []byte(`{"raw": {"x": [1, 2]}}`)
	var into bash
	if err := strictjson.Unmarshal(data, &into); err != nil {
		t.Fatal(err)
	}
	clear(data)
	if got := into.Raw.String(); got != `{"x": [1, 2]}` {
		t.Errorf("raw is %q after its source changed", got)
	}
}

func TestRawServesTheStandardLibrary(t *testing.T) {
	type holder struct {
		R strictjson.Raw `json:"r"`
	}
	var into holder
	if err := json.Unmarshal([]byte(`{"r":{"a":1}}`), &into); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(into)
	if err != nil || string(got) != `{"r":{"a":1}}` {
		t.Errorf("round trip gave %s, %v", got, err)
	}
}
