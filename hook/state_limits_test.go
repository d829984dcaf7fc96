package hook

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// What is refused changes nothing, and what is accepted can be read again: by the next
// hook, and as a part of the event that an endpoint is sent.
func TestH12_WhatAStateTakesItGivesBack(t *testing.T) {
	nested := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	eachState(t, func(t *testing.T, s State) {
		if err := s.Merge([]byte(`{"before": 1}`)); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct{ name, value, want string }{
			{"as deep as any text", nested(strictjson.MaxDepth), "nested"},
			{"one less", nested(strictjson.MaxDepth - 1), "nested"},
			{"longer when it is written", `"` + strings.Repeat("\u2028", 12_000) + `"`, "too long"},
			{"no JSON", "{bad", "new values"},
			{"two values", "1 2", "new values"},
		} {
			err := s.Update(func(v Values) error {
				v["k"] = strictjson.Raw(tt.value)
				return nil
			})
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 300 {
				t.Errorf("%s: %.300v", tt.name, err)
			}
			wantAll(t, s, `{"before":1}`)
		}
		for _, value := range []string{nested(strictjson.MaxDepth - 2), `"` + strings.Repeat("\u2028", 10_000) + `"`} {
			if err := s.Merge([]byte(`{"k": ` + value + `}`)); err != nil {
				t.Fatal(err)
			}
			if err := s.Merge([]byte(`{"other": 1}`)); err != nil {
				t.Errorf("the state cannot be changed any more: %v", err)
			}
			event, err := withState([]byte("{}"), s)
			if err == nil {
				err = strictjson.Valid(event)
			}
			if err != nil {
				t.Errorf("nobody can read it: %v", err)
			}
		}
	})
}

// Whoever changes the values in place and then refuses has changed nothing.
func TestH12_AChangeThatFailsChangesNothing(t *testing.T) {
	eachState(t, func(t *testing.T, s State) {
		if err := s.Merge([]byte(`{"limit": 100}`)); err != nil {
			t.Fatal(err)
		}
		no := errors.New("no")
		err := s.Update(func(v Values) error {
			v["limit"][0] = '9'
			return no
		})
		if !errors.Is(err, no) {
			t.Error(err)
		}
		wantAll(t, s, `{"limit":100}`)
	})
}

// A file that others could read or write is closed to them before it is used.
func TestH12_AStateBelongsToItsOwner(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such permissions there")
	}
	for name, open := range map[string]func(string) (*FileState, error){"open": OpenState, "join": JoinState} {
		path := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		private(t, name, path)
		if err := s.Merge([]byte(`{"a": 1}`)); err != nil {
			t.Error(err)
		}
		private(t, name+", changed", path)
	}
}

func private(t *testing.T, name, path string) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v", name, info.Mode(), err)
	}
}
