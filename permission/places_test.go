package permission_test

import (
	"slices"
	"testing"

	"github.com/assent-dev/assent/permission"
)

func TestT7_OtherPlaces(t *testing.T) {
	for name, tt := range map[string]struct {
		was, is    []string
		gone, come string
	}{
		"none":             {nil, []string{}, "", ""},
		"the same":         {[]string{"/a", "/b"}, []string{"/b", "/a", "/b"}, "", ""},
		"another one":      {[]string{"/a", "/b"}, []string{"/a", "/c"}, "/b", "/c"},
		"one more":         {[]string{"/a"}, []string{"/a", "/c"}, "no other file", "/c"},
		"none any more":    {[]string{"/a"}, nil, "/a", "no other file"},
		"too many to read": {nil, []string{"/1", "/2", "/3", "/4", "/5", "/6", "/7"}, "no other file", "/1, /2, /3, /4, /5, 2 more"},
	} {
		if gone, come := permission.OtherPlaces(tt.was, tt.is); gone != tt.gone || come != tt.come {
			t.Errorf("%s: %q, %q", name, gone, come)
		}
	}
	unsorted := []string{"/b", "/a", "/b"}
	if got := permission.SortedPlaces(unsorted); !slices.Equal(got, []string{"/a", "/b"}) || unsorted[0] != "/b" {
		t.Errorf("%q, %q", got, unsorted)
	}
	if got := (*permission.Call)(nil).Places(); got != nil {
		t.Errorf("%q", got)
	}
}
