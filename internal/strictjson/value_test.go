package strictjson

import (
	"testing"
)

// same compares a value with the node that [Tree] finds for it.
func sameValue(t *testing.T, v Value, n Node) {
	t.Helper()
	if string(v) != n.Raw() || v.Kind() != n.Kind || string(v.Text()) != n.Text() {
		t.Fatalf("%q of kind %c, text %q; want %q of kind %c, text %q", v, v.Kind(), v.Text(), n.Raw(), n.Kind, n.Text())
	}
	items := v.Items()
	switch n.Kind {
	case '{':
		for _, want := range n.Members() {
			name, value, ok := items.Next()
			if !ok {
				t.Fatalf("%q: the member %s is missing", v, want.Name.Raw())
			}
			sameValue(t, name, want.Name)
			sameValue(t, value, want.Value)
		}
	case '[':
		for want := range n.Elements() {
			_, value, ok := items.Next()
			if !ok {
				t.Fatalf("%q: the element %s is missing", v, want.Raw())
			}
			sameValue(t, value, want)
		}
	}
	if name, value, more := items.Next(); more {
		t.Fatalf("%q: there is %s %s as well", v, name, value)
	}
}

func TestValueIsWhatTreeFinds(t *testing.T) {
	for _, text := range []string{
		`{}`, ` [ ] `, `"a"`, `-1.5e+3`, `true`, `null`, `{"a":1,"b":[1,2,{"c":"}"}],"d":""}`,
		`{ "a\"b\\" : "\u0061,:]}" , "x" : [ "[" , "\\" , false ] }`, "\n[[[]],{},[{}]]\t", `["\\\\",""]`,
	} {
		n, err := Tree(text)
		if err != nil {
			t.Fatal(err)
		}
		sameValue(t, ValueOf([]byte(text)), n)
	}
}

func FuzzValue(f *testing.F) {
	f.Add([]byte(`{"a":[1,"b\\\"",{"c":null}],"":-0.5}`))
	f.Add([]byte(`{"a`))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := Tree(text)
		if err == nil {
			sameValue(t, ValueOf(text), n)
			return
		}
		var walk func(v Value) // which must end, whatever the text is
		walk = func(v Value) {
			items := v.Items()
			for _, value, ok := items.Next(); ok; _, value, ok = items.Next() {
				walk(value)
			}
		}
		if len(text) < 1000 {
			walk(ValueOf(text))
		}
	})
}
