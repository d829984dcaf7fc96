package strictjson

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/testlimit"
)

// shape writes a tree with the text of every scalar, to compare places and values.
func shape(n Node) string {
	switch n.Kind {
	case '[':
		var parts []string
		for e := range n.Elements() {
			parts = append(parts, shape(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case '{':
		var parts []string
		for _, m := range n.Members() {
			parts = append(parts, m.Name.Text()+"="+shape(m.Value))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case '"':
		return fmt.Sprintf("%q", n.Text())
	}
	return n.Raw()
}

func TestTree(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                     `{}`,
		` {"a": [1, -2.5e3 , true,null],"b":{}}`: `{a=[1 -2.5e3 true null] b={}}`,
		"{\"a\\n\":\"x\\u0041\"}\n":              "{a\n=\"xA\"}",
		`"only"`:                                 `"only"`,
	} {
		n, err := Tree([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := shape(n); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if _, err := Tree([]byte(strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth))); err != nil {
		t.Errorf("as deep as it may be: %v", err)
	}
	n, err := Tree(`{"a":1,"b":{"a":"x"},"\u0063":true}`)
	if err != nil || n.Member("b").Member("a").Text() != "x" || n.Member("c").Kind != 't' || n.Member("d").Kind != 0 || n.Member("a").Member("b").Kind != 0 {
		t.Errorf("members: %+v, %v", n, err)
	}
	n, err = Tree([]byte(`  {"a":  "b" } `))
	if err != nil || n.Start() != 2 || n.End() != 14 || n.Members()[0].Name.Start() != 3 || n.Members()[0].Value.Start() != 9 || n.Members()[0].Value.End() != 12 {
		t.Errorf("places: %+v, %v", n, err)
	}
}

// What one reader refuses the other must refuse too, at the same place.
func TestTreeIsAsStrictAsValid(t *testing.T) {
	for _, text := range []string{
		``, ` `, `{`, `{"a":1`, `[1,]`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, "\"\xff\"", `"\ud800"`, `{} {}`, `// x`, `nul`, `01`,
		strings.Repeat("[", MaxDepth+1), strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), `{"a" 1}`, "\ufeff{}", `{'a':1}`, `[1 2]`, `{"a":tru}`,
	} {
		want, got := Valid([]byte(text)), error(nil)
		_, got = Tree([]byte(text))
		var w, g *Error
		if !errors.As(want, &w) || !errors.As(got, &g) || g.Error() != w.Error() {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func FuzzTree(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x\n",{"b":null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer testlimit.Watch(t)()
		n, err := Tree(data)
		if valid := Valid(data); (valid == nil) != (err == nil) {
			t.Fatalf("%q: %v, but Valid says %v", data, err, valid)
		}
		if err == nil && Valid(data[n.Start():n.End()]) != nil {
			t.Fatalf("%q: the place %d to %d is no value", data, n.Start(), n.End())
		}
	})
}
