package builtin

import (
	"reflect"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

func TestFiles(t *testing.T) {
	f := NewFiles()
	if got := f.Check("/a", "1"); got != Unseen {
		t.Errorf("nothing was seen: %v", got)
	}
	f.See(Sight{Path: "/b", Digest: "1", Partial: true})
	f.See(Sight{Path: "/a", Digest: "1"})
	f.See(Sight{Path: "/a", Digest: "1", Partial: true})
	if f.Check("/a", "1") != Current || f.Check("/a", "2") != Changed || f.partly("/a") || !f.partly("/b") {
		t.Errorf("%+v", f.All())
	}
	want := []Sight{{Path: "/a", Digest: "1"}, {Path: "/b", Digest: "1", Partial: true}}
	if got := f.All(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	// A session keeps them and goes on with them.
	text, err := strictjson.Marshal(f.All())
	if err != nil {
		t.Fatal(err)
	}
	var kept []Sight
	if err := strictjson.UnmarshalKnown(text, &kept); err != nil {
		t.Fatal(err)
	}
	resumed := NewFiles()
	resumed.Restore(kept)
	if got := resumed.All(); !reflect.DeepEqual(got, want) {
		t.Errorf("%s became %+v", text, got)
	}
	f.See(Sight{Path: "/a", Digest: "2", Partial: true})
	if f.Check("/a", "2") != Current || !f.partly("/a") {
		t.Errorf("%+v", f.All())
	}
}
