package audit

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// Whoever writes both files can roll both of them back. Only a head that was noted
// elsewhere tells.
func TestT3_ANotedHeadProvesTheLogUpToIt(t *testing.T) {
	l := newLog(t)
	fill(t, l, 2)
	old := t.TempDir()
	must(t, os.CopyFS(old, os.DirFS(l.Dir())))
	add(t, l, decision(3))
	three := noted(t, l.Dir())
	add(t, l, decision(4))
	if r, err := Verify(l.Dir(), three); err != nil || !r.Whole() {
		t.Errorf("a head inside of the log: %+v, %v", r, err)
	}

	if r := verify(t, old); !r.Whole() {
		t.Errorf("without a head nobody can tell: %+v", r)
	}
	two := noted(t, old)
	finds(t, old, "record 3, which was noted, is missing: the log ends with record 2", two, three)
	if r, err := Verify(old, two); err != nil || !r.Whole() {
		t.Errorf("the head of the older copy: %+v, %v", r, err)
	}

	other := newLog(t)
	fill(t, other, 2)
	add(t, other, Record{Tool: "Bash", Summary: "another third step", Decision: "allow"})
	finds(t, other.Dir(), "record 3 is another one than was noted", three)

	gone := t.TempDir()
	finds(t, gone, "record 3, which was noted, is missing: there is no log any more", three)
	if _, err := Verify(gone, noted(t, newEmpty(t))); !errors.Is(err, ErrNone) {
		t.Errorf("the head of an empty log promises nothing: %v", err)
	}
}

func TestParseHead(t *testing.T) {
	zeros := strings.Repeat("0", 64)
	for _, text := range []string{"0:" + zeros, "12:" + strings.Repeat("5f", 32)} {
		if h, err := ParseHead(text); err != nil || h.String() != text {
			t.Errorf("%s: %s, %v", text, h, err)
		}
	}
	for _, text := range []string{
		"", "3", "3:", ":" + zeros, "x:" + zeros, "-1:" + zeros, "+1:" + zeros, "01:" + zeros, "3:" + zeros[1:], "3:" + zeros + "0",
		"3:" + strings.Repeat("5F", 32), "3:" + strings.Repeat("xy", 32), "3 :" + zeros, "0:" + strings.Repeat("5f", 32),
		"99999999999999999999:" + zeros,
	} {
		if h, err := ParseHead(text); err == nil {
			t.Errorf("%q is %s", text, h)
		}
	}
}

func newEmpty(t *testing.T) string {
	dir := t.TempDir()
	_, err := begin(dir)
	must(t, err)
	return dir
}

func noted(t *testing.T, dir string) Head {
	t.Helper()
	h, err := ParseHead(verify(t, dir).Head)
	must(t, err)
	return h
}

func finds(t *testing.T, dir, want string, heads ...Head) {
	t.Helper()
	r, err := Verify(dir, heads...)
	if err != nil || len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].String(), want) {
		t.Errorf("%+v, %v; want %s", r.Findings, err, want)
	}
}
