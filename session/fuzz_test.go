package session

import (
	"errors"
	"os"
	"testing"
)

// Whatever lies in a transcript: opening it ends without a panic, in a session that is
// whole or in an error; and looking at it finds the same as taking it up.
func FuzzTranscript(f *testing.F) {
	tr := create(f, newStore(f), one)
	everything(f, tr)
	text, err := os.ReadFile(tr.Path())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := newStore(t)
		_ = create(t, s, one).Close()
		if err := os.WriteFile(s.path(one)+"/"+transcriptName, text, 0o600); err != nil {
			t.Fatal(err)
		}
		for range s.List() {
		}
		looked, lookErr := s.Load(one)
		tr, err := s.Resume(one)
		if _, damaged := errors.AsType[*Damaged](err); err != nil && !damaged {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		defer tr.Close()
		taken, takeErr := tr.Conversation()
		// A line that lacks its line feed counts only for the one who can add it.
		if (lookErr == nil) == (takeErr == nil) && len(looked.Messages) > len(taken.Messages) {
			t.Errorf("%d messages seen, %d taken", len(looked.Messages), len(taken.Messages))
		}
		if err := tr.Append(Noted, "on"); err != nil {
			t.Fatal(err)
		}
		_ = tr.Close()
		again, err := s.Resume(one)
		if err != nil {
			t.Fatal(err)
		}
		_ = again.Close()
	})
}
