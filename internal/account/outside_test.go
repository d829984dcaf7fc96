package account

import "testing"

// What the map of a user namespace says about who an account is outside.
func TestA4_TheAccountOutsideOfANamespace(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		uid  int
		want string
	}{
		"no namespace":             {"         0          0 4294967295\n", 1000, ""},
		"unshare -r":               {"         0        115          1\n", 0, "uid 115+userns"},
		"as nobody":                {"     65534        115          1\n", 65534, "uid 115+userns"},
		"of root":                  {"0 0 1\n", 0, "uid 0+userns"},
		"root, and a range":        {"0 1000 1\n1 100000 65536\n", 33, "uid 100032+userns"},
		"all but one":              {"0 0 4294967294\n", 7, "uid 7+userns"},
		"not mapped":               {"0 115 1\n", 65534, "somebody+userns"},
		"behind the range":         {"0 115 10\n", 10, "somebody+userns"},
		"not mapped further out":   {"0 4294967295 4294967295\n", 0, "somebody+userns"},
		"nobody has mapped it yet": {"", 65534, "somebody+userns"},
		"no map":                   {"what is this", 0, "somebody+userns"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := outerName(c.text, c.uid); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
