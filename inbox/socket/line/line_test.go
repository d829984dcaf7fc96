package line

import (
	"bytes"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

func hold() Hold {
	return Hold{
		Asker: "codex", Session: "s1", Tool: "Bash", Input: strictjson.Raw(`{"command":"make"}`), Cwd: "/srv", Why: "why", Policy: "p", Risk: "low", Kin: "k",
		LastsMS: 1, WaitMS: 2, Edits: "taken", Nonce: "0123456789abcdef",
	}
}

func TestA2_ALineSaysWhatItMeans(t *testing.T) {
	text, err := Request(hold())
	if err != nil || bytes.Count(text, []byte("\n")) != 1 {
		t.Fatalf("%q, %v", text, err)
	}
	got, err := ReadRequest(text[:len(text)-1])
	if err != nil || got.Session != "s1" || string(got.Input) != `{"command":"make"}` || got.WaitMS != 2 || got.Nonce != "0123456789abcdef" || got.Edits != "taken" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestT1_WhatIsNoRequest(t *testing.T) {
	for name, change := range map[string]func(*Hold){
		"no agent":             func(h *Hold) { h.Asker = "" },
		"no session":           func(h *Hold) { h.Session = "" },
		"no tool":              func(h *Hold) { h.Tool = "" },
		"no directory":         func(h *Hold) { h.Cwd = "" },
		"no risk":              func(h *Hold) { h.Risk = "" },
		"a risk that is none":  func(h *Hold) { h.Risk = "none" },
		"a name with escapes":  func(h *Hold) { h.Session = "a\x1b[2Jb" },
		"a name with blanks":   func(h *Hold) { h.Asker = "codex, approved by ana" },
		"a name that deceives": func(h *Hold) { h.Asker = "codex\u202e" },
		"a name without end":   func(h *Hold) { h.Session = string(make([]byte, 0)) + string(bytes.Repeat([]byte("s"), 201)) },
		"no nonce":             func(h *Hold) { h.Nonce = "" },
		"a short nonce":        func(h *Hold) { h.Nonce = "0123456789abcde" },
		"a nonce to be read":   func(h *Hold) { h.Nonce = "ana has said yes" },
		"a time before":        func(h *Hold) { h.WaitMS = -1 },
		"a time without end":   func(h *Hold) { h.LastsMS = 1 << 60 },
	} {
		h := hold()
		change(&h)
		text, err := Request(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadRequest(text); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	long := hold()
	long.Why = string(bytes.Repeat([]byte("x"), MaxRequest))
	if _, err := Request(long); err == nil {
		t.Error("a request without end was written")
	}
}

// Only one way of saying yes is one.
func FuzzReply(f *testing.F) {
	for _, text := range []string{
		`{"ticket":"abc","state":"allow","by":"ana"}`, `{"ticket":"abc","state":"deny"}`, `{"ticket":"abc","state":"pending"}`, `{"error":"x"}`,
		`{"ticket":"abc","state":"allow","input":{}}`, `{"state":"allow"}`, `{}`, `null`, ``, `{"ticket":"abc","state":"allow","state":"deny"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ReadReply(text)
		if err != nil {
			if r.State != "" {
				t.Errorf("%q: %+v beside %v", text, r, err)
			}
			return
		}
		if r.Ticket == "" || r.Error != "" || !bytes.Contains(text, []byte(`state`)) && !bytes.Contains(text, []byte(`\u`)) {
			t.Errorf("%q: %+v", text, r)
		}
	})
}

// What is read says the same when it is written again.
func FuzzRequest(f *testing.F) {
	text, err := Request(hold())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"hold":null}`))
	f.Add([]byte(`{"approve":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := ReadRequest(text)
		if err != nil {
			return
		}
		again, err := Request(h)
		if err != nil {
			t.Skip() // it has grown
		}
		if second, err := ReadRequest(again); err != nil || second.Session != h.Session || second.Tool != h.Tool || second.WaitMS != h.WaitMS {
			t.Errorf("%q: %+v, %+v, %v", text, h, second, err)
		}
	})
}
