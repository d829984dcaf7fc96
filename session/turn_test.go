package session

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// Calls that cannot wait as a file says they do are refused when it is imported and when
// a session is taken up.
func TestD8_ATurnThatCannotExist(t *testing.T) {
	prompt := said(model.User, "deploy it")
	good := func(ids ...string) (model.Message, Pending) { p := waitingHere(ids...); return made(p), p }
	for name, c := range map[string]struct {
		change func(m *model.Message, p *Pending)
		want   string // empty: it is taken
	}{
		"as it should be":       {func(*model.Message, *Pending) {}, ""},
		"another spelling":      {func(_ *model.Message, p *Pending) { p.Calls[0].Input = strictjson.Raw(`{"command" : "deploy"}`) }, ""},
		"one of them settled":   {func(_ *model.Message, p *Pending) { p.Calls, p.Settled = p.Calls[:1], []Settlement{settled("b")} }, ""},
		"all of them settled":   {func(_ *model.Message, p *Pending) { p.Calls, p.Settled = nil, []Settlement{settled("a"), settled("b")} }, ""},
		"after a user message":  {func(m *model.Message, _ *Pending) { m.Role = model.User }, "has made no call before"},
		"after no call":         {func(m *model.Message, _ *Pending) { *m = said(model.Assistant, "hello") }, "has made no call before"},
		"no call":               {func(_ *model.Message, p *Pending) { p.Calls = nil }, "neither waits nor has a result"},
		"another tool":          {func(_ *model.Message, p *Pending) { p.Calls[1].Tool = "Write" }, `the call "b" is one of "Write"`},
		"another call":          {func(_ *model.Message, p *Pending) { p.Calls[1].ToolUseID = "c" }, `has not made a call "c"`},
		"an id twice":           {func(_ *model.Message, p *Pending) { p.Calls[1].ToolUseID = "a" }, "stands there twice"},
		"waiting and settled":   {func(_ *model.Message, p *Pending) { p.Settled = []Settlement{settled("a")} }, "stands there twice"},
		"settled, never made":   {func(_ *model.Message, p *Pending) { p.Settled = []Settlement{settled("c")} }, `has not made a call "c"`},
		"no input":              {func(_ *model.Message, p *Pending) { p.Calls[0].Input = nil }, "input"},
		"another input":         {func(_ *model.Message, p *Pending) { p.Calls[0].Input = strictjson.Raw(`{"command":"ls"}`) }, "has another input"},
		"no directory":          {func(_ *model.Message, p *Pending) { p.Calls[0].Cwd = "" }, "no absolute directory"},
		"a relative directory":  {func(_ *model.Message, p *Pending) { p.Calls[0].Cwd = "app" }, "no absolute directory"},
		"another directory":     {func(_ *model.Message, p *Pending) { p.Calls[1].Cwd = "/srv" }, `the call "b" would run in another directory`},
		"one that was left out": {func(_ *model.Message, p *Pending) { p.Calls = p.Calls[:1] }, `the call "b" of the same turn neither waits`},
		"the result of another": {func(_ *model.Message, p *Pending) {
			p.Calls, p.Settled = p.Calls[:1], []Settlement{settled("b")}
			p.Settled[0].Result.ToolUseID = "a"
		}, "is none of it"},
	} {
		t.Run(name, func(t *testing.T) {
			m, p := good("a", "b")
			c.change(&m, &p)
			s := newStore(t)
			tr := create(t, s, one)
			put(t, tr, Said, prompt)
			put(t, tr, Said, m)
			put(t, tr, Parked, p)
			restored, err := tr.Conversation()
			if err != nil {
				t.Fatal(err)
			}
			_ = tr.Close()
			var file bytes.Buffer
			if _, err := s.Export(one, &file, "ann", "v"); err != nil {
				t.Fatal(err)
			}
			_, imported := ReadExport(bytes.NewReader(file.Bytes()), int64(file.Len()))
			for way, err := range map[string]error{"import": imported, "restore": restored.Check(begin.Cwd)} {
				if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want %q", way, err, c.want)
				}
			}
			if bad, ok := errors.AsType[*BadExport](imported); c.want != "" && (!ok || bad == nil) {
				t.Errorf("it is no bad export: %v", imported)
			}
		})
	}
	nothing := Conversation{Pending: &Pending{}}
	if err := nothing.Check(begin.Cwd); err == nil {
		t.Error("calls wait in a session without a message")
	}
}

// A message that nobody can read would stop the session when it is taken up.
func TestD8_AMessageThatIsNone(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	put(t, tr, Said, strictjson.Raw(`{"role":"user","content":7}`))
	_ = tr.Close()
	var file bytes.Buffer
	if _, err := s.Export(one, &file, "ann", "v"); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadExport(bytes.NewReader(file.Bytes()), int64(file.Len())); err == nil || !strings.Contains(err.Error(), "record 2") {
		t.Errorf("%v", err)
	}
}
