package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

const (
	one   = "11111111-1111-4111-8111-111111111111"
	two   = "22222222-2222-4222-8222-222222222222"
	three = "33333333-3333-4333-8333-333333333333"
)

var begin = Start{Cwd: "/home/dev/app", Model: "m", Mode: "default", Version: "v"}

func newStore(t testing.TB) *Store {
	return NewStore(filepath.Join(t.TempDir(), "state", "sessions"))
}

func create(t testing.TB, s *Store, id string) *Transcript {
	t.Helper()
	tr, err := s.Create(id, begin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

func resume(t testing.TB, s *Store, id string) *Transcript {
	t.Helper()
	tr, err := s.Resume(id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

func put(t testing.TB, tr *Transcript, kind Kind, body any) {
	t.Helper()
	if err := tr.Append(kind, body); err != nil {
		t.Fatal(err)
	}
}

func said(role model.Role, text string) model.Message {
	return model.Message{Role: role, Content: []model.Block{model.TextBlock(text)}}
}

// lines are the records in short: kind and body.
func lines(t testing.TB, tr *Transcript) []string {
	t.Helper()
	var all []string
	for r, err := range tr.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Number != len(all)+1 || r.Time.IsZero() {
			t.Errorf("record %d of %v after %d", r.Number, r.Time, len(all))
		}
		all = append(all, fmt.Sprintf("%s %s", r.Kind, r.Body))
	}
	return all
}

// everything is a session with a record of every kind.
func everything(t testing.TB, tr *Transcript) {
	t.Helper()
	call := model.Block{Kind: model.ToolUse, ID: "t1", Name: "Bash", Input: strictjson.Raw(`{"command":"ls","n":1.50}`)}
	put(t, tr, Said, said(model.User, "forget this"))
	put(t, tr, Saw, strictjson.Raw(`{"path":"/a","digest":"1"}`))
	put(t, tr, Compacted, Compaction{Messages: []model.Message{said(model.User, "a summary")}, Trigger: "auto"})
	put(t, tr, Said, model.Message{Role: model.Assistant, Content: []model.Block{call}})
	put(t, tr, Ran, strictjson.Raw(`{"raw":"result"}`))
	put(t, tr, Moded, Mode{"acceptEdits"})
	put(t, tr, Ruled, strictjson.Raw(`{"type":"addRules","destination":"session"}`))
	put(t, tr, Saw, strictjson.Raw(`{"path":"/b","digest":"2"}`))
	put(t, tr, Saw, strictjson.Raw(`{"path":"/a","digest":"3"}`))
	put(t, tr, Noted, strictjson.Raw(`"take care"`))
	put(t, tr, Said, model.Message{Role: model.User, Content: []model.Block{{Kind: model.ToolResult, ToolUseID: "t1", Result: []model.Block{model.TextBlock("files\u2028é\x1b")}}}})
	put(t, tr, Ended, strictjson.Raw(`{"type":"result"}`))
	put(t, tr, Resumed, Start{Session: tr.ID(), Cwd: begin.Cwd, Model: "m2"})
}

func checkEverything(t *testing.T, c Conversation) {
	t.Helper()
	messages, err := strictjson.Marshal(c.Messages)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"role":"user","content":[{"type":"text","text":"a summary"}]},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls","n":1.50}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"files\u2028é\u001b"}]}]}]`
	if string(messages) != want {
		t.Errorf("got\n%s\nwant\n%s", messages, want)
	}
	if c.Mode != "acceptEdits" || len(c.Updates) != 1 || c.Start.Cwd != begin.Cwd {
		t.Errorf("%+v", c)
	}
	if got := fmt.Sprint(c.Sights); got != `[{"path":"/a","digest":"3"} {"path":"/b","digest":"2"}]` {
		t.Errorf("sights %s", got)
	}
}

func TestD8_ASessionGoesOnWhereItStopped(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	everything(t, tr)
	want, head := lines(t, tr), tr.Head()
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}

	again := resume(t, s, one)
	if got := lines(t, again); !slices.Equal(got, want) || len(got) != 14 {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if again.Head() != head || again.ID() != one {
		t.Errorf("%s, %s", again.ID(), again.Head())
	}
	c, err := again.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	checkEverything(t, c)

	put(t, again, Said, said(model.Assistant, "done"))
	put(t, again, Moded, Mode{"plan"})
	if c, err = again.Conversation(); err != nil || len(c.Messages) != 4 || c.Mode != "plan" {
		t.Errorf("%d messages, mode %s, %v", len(c.Messages), c.Mode, err)
	}
	// The copied directory is the session on another machine.
	other := NewStore(filepath.Join(t.TempDir(), "elsewhere"))
	if err := os.CopyFS(other.path(one), os.DirFS(again.Dir())); err != nil {
		t.Fatal(err)
	}
	if moved := resume(t, other, one); moved.Head() != again.Head() {
		t.Errorf("%s", moved.Head())
	}
}

// The form of a file stays what it is.
func TestForm(t *testing.T) {
	s := newStore(t)
	s.now = func() time.Time { return time.Date(2026, 11, 16, 10, 30, 0, 5000, time.FixedZone("", 3600)) }
	tr := create(t, s, one)
	put(t, tr, Moded, strictjson.Raw("{\n  \"mode\": \"pl\\u0061n\"\n}"))
	text, err := os.ReadFile(tr.Path())
	if err != nil {
		t.Fatal(err)
	}
	records := strings.Split(string(text), "\n")
	for i, want := range []string{
		`{"time":"2026-11-16T09:30:00.000005Z","kind":"start","body":{"session":"` + one + `","cwd":"/home/dev/app","model":"m","mode":"default","version":"v"}}}`,
		`{"time":"2026-11-16T09:30:00.000005Z","kind":"mode","body":{"mode":"pl\u0061n"}}}`,
		``,
	} {
		if !strings.HasSuffix(records[i], want) {
			t.Errorf("line %d is %s", i+1, records[i])
		}
	}
	if tr.Path() != filepath.Join(s.dir, one, "transcript.jsonl") || tr.Dir() != filepath.Dir(tr.Path()) {
		t.Errorf("%s, %s", tr.Path(), tr.Dir())
	}
	for path, want := range map[string]os.FileMode{s.dir: 0o700, tr.Dir(): 0o700, tr.Path(): 0o600, filepath.Join(tr.Dir(), "lock"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestMemory(t *testing.T) {
	tr, err := Memory(one, begin)
	if err != nil {
		t.Fatal(err)
	}
	everything(t, tr)
	c, err := tr.Conversation()
	if err != nil {
		t.Fatal(err)
	}
	checkEverything(t, c)
	if tr.Dir() != "" || tr.Path() != "" || len(lines(t, tr)) != 14 {
		t.Errorf("%q, %q", tr.Dir(), tr.Path())
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	if err := tr.Append(Noted, "late"); err == nil {
		t.Error("it was closed")
	}
}

func TestD8_ASecondProcessIsRefusedAtOnce(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	for name, open := range map[string]func() (*Transcript, error){
		"resume": func() (*Transcript, error) { return s.Resume(one) },
		"create": func() (*Transcript, error) { return s.Create(one, begin) },
	} {
		_, err := open()
		inUse, ok := errors.AsType[*InUse](err)
		if !ok || inUse.PID != os.Getpid() || !strings.Contains(err.Error(), "--fork-session") {
			t.Errorf("%s: %v", name, err)
		}
	}
	put(t, tr, Noted, "still mine")
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	resume(t, s, one)
}

func TestCreateKeepsWhatIsThere(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	put(t, tr, Noted, "mine")
	_ = tr.Close()
	if _, err := s.Create(one, begin); !errors.Is(err, ErrExists) {
		t.Errorf("%v", err)
	}
	if got := lines(t, resume(t, s, one)); len(got) != 2 {
		t.Errorf("%q", got)
	}
	// A process that died before its first record has left a directory and no session.
	if err := os.MkdirAll(s.path(two), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resume(two); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v", err)
	}
	create(t, s, two)
}

func TestAppendRefusesWhatItCouldNotReadAgain(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	for name, c := range map[string]struct {
		kind Kind
		body any
	}{
		"an unknown kind":   {"surprise", "x"},
		"a second start":    {Started, begin},
		"no JSON":           {Noted, strictjson.Raw(`{`)},
		"two keys":          {Noted, strictjson.Raw(`{"a":1,"a":2}`)},
		"invalid UTF-8":     {Noted, "\xff"},
		"a mode of a kind":  {Moded, strictjson.Raw(`{"mode":1}`)},
		"a sight of a kind": {Saw, strictjson.Raw(`[]`)},
	} {
		if err := tr.Append(c.kind, c.body); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	put(t, tr, Noted, "fine")
	_ = tr.Close()
	if got := lines(t, resume(t, s, one)); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// A path may be any bytes; a session in such a directory can be kept and found.
func TestCwdOfAnyBytes(t *testing.T) {
	s := newStore(t)
	start := begin
	start.Cwd = "/home/dev/\xff"
	tr, err := s.Create(one, start)
	if err != nil {
		t.Fatal(err)
	}
	_ = tr.Close()
	if id, err := s.Latest(start.Cwd); err != nil || id != one {
		t.Errorf("%s, %v", id, err)
	}
}

func TestAppendSideBySide(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range 10 {
				put(t, tr, Saw, strictjson.Raw(fmt.Sprintf(`{"path":"/%d","digest":"%d"}`, n, i)))
				if _, err := tr.Conversation(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	c, err := tr.Conversation()
	if err != nil || len(c.Sights) != 4 || len(lines(t, tr)) != 41 {
		t.Errorf("%d sights, %v", len(c.Sights), err)
	}
}
