package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/chain"
)

var noon = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)

// decision is the nth record of a test.
func decision(n int) Record {
	return Record{
		Time: noon.Add(time.Duration(n) * time.Minute), Session: "s1", ToolUseID: fmt.Sprintf("t%d", n), Tool: "Bash",
		Digest: "d", Summary: fmt.Sprintf("step %d", n), Cwd: "/home/dev/app", Mode: "default", Decision: "allow", Micros: 5,
	}
}

func newLog(t testing.TB) *Log {
	l := Open(filepath.Join(t.TempDir(), "state", "audit"))
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func add(t testing.TB, l *Log, records ...Record) {
	t.Helper()
	for _, r := range records {
		if err := l.Append(r); err != nil {
			t.Fatal(err)
		}
	}
}

// fill appends so many decisions.
func fill(t testing.TB, l *Log, n int) {
	t.Helper()
	for i := range n {
		add(t, l, decision(i+1))
	}
}

func read(t testing.TB, dir string, q Query) []Entry {
	t.Helper()
	var all []Entry
	for e, err := range Read(dir, q) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func verify(t testing.TB, dir string) Report {
	t.Helper()
	r, err := Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// findings are what verify finds, as text.
func findings(t testing.TB, dir string) []string {
	t.Helper()
	all := []string{}
	for _, f := range verify(t, dir).Findings {
		all = append(all, f.String())
	}
	return all
}

func TestT3_RecordsComeBackAsTheyWere(t *testing.T) {
	l := newLog(t)
	full := Record{
		Time: noon, Session: "s", Agent: "a", ToolUseID: "t", Tool: "Edit", Digest: "d", Summary: "a\nb\u2028c", Cwd: "/\xff", Mode: "plan",
		Decision: "deny", Stage: "rules", Kind: "rule", Reason: "because", Rule: "Edit(x)", File: "/f", Line: 3, Who: "host", Losers: []string{"hook \xfe"},
		Micros: 7, Hooks: []Hook{{Name: "h", Outcome: "allow", Said: "\xff", Micros: 1, Changed: []string{"/a"}, Before: "b", After: "c"}},
	}
	add(t, l, full)
	got := read(t, l.Dir(), Query{})
	want := full
	want.Cwd, want.Losers = "/\uFFFD", []string{"hook \uFFFD"}
	want.Hooks = []Hook{full.Hooks[0]}
	want.Hooks[0].Said = "\uFFFD"
	if len(got) != 1 || got[0].Number != 1 || !reflect.DeepEqual(got[0].Record, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if full.Hooks[0].Said != "\xff" || full.Losers[0] != "hook \xfe" {
		t.Error("the caller's record was changed")
	}
	add(t, l, Record{})
	if got := read(t, l.Dir(), Query{})[1]; time.Since(got.Time) > time.Hour {
		t.Errorf("%v", got.Time)
	}
	for path, mode := range map[string]os.FileMode{"": 0o700, "lock": 0o600, "head.json": 0o600, "000000000001.jsonl": 0o600} {
		if info, err := os.Stat(filepath.Join(l.Dir(), path)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

func TestSegments(t *testing.T) {
	l := newLog(t)
	l.size = 1000
	fill(t, l, 20)
	_ = l.Close()
	again := Open(l.Dir())
	again.size = 1000
	add(t, again, decision(21))
	names, err := segments(l.Dir())
	if err != nil || len(names) < 4 || names[0] != "000000000001.jsonl" {
		t.Fatalf("%q, %v", names, err)
	}
	var numbers []int
	for _, e := range read(t, l.Dir(), Query{}) {
		numbers = append(numbers, e.Number)
	}
	r := verify(t, l.Dir())
	if len(numbers) != 21 || !r.Whole() || r.Records != 21 || r.Segments != len(names) || len(r.Notes) != 0 {
		t.Errorf("%v, %+v", numbers, r)
	}
	if r.First != decision(1).Time || r.Last != decision(21).Time || !strings.HasPrefix(r.Head, "21:") {
		t.Errorf("%+v", r)
	}
}

func TestManyLogsSideBySide(t *testing.T) {
	dir := newLog(t).Dir()
	var wg sync.WaitGroup
	for range 4 {
		l := Open(dir)
		l.size = 2000
		for range 2 {
			wg.Go(func() {
				for n := range 5 {
					if err := l.Append(decision(n)); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	if r := verify(t, dir); !r.Whole() || r.Records != 40 || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestQuery(t *testing.T) {
	l := newLog(t)
	for n := range 6 {
		r := decision(n)
		switch n {
		case 1:
			r.Tool, r.Decision, r.Reason = "Edit", "deny", "a Rule says no"
		case 2:
			r.Session = "other"
		case 3:
			r.Rule, r.File, r.Line = "Bash(git:*)", "/home/dev/settings.json", 4
		case 4:
			r.Input = Excerpt{Text: `{"command":"echo \"hi\"`, LeftOut: 7, Tail: `the end"}`}
			r.Asked = Excerpt{Text: `{"command":"echo ho"}`}
		}
		add(t, l, r)
	}
	for _, c := range []struct {
		name string
		q    Query
		want []int
	}{
		{"all", Query{}, []int{1, 2, 3, 4, 5, 6}},
		{"a session", Query{Session: "other"}, []int{3}},
		{"the beginning of one", Query{Session: "oth"}, []int{3}},
		{"a tool", Query{Tool: "Edit"}, []int{2}},
		{"not a part of one", Query{Tool: "Edi"}, nil},
		{"a decision", Query{Decision: "deny"}, []int{2}},
		{"since", Query{Since: noon.Add(4 * time.Minute)}, []int{5, 6}},
		{"until", Query{Until: noon.Add(2 * time.Minute)}, []int{1, 2}},
		{"both", Query{Since: noon.Add(time.Minute), Until: noon.Add(2 * time.Minute)}, []int{2}},
		{"a rule", Query{Rule: "Bash(git:*)"}, []int{4}},
		{"its file", Query{Rule: "/home/dev/settings.json"}, []int{4}},
		{"its line", Query{Rule: "/home/dev/settings.json:4"}, []int{4}},
		{"another line", Query{Rule: "/home/dev/settings.json:5"}, nil},
		{"a text", Query{Text: "RULE SAYS"}, []int{2}},
		{"in the summary", Query{Text: "step 5"}, []int{6}},
		{"in the input", Query{Text: `Echo "hi"`}, []int{5}},
		{"at its end", Query{Text: "the END"}, []int{5}},
		{"as it was asked", Query{Text: "echo ho"}, []int{5}},
		{"two things", Query{Tool: "Bash", Session: "s1", Text: "step 0"}, []int{1}},
	} {
		var got []int
		for _, e := range read(t, l.Dir(), c.q) {
			got = append(got, e.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for n, want := range map[int][]int{0: nil, 1: {6}, 4: {3, 4, 5, 6}, 9: {1, 2, 3, 4, 5, 6}} {
		var got []int
		left := 0
		for e, err := range Last(l.Dir(), Query{}, n, func(older int) { left = older }) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Number)
		}
		if !slices.Equal(got, want) || left+len(want) != 6 {
			t.Errorf("last %d: %v, and %d are older", n, got, left)
		}
	}
	for range Read(l.Dir(), Query{}) {
		break // a reader may stop
	}
}

func TestNoLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nothing")
	if _, err := Verify(dir); !errors.Is(err, ErrNone) {
		t.Errorf("%v", err)
	}
	if got := read(t, dir, Query{}); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("reading has made a directory")
	}
}

// sick is a file that fails once it is told to.
type sick struct {
	chain.File
	err   error
	short int
}

func (f *sick) Write(data []byte) (int, error) {
	if f.err == nil {
		return f.File.Write(data)
	}
	n, _ := f.File.Write(data[:f.short])
	return n, f.err
}

func (f *sick) Truncate(int64) error { return f.err }

// A disk that has failed ends the log for the process that saw it. Others go on where
// the last whole record ends.
func TestAFailedAppendEndsTheLog(t *testing.T) {
	l := newLog(t)
	f := &sick{short: 40}
	l.through = func(file chain.File) chain.File { f.File = file; return f }
	fill(t, l, 2)
	f.err = syscall.ENOSPC
	if err := l.Append(decision(3)); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "see that the disk is not full") {
		t.Errorf("%v", err)
	}
	if r := verify(t, l.Dir()); !r.Whole() || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "000000000001.jsonl:3: the line of record 3 is incomplete") {
		t.Errorf("%+v", r)
	}
	f.err = nil
	if err := l.Append(decision(3)); !errors.Is(err, chain.ErrBroken) {
		t.Errorf("%v", err)
	}
	add(t, Open(l.Dir()), decision(4))
	if r := verify(t, l.Dir()); !r.Whole() || r.Records != 3 || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
}
