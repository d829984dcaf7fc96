package account

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestA4_SeveralAccounts(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{nil, ""},
		{[]string{"", " ", ","}, ""},
		{[]string{"ann@desk"}, "ann@desk"},
		{[]string{"", "ann@desk"}, "ann@desk"},
		{[]string{"ann@desk", ""}, "ann@desk"},
		{[]string{"ann@desk", "ben@server"}, "ann@desk, ben@server"},
		{[]string{"ann@desk", "ben@server", "ann@desk"}, "ann@desk, ben@server"},
		{[]string{"ann@desk", "Ann@DESK"}, "ann@desk"},
		{[]string{"ann@desk", "ann@server"}, "ann@desk, ann@server"},
		{[]string{"uid 7@vm", "CORP\\ben@server"}, "uid 7@vm, CORP\\ben@server"},
		{[]string{"ann@desk, ben@server", "cleo@vm, ben@server"}, "ann@desk, ben@server, cleo@vm"},
		{[]string{"ann@desk, …, ben@server", "cleo@vm"}, "ann@desk, …, ben@server, cleo@vm"},
		{[]string{"ann@desk", "…"}, "ann@desk, …"},
		{[]string{"…"}, "…"},
	} {
		got := Join(c.texts...)
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
		if again := Join(got, got); again != got || len(c.texts) > 0 && strings.Join(Split(got), ", ") != got {
			t.Errorf("%q became %q and %q", got, again, Split(got))
		}
	}
}

// T1: whoever adds names until the list is full does not get out of it one that was there without a trace.
func TestT1_NoNameGoesWithoutATrace(t *testing.T) {
	text := Join("ann@desk", "mallory@desk")
	for i := range Most - 2 {
		text = Join(text, fmt.Sprintf("mallory@vm%d", i))
	}
	if names := Split(text); len(names) != Most || slices.Contains(names, Others) || names[1] != "mallory@desk" {
		t.Fatalf("%q", names)
	}
	for i := range 3 * Most {
		last := fmt.Sprintf("root@vm%d", i)
		text = Join(text, last)
		names := Split(text)
		if len(names) != Most+1 || names[0] != "ann@desk" || names[1] != Others || names[Most] != last {
			t.Fatalf("%q", names)
		}
	}
}

func TestA4_NamesThatCouldBeSeveral(t *testing.T) {
	for name, fits := range map[string]bool{
		"": true, "ann@desk": true, "uid 7@unknown host": true, `CORP\ann@desk`: true, "ann…@desk": true,
		"ann@desk, ben@server": false, "ann,ben": false, Others: false, " " + Others: false, "a\xff": false,
	} {
		if err := Check(name); (err == nil) != fits {
			t.Errorf("%q: %v", name, err)
		}
	}
	if got := single("a,b@c,d\xff"); Check(got) != nil || len(Split(got)) != 1 {
		t.Errorf("%q", got)
	}
	if err := Check(Name()); err != nil {
		t.Error(err)
	}
}
