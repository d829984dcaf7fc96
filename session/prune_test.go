package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/model"
)

// result is the message that tells the model how a call ended.
func result(id string) model.Message {
	return model.Message{Role: model.User, Content: []model.Block{{Kind: model.ToolResult, ToolUseID: id, Result: []model.Block{model.TextBlock("done")}}}}
}

// What a list needs to know is known from the end of a transcript, in every state.
func TestD7_WhoWaitsIsFoundInHaste(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	for i, step := range []struct {
		kind Kind
		body any
		want bool
	}{
		{Said, said(model.User, "go"), false},
		{Parked, waiting("a", "b"), true},
		{Ended, strictjson.Raw(`{"subtype":"success"}`), true},
		{Resumed, begin, true},
		{Began, Beginning{ToolUseID: "a"}, true},
		{Unbegun, Release{ToolUseID: "a"}, true},
		{Began, Beginning{ToolUseID: "a"}, true},
		{Noted, "note", true},
		{Found, Finding{ToolUseID: "a", Ran: true}, true},
		{Settled, settled("a"), true},
		{Said, result("a"), false},
		{Moded, Mode{"plan"}, false},
		{Parked, waiting("c"), true},
		{Compacted, Compaction{}, false},
		{Saw, strictjson.Raw(`{"path":"/a"}`), false},
	} {
		put(t, tr, step.kind, step.body)
		c, err := tr.Conversation()
		if err != nil || (c.Pending != nil) != step.want {
			t.Fatalf("step %d, %s: the test is wrong: %+v, %v", i, step.kind, c.Pending, err)
		}
		if got := s.Waits(Listed{ID: one}); got != step.want {
			t.Errorf("step %d, after %s: %v", i, step.kind, got)
		}
	}
	// What cannot be judged in haste is not forgotten.
	put(t, tr, Said, said(model.User, "x"))
	path := tr.Path()
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if !s.Waits(Listed{ID: one}) {
		t.Error("a line without its end was overlooked")
	}
	if err := os.WriteFile(path, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !s.Waits(Listed{ID: one}) {
		t.Error("a damaged transcript was overlooked")
	}
}

func TestD7_Standing(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	clock := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	tr.now = func() time.Time { clock = clock.Add(time.Minute); return clock }
	put(t, tr, Parked, waiting("a", "b"))
	put(t, tr, Began, Beginning{ToolUseID: "a"})
	put(t, tr, Found, Finding{ToolUseID: "a", By: "ann"})
	put(t, tr, Parked, waiting("a", "b"))
	got, err := s.Standing(one)
	if err != nil || len(got.Calls) != 2 || got.Calls[0].Since != time.Date(2026, 11, 16, 9, 1, 0, 0, time.UTC) || got.Findings["a"].By != "ann" || len(got.Answered) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	put(t, tr, Began, Beginning{ToolUseID: "a"})
	put(t, tr, Unbegun, Release{ToolUseID: "a"})
	got, err = s.Standing(one)
	if err != nil || got.Call("a") == nil || got.Call("a").Stage != Waiting {
		t.Errorf("%+v, %v", got, err)
	}
	put(t, tr, Began, Beginning{ToolUseID: "a"})
	put(t, tr, Settled, settled("b"))
	got, err = s.Standing(one)
	if err != nil || got.Call("a") == nil || got.Call("a").Stage != Unsure || got.Call("b") != nil || !got.Answered["b"] || len(got.Findings) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	put(t, tr, Said, result("a"))
	got, err = s.Standing(one)
	if err != nil || len(got.Calls) != 0 || !got.Answered["a"] || got.Answered["x"] || got.Start.Cwd != begin.Cwd || got.Mode != "default" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A session is held while a process has it, whatever its lock says about that process.
func TestD8_Held(t *testing.T) {
	s := newStore(t)
	if s.Held(one) || s.Held("../x") {
		t.Error("what does not exist is held")
	}
	tr := create(t, s, one)
	if !s.Held(one) {
		t.Error("an open session is free")
	}
	lock := filepath.Join(tr.Dir(), lockName)
	if err := os.Truncate(lock, 0); err != nil { // the holder could not write who it is
		t.Fatal(err)
	}
	if !s.Held(one) {
		t.Error("an open session whose lock names nobody is free")
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	here, _ := os.Hostname()
	for _, text := range []string{"", fmt.Sprintf(`{"pid":%d,"host":%q}`, os.Getpid(), here), `{"pid":1,"host":"elsewhere"}`} {
		if err := os.WriteFile(lock, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if s.Held(one) {
			t.Errorf("nobody holds it, the lock says %s", text)
		}
	}
}

func TestD7_Remove(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	create(t, s, two)
	var inUse *InUse
	if _, err := s.Remove(one, nil); !errors.As(err, &inUse) {
		t.Errorf("one that is in use: %v", err)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	no := errors.New("no")
	if _, err := s.Remove(one, func() error {
		if !s.Held(one) {
			t.Error("whoever is asked cannot rely on anything")
		}
		return no
	}); !errors.Is(err, no) {
		t.Errorf("%v", err)
	}
	size := s.Size(one)
	bytes, err := s.Remove(one, nil)
	if err != nil || bytes < 100 || size == 0 {
		t.Errorf("%d bytes of %d, %v", bytes, size, err)
	}
	if ids, err := s.IDs(); err != nil || len(ids) != 1 || ids[0] != two {
		t.Errorf("%v, %v", ids, err)
	}
	if left := s.Discarded(); len(left) != 1 || left[0] != one {
		t.Errorf("left over: %v", left)
	}
	if err := s.Discard(one); err != nil || len(s.Discarded()) != 0 {
		t.Errorf("%v, %v", err, s.Discarded())
	}
	if _, err := s.Remove(one, nil); !errors.Is(err, ErrUnknown) {
		t.Errorf("a second time: %v", err)
	}
	for _, id := range []string{"..", "../x", ""} {
		if _, err := s.Remove(id, nil); !errors.Is(err, ErrBadID) {
			t.Errorf("%q: %v", id, err)
		}
		if err := s.Discard(id); !errors.Is(err, ErrBadID) {
			t.Errorf("%q: %v", id, err)
		}
	}
}
