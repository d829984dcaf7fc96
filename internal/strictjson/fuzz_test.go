package strictjson_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testlimit"
)

// What is accepted is plain JSON to everybody else, means the same to the
// standard library, and survives a round trip.
func FuzzUnmarshal(f *testing.F) {
	for _, seed := range []string{
		`{"command":"ls","timeout":5}`, `{"a":1,"a":2}`, `{"a":1,"A":2}`, `"\ud800"`, "\"\xff\"", `[[[[]]]]`,
		`{"a":[1,2.5e3,null,true,"x\u0000"]}`, "\xef\xbb\xbf{}", `{"a":{}}{}`, `1e999`, ` `, `{"a":1,}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer testlimit.Watch(t)()
		var got any
		err := strictjson.Unmarshal(data, &got)
		if validErr := strictjson.Valid(data); err == nil && validErr != nil {
			t.Fatalf("Unmarshal accepts %q, Valid says %v", data, validErr)
		}
		if err != nil {
			checkPlace(t, data, err)
			return
		}
		var want any
		if err := json.Unmarshal(data, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q means %#v here and %#v (%v) to encoding/json", data, got, want, err)
		}
		again, err := strictjson.Marshal(got)
		if err != nil {
			t.Fatalf("cannot write %#v: %v", got, err)
		}
		var back any
		if err := strictjson.Unmarshal(again, &back); err != nil || !reflect.DeepEqual(got, back) {
			t.Fatalf("%q came back as %#v, %v", again, back, err)
		}
	})
}

func checkPlace(t *testing.T, data []byte, err error) {
	t.Helper()
	e, ok := err.(*strictjson.Error)
	if !ok {
		t.Fatalf("%q: error is a %T", data, err)
	}
	if e.Line < 1 || e.Column < 1 || e.Offset < 0 || e.Offset > int64(len(data)) || e.Message == "" {
		t.Fatalf("%q: error has no place in the text: %+v", data, e)
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	data := []byte(`{"command":"git log --oneline | head -5","timeout":5000,"tags":["a","b"],"nested":{"x":1}}`)
	b.ReportAllocs()
	for b.Loop() {
		var into bash
		if err := strictjson.Unmarshal(data, &into); err != nil {
			b.Fatal(err)
		}
	}
}
