package session

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

func TestFork(t *testing.T) {
	s := newStore(t)
	parent := create(t, s, one)
	everything(t, parent)
	before, err := os.ReadFile(parent.Path())
	if err != nil {
		t.Fatal(err)
	}
	child, err := s.Fork(one, two, Start{Cwd: begin.Cwd, Model: "m", Version: "v"}) // while the parent is open
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	c, err := child.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	checkEverything(t, c)
	if c.Start.Parent != one || c.Start.Session != two {
		t.Errorf("%+v", c.Start)
	}
	put(t, child, Said, said(model.User, "something else"))
	if after, err := os.ReadFile(parent.Path()); err != nil || string(after) != string(before) {
		t.Errorf("the parent has changed, %v", err)
	}
	put(t, parent, Said, said(model.User, "goes on"))
	if _, err := s.Fork(one, two, begin); err == nil {
		t.Error("a fork over another session")
	}
	if _, err := s.Fork(three, NewID(), begin); !errors.Is(err, ErrUnknown) {
		t.Errorf("a fork of nothing: %v", err)
	}

	// What was half written when somebody looked is not there yet.
	f, err := os.OpenFile(parent.Path(), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(`{"n":16,"sha2`); err != nil {
		t.Fatal(err)
	}
	loaded, err := s.Load(one)
	if err != nil || len(loaded.Messages) != 4 {
		t.Errorf("%d messages, %v", len(loaded.Messages), err)
	}
	count := 0
	for _, err := range s.Records(one) {
		if err != nil {
			t.Error(err)
		}
		count++
	}
	if count != 15 {
		t.Errorf("%d records", count)
	}
}

func TestDamage(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	everything(t, tr)
	_ = tr.Close()
	whole, err := os.ReadFile(tr.Path())
	if err != nil {
		t.Fatal(err)
	}
	line := slices.Collect(strings.Lines(string(whole)))
	foreign := create(t, s, two)
	_ = foreign.Close()
	other, err := os.ReadFile(foreign.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"edited", strings.Replace(string(whole), "ls", "rm", 1), "line 5: record 5 does not follow"},
		{"deleted", line[0] + strings.Join(line[2:], ""), "line 2: record 2 is missing"},
		{"swapped", line[0] + line[2] + line[1], "line 2: record 2 is missing"},
		{"empty", "", "it is empty"},
		{"that of another session", string(other), "it is that of session \"" + two},
		{"something else", "hello\n", "line 1: there should be record 1"},
	} {
		if err := os.WriteFile(tr.Path(), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, resumed := s.Resume(one)
		_, loaded := s.Load(one)
		_, forked := s.Fork(one, three, begin)
		for _, err := range []error{resumed, loaded, forked} {
			if _, ok := errors.AsType[*Damaged](err); !ok || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if now, err := os.ReadFile(tr.Path()); err != nil || string(now) != c.text {
			t.Errorf("%s: the file has changed, %v", c.name, err)
		}
	}
	// After all that nobody holds the session, and a torn line is no damage.
	if err := os.WriteFile(tr.Path(), append(whole, `{"n":15,"sh`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, resume(t, s, one)); len(got) != 14 {
		t.Errorf("%d records", len(got))
	}
}

// A record of a later version could change what the others mean.
func TestUnknownKindIsRefused(t *testing.T) {
	s := newStore(t)
	first, err := encodeStart(time.Now(), Start{Session: one})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := s.create(one, first, wrap(time.Now(), "newer", []byte("{}")))
	if err == nil {
		_ = tr.Close()
	}
	if err == nil || !strings.Contains(err.Error(), `this version does not know: "newer" (use the version that wrote it)`) {
		t.Errorf("%v", err)
	}
}

func TestListAndLatest(t *testing.T) {
	s := newStore(t)
	if _, err := s.Latest("/home/dev/app"); !errors.Is(err, ErrUnknown) {
		t.Errorf("no store: %v", err)
	}
	clock := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	s.now = func() time.Time { clock = clock.Add(time.Minute); return clock }
	ids := []string{three, one, two, NewID()}
	for i, id := range ids {
		tr := create(t, s, id)
		put(t, tr, Noted, "a note")
		put(t, tr, Said, said(model.Assistant, "not a prompt"))
		put(t, tr, Said, said(model.User, "\n  Fix the tests \nand more"))
		put(t, tr, Said, said(model.User, "later"))
		if i != 1 {
			put(t, tr, Ended, strictjson.Raw(`{}`))
		}
		if i != 2 {
			_ = tr.Close()
		}
		if err := os.Chtimes(tr.Path(), clock, clock); err != nil {
			t.Fatal(err)
		}
	}
	broken := filepath.Join(s.path(ids[3]), transcriptName)
	if err := errors.Join(os.WriteFile(broken, []byte("x\n"), 0o600), os.Chtimes(broken, clock, clock)); err != nil {
		t.Fatal(err)
	}
	// These are no sessions.
	for _, name := range []string{"notes", NewID()} {
		if err := os.Mkdir(s.path(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(s.path(one), s.path(NewID())); err != nil {
		t.Fatal(err)
	}
	var got []Summary
	for sum, err := range s.List() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, sum)
	}
	minute := func(m int) time.Time { return time.Date(2026, 11, 16, 9, m, 0, 0, time.UTC) }
	want := []Summary{
		{ID: ids[3], State: Broken},
		{ID: two, Cwd: begin.Cwd, Started: minute(12), Last: minute(17), Prompt: "Fix the tests", State: Running},
		{ID: one, Cwd: begin.Cwd, Started: minute(7), Last: minute(11), Prompt: "Fix the tests", State: Interrupted},
		{ID: three, Cwd: begin.Cwd, Started: minute(1), Last: minute(6), Prompt: "Fix the tests", State: Done},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if id, err := s.Latest(begin.Cwd); err != nil || id != two {
		t.Errorf("%s, %v", id, err)
	}
	if _, err := s.Latest("/elsewhere"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
}

// A fork that an earlier version has made does not say how what it comes from began, so nobody knows
// whether that is what lies here.
func TestS34_AForkOfAnEarlierVersion(t *testing.T) {
	s := newStore(t)
	begun := func(id string, start Start) {
		t.Helper()
		tr, err := s.Create(id, start)
		if err == nil {
			err = tr.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	begun(one, Start{})
	begun(two, Start{Parent: one})
	tr, err := s.Fork(two, three, Start{})
	if err == nil {
		err = tr.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fork string
		n    int
		want string
	}{{two, 0, ""}, {two, 1, "an earlier version"}, {two, 2, "does not say"}, {three, 1, ""}, {three, 2, "an earlier version"}} {
		if err := s.Answers(c.fork, c.n); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %d: %v", c.fork, c.n, err)
		}
	}
}

// A fork under the ID of a session that it comes from is not that session.
func TestS34_AForkUnderTheIDOfItsOrigin(t *testing.T) {
	s := newStore(t)
	begun := func(tr *Transcript, err error) {
		t.Helper()
		if err == nil {
			err = tr.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	begun(s.Create(one, Start{}))
	begun(s.Fork(one, two, Start{}))
	if err := s.Answers(two, 1); err != nil {
		t.Error(err)
	}
	_, err := s.Remove(one, nil)
	if err := errors.Join(err, s.Discard(one)); err != nil {
		t.Fatal(err)
	}
	begun(s.Fork(two, one, Start{}))
	for fork, n := range map[string]int{one: 2, two: 1} {
		if err := s.Answers(fork, n); err == nil || !strings.Contains(err.Error(), "is another one by now") {
			t.Errorf("%s: %v", fork, err)
		}
	}
	if err := s.Answers(one, 1); err != nil {
		t.Error(err)
	}
}
