package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// exported is a session with calls that wait, as a file. One of them was begun.
func exported(t *testing.T, s *Store) []byte {
	t.Helper()
	tr := create(t, s, one)
	put(t, tr, Said, said(model.User, "deploy it"))
	p := waitingHere("a", "b")
	put(t, tr, Said, made(p))
	put(t, tr, Parked, p)
	put(t, tr, Began, Beginning{ToolUseID: "b"})
	if err := os.WriteFile(filepath.Join(tr.Dir(), stateName), []byte(`{"tenure":"vip"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var inUse *InUse
	if _, err := s.Export(one, &bytes.Buffer{}, "ann", "v"); !errors.As(err, &inUse) {
		t.Errorf("a session in use was exported: %v", err)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	m, err := s.Export(one, &file, "ann@here", "v1")
	if err != nil || m.Session != one || m.Cwd != begin.Cwd || len(m.Files) != 2 {
		t.Fatalf("%+v, %v", m, err)
	}
	return file.Bytes()
}

// waitingHere is calls that wait in the directory of the session.
func waitingHere(ids ...string) Pending {
	p := waiting(ids...)
	for i := range p.Calls {
		p.Calls[i].Cwd = begin.Cwd
	}
	return p
}

// made is the turn of the model in which calls were made.
func made(p Pending) model.Message {
	m := model.Message{Role: model.Assistant}
	for _, c := range p.Calls {
		m.Content = append(m.Content, model.Block{Kind: model.ToolUse, ID: c.ToolUseID, Name: c.Tool, Input: c.Input})
	}
	return m
}

func read(t *testing.T, file []byte) *Exported {
	t.Helper()
	x, err := ReadExport(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func content(t *testing.T, s *Store, id, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.path(id), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestD8_AnExportIsTheSameSession(t *testing.T) {
	s, other := newStore(t), newStore(t)
	file := exported(t, s)
	if err := other.Import(read(t, file), "", "bob", nil); err != nil {
		t.Fatal(err)
	}
	if was, is := content(t, s, one, stateName), content(t, other, one, stateName); was != is {
		t.Errorf("%s was\n%s\nand is\n%s", stateName, was, is)
	}
	added, same := strings.CutPrefix(content(t, other, one, transcriptName), content(t, s, one, transcriptName))
	if !same || strings.Count(added, "\n") != 1 || !strings.Contains(added, `"requester":"bob"`) { // who brings it is on record
		t.Errorf("%s is not the same: %s", transcriptName, added)
	}
	tr := resume(t, other, one)
	if head := strings.TrimSpace(content(t, other, one, headName)); head != tr.Head() {
		t.Errorf("the head is %s, and not %s", head, tr.Head())
	}
	c, err := tr.Conversation()
	if err != nil || stages(c) != "a:0 b:1 " {
		t.Errorf("%s, %v", stages(c), err)
	}
	if err := other.Import(read(t, file), "", "bob", nil); !errors.Is(err, ErrExists) {
		t.Errorf("a second time: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(other.path(one), ".import-*")); err != nil || len(left) != 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// In another directory the session is one of that directory, and what is unknown stays so.
func TestS27_AnImportCanBeBoundToAnotherDirectory(t *testing.T) {
	s, other := newStore(t), newStore(t)
	file := exported(t, s)
	x := read(t, file)
	if err := other.Import(x, "/srv/app", "bob@there", nil); err != nil {
		t.Fatal(err)
	}
	tr := resume(t, other, one)
	c, err := tr.Conversation()
	if err != nil || stages(c) != "a:0 b:1 " || c.Start.Cwd != "/srv/app" || c.Start.Session != one || c.Start.Model != "m" || len(c.Messages) != 2 {
		t.Errorf("%s, %+v, %v", stages(c), c.Start, err)
	}
	if a, b := c.Pending.Calls[0].Cwd, c.Pending.Calls[1].Cwd; a != "/srv/app" || b != "/srv/app" {
		t.Errorf("the calls wait in %s and %s", a, b)
	}
	if id, err := other.Latest("/srv/app"); err != nil || id != one {
		t.Errorf("the last session there is %s, %v", id, err)
	}
	records := lines(t, tr)
	last := records[len(records)-1]
	for _, want := range []string{`note `, `"from":"/home/dev/app"`, `"to":"/srv/app"`, `"by":"bob@there"`, `"head":"` + x.Head + `"`} {
		if !strings.Contains(last, want) {
			t.Errorf("the last record has no %s: %s", want, last)
		}
	}
	was := lines(t, resume(t, s, one))
	for i := 1; i < len(was); i++ {
		if records[i] != was[i] {
			t.Errorf("record %d was %s and is %s", i+1, was[i], records[i])
		}
	}
	put(t, tr, Noted, "it goes on")
}

// Every byte counts: whatever happens to one, nothing is imported.
func TestD8_ADamagedExportIsRefused(t *testing.T) {
	file := exported(t, newStore(t))
	refused := func(what string, data []byte) {
		t.Helper()
		x, err := ReadExport(bytes.NewReader(data), int64(len(data)))
		var bad *BadExport
		if x != nil || !errors.As(err, &bad) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for i := range file {
		refused("cut off", file[:i])
		changed := bytes.Clone(file)
		changed[i] ^= 1 << (i % 8)
		refused("changed", changed)
	}
	refused("longer", append(bytes.Clone(file), '\n'))
	refused("twice", append(bytes.Clone(file), file...))
}

// forge writes a file whose sums are right and whose content is not.
func forge(t *testing.T, change func(*Manifest), transcript, state string) []byte {
	t.Helper()
	m := Manifest{Format: exportVersion, Session: one, Files: []ExportedFile{{Name: transcriptName}, {Name: stateName}}}
	for i, text := range []string{transcript, state} {
		sum := newSum(text)
		m.Files[i].Bytes, m.Files[i].SHA256 = int64(len(text)), sum
	}
	change(&m)
	var b bytes.Buffer
	if err := writeExport(&b, m, strings.NewReader(transcript), []byte(state)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestD8_AForgedExportIsRefused(t *testing.T) {
	s := newStore(t)
	file := exported(t, s)
	transcript := content(t, s, one, transcriptName)
	good := read(t, file).Manifest
	same := func(m *Manifest) { m.Head, m.Cwd = good.Head, good.Cwd }
	if _, err := ReadExport(bytes.NewReader(forge(t, same, transcript, "{}")), int64(len(forge(t, same, transcript, "{}")))); err != nil {
		t.Fatalf("the forger is no good: %v", err)
	}
	first, _, _ := strings.Cut(transcript, "\n")
	for name, c := range map[string]struct {
		change            func(*Manifest)
		transcript, state string
		want              string
	}{
		"a path that leads elsewhere":  {func(m *Manifest) { same(m); m.Files[1].Name = "../../../.bashrc" }, transcript, "{}", `has the name "../../../.bashrc"`},
		"a path in place of the first": {func(m *Manifest) { same(m); m.Files[0].Name = "/etc/passwd" }, transcript, "{}", `has the name "/etc/passwd"`},
		"an id that leads elsewhere":   {func(m *Manifest) { same(m); m.Session = "../../x" }, transcript, "{}", "is a UUID"},
		"another id":                   {func(m *Manifest) { same(m); m.Session = two }, transcript, "{}", "it is that of session"},
		"a size that is too large":     {func(m *Manifest) { same(m); m.Files[0].Bytes = maxTranscript + 1 }, transcript, "{}", "at most"},
		"a size below zero":            {func(m *Manifest) { same(m); m.Files[0].Bytes -= 5; m.Files[1].Bytes = -1 }, transcript, "{}", "at most"},
		"sizes that do not add up":     {func(m *Manifest) { same(m); m.Files[0].Bytes-- }, transcript, "{}", "more or fewer bytes"},
		"a sum of another file":        {func(m *Manifest) { same(m); m.Files[0].SHA256 = newSum("x") }, transcript, "{}", "does not have the sum"},
		"another head":                 {func(m *Manifest) { m.Cwd = good.Cwd }, transcript, "{}", "of another session"},
		"another directory":            {func(m *Manifest) { m.Head = good.Head }, transcript, "{}", "of another session"},
		"no files":                     {func(m *Manifest) { same(m); m.Files = nil }, "", "", "has 0 files"},
		"a newer format":               {func(m *Manifest) { same(m); m.Format = 2 }, transcript, "{}", "update assent"},
		"no format":                    {func(m *Manifest) { same(m); m.Format = 0 }, transcript, "{}", "does not say"},
		"an empty transcript":          {same, "", "{}", "it is empty"},
		"a torn transcript":            {same, transcript[:len(transcript)-1], "{}", "line 5"},
		"a missing record":             {same, first + "\n", "{}", "of another session"},
		"a changed record":             {same, strings.Replace(transcript, "deploy it", "deploy ut", 1), "{}", "was changed"},
		"a state that is no object":    {same, transcript, "[]", "state.json cannot be read"},
		"a state with a key twice":     {same, transcript, `{"a":1,"a":2}`, "state.json cannot be read"},
	} {
		data := forge(t, c.change, c.transcript, c.state)
		x, err := ReadExport(bytes.NewReader(data), int64(len(data)))
		if x != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A member that nobody knows could mean anything.
	head, rest, _ := strings.Cut(string(file), "\n")
	data := []byte(strings.TrimSuffix(head, "}") + `,"more":1}` + "\n" + rest)
	if _, err := ReadExport(bytes.NewReader(data), int64(len(data))); err == nil {
		t.Error("a manifest with an unknown member was taken")
	}
}

func newSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// A file that changes between the check and the import is noticed, and leaves nothing.
func TestD8_AnExportThatChangesMeanwhile(t *testing.T) {
	file := exported(t, newStore(t))
	for _, cwd := range []string{"", "/srv/app"} {
		data := bytes.Clone(file)
		x := read(t, data)
		at := bytes.Index(data, []byte("deploy it"))
		data[at] ^= 1
		other := newStore(t)
		if err := other.Import(x, cwd, "bob", nil); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
			t.Errorf("%q: %v", cwd, err)
		}
		if ids, err := other.IDs(); err != nil || len(ids) != 0 {
			t.Errorf("%v, %v", ids, err)
		}
		if left, err := filepath.Glob(filepath.Join(other.path(one), ".import-*")); err != nil || len(left) != 0 {
			t.Errorf("left over: %v, %v", left, err)
		}
	}
}

// Many import the same file at once: one of them does.
func TestD8_ImportAtOnce(t *testing.T) {
	file := exported(t, newStore(t))
	other := newStore(t)
	left := filepath.Join(other.path(one), importMark+"123")
	if err := os.MkdirAll(filepath.Dir(left), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(left, []byte("by a process that died"), 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	done := make(chan error, 8)
	for range cap(done) {
		all.Go(func() {
			x, err := ReadExport(bytes.NewReader(file), int64(len(file)))
			if err == nil {
				err = other.Import(x, "/srv", "bob", nil)
			}
			done <- err
		})
	}
	all.Wait()
	close(done)
	well := 0
	for err := range done {
		var inUse *InUse
		switch {
		case err == nil:
			well++
		case !errors.Is(err, ErrExists) && !errors.As(err, &inUse):
			t.Error(err)
		}
	}
	if well != 1 {
		t.Errorf("%d imports went well", well)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what a dead process has left is still there")
	}
	resume(t, other, one)
}

// Whatever the bytes, an export is refused or can be imported whole.
func FuzzReadExport(f *testing.F) {
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"assent_session":1,"session":"11111111-1111-4111-8111-111111111111","files":[{"name":"transcript.jsonl","bytes":9223372036854775807}]}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := ReadExport(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		s := newStore(t)
		if err := s.Import(x, "", "fuzz", nil); err != nil {
			t.Fatal(err)
		}
		resume(t, s, x.Session)
	})
}

// What a session without hooks has not is not made up.
func TestD8_AnExportWithoutState(t *testing.T) {
	s, other := newStore(t), newStore(t)
	tr := create(t, s, one)
	put(t, tr, Ruled, strictjson.Raw(`{"type":"addRules"}`))
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := s.Export(one, &file, "ann", "v"); err != nil {
		t.Fatal(err)
	}
	x := read(t, file.Bytes())
	if err := other.Import(x, "", "bob", nil); err != nil || x.Pending != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(other.path(one), stateName)); err == nil {
		t.Error("a state was made up")
	}
}
