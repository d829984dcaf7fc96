package strictjson

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

// drawValue draws what the plain way and the codec must agree about.
func drawValue(depth int) *rapid.Generator[any] {
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "<&>", "\u2028", "\u0085", "\x00", "é\"\\/", "😀"}))
	scalars := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(texts, func(s string) any { return s }),
		rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) any { return math.Round(f) / 8 }),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	inner := drawValue(depth - 1)
	return rapid.OneOf(append(scalars,
		rapid.Map(rapid.SliceOfN(inner, 0, 3), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(texts, texts, 0, 3), func(m map[string]string) any { return m }),
		rapid.Map(rapid.MapOfN(texts, inner, 0, 3), func(m map[string]any) any { return m }))...)
}

func TestPlainAndCodecAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := drawValue(3).Draw(t, "value")
		text, err := json.Marshal(value, compact())
		if err != nil {
			t.Fatalf("%#v cannot be written: %v", value, err)
		}
		if got, err := Marshal(value); err != nil || string(got) != string(oneLine(text)) {
			t.Fatalf("written %s, %v, want %s", got, err, text)
		}
		var want any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		var got any
		if !readPlain(text, &got) || !reflect.DeepEqual(got, want) {
			t.Fatalf("read %#v, want %#v", got, want)
		}
	})
}

func TestPlainLeavesTheRestToTheCodec(t *testing.T) {
	var text string
	var value any
	var object map[string]Raw
	for _, c := range []struct {
		data   string
		target any
	}{
		{`1`, &text}, {`null`, &text}, {`"a`, &text}, {`{"a":1,"a":2}`, &value}, {`1e999`, &value}, {`[]`, &object}, {`null`, &object}, {`{}x`, &object},
	} {
		if readPlain([]byte(c.data), c.target) {
			t.Errorf("%s was read into %T", c.data, c.target)
		}
	}
	had := map[string]Raw{"a": Raw("1")}
	if readPlain([]byte(`{"b":2}`), &had) {
		t.Error("a map that holds something is not the plain case")
	}
	if err := Unmarshal([]byte(`{"b": {"c": [1, 2]}}`), &object); err != nil || string(object["b"]) != `{"c": [1, 2]}` {
		t.Errorf("%v, %v", object, err)
	}
	if _, err := Marshal(map[string]any{"a": "\xff"}); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("invalid text: %v", err)
	}
}
