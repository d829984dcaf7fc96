package session

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Who a lock names decides nothing: a number may have been given to another process since,
// or be one of another machine or container. Only the lock itself counts, in a list too.
func TestD8_WhoALockNamesDecidesNothing(t *testing.T) {
	here, _ := os.Hostname()
	for name, text := range map[string]string{
		"nobody":                      "",
		"a number that was reused":    fmt.Sprintf(`{"pid":%d,"host":%q}`, os.Getpid(), here),
		"one of another namespace":    fmt.Sprintf(`{"pid":%d,"host":%q}`, math.MaxInt32, here),
		"one of another host":         `{"pid":1,"host":"elsewhere"}`,
		"something that is no holder": `[`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			tr := create(t, s, one)
			put(t, tr, Ended, strictjson.Raw(`{}`))
			lock := filepath.Join(tr.Dir(), lockName)
			check := func(held bool, want State) {
				t.Helper()
				if err := os.WriteFile(lock, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				if got := s.Held(one); got != held {
					t.Errorf("held is %v", got)
				}
				if got := list(s)[0].State; got != want {
					t.Errorf("the list says %s, want %s", got, want)
				}
			}
			check(true, Running)
			if _, err := s.Resume(one); !isInUse(err) {
				t.Errorf("a second one: %v", err)
			}
			if err := tr.Close(); err != nil {
				t.Fatal(err)
			}
			check(false, Done)
			resume(t, s, one) // the lock of a dead holder is taken over
		})
	}
}

// Who only looks whether a session is held is in nobody's way, also where a process that
// died is still named in the lock.
func TestD8_LookingTakesNothing(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	_ = tr.Close()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				s.Held(one)
			}
		}
	}()
	for range 200 {
		if err := os.WriteFile(filepath.Join(tr.Dir(), lockName), []byte(`{"pid":1,"host":"elsewhere"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := s.Resume(one)
		if err != nil {
			t.Fatal(err)
		}
		_ = again.Close()
	}
	close(stop)
	<-stopped
}

// The way out is one for what was wanted: a copy helps who wants to go on, and nobody else.
func TestD8_WhatToDoAboutASessionInUse(t *testing.T) {
	s := newStore(t)
	create(t, s, one)
	_, resumed := s.Resume(one)
	_, exported := s.Export(one, &strings.Builder{}, "ann", "v")
	_, removed := s.Remove(one, nil)
	for way, c := range map[string]struct {
		err  error
		copy bool
	}{"resume": {resumed, true}, "export": {exported, false}, "remove": {removed, false}} {
		inUse, ok := errors.AsType[*InUse](c.err)
		if !ok || inUse.PID != os.Getpid() || strings.Contains(c.err.Error(), "--fork-session") != c.copy || !strings.Contains(c.err.Error(), "wait until it has ended") {
			t.Errorf("%s: %v", way, c.err)
		}
	}
}

// The list says nothing about a transcript that is that of another session.
func TestD7_ATranscriptUnderAForeignName(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	put(t, tr, Ended, strictjson.Raw(`{}`))
	_ = tr.Close()
	if err := os.Rename(s.path(one), s.path(two)); err != nil {
		t.Fatal(err)
	}
	if got := list(s); !reflect.DeepEqual(got, []Summary{{ID: two, State: Broken}}) {
		t.Errorf("%+v", got)
	}
}

// A call may have waited in what was cut off, so haste is no excuse.
func TestD7_ACutTailIsNotForgotten(t *testing.T) {
	k := keep(t)
	if k.Waits(Listed{ID: one}) {
		t.Fatal("nothing waits in it")
	}
	before := k.text[:strings.LastIndexByte(string(k.text[:len(k.text)-1]), '\n')+1]
	k.lay(t, before, k.head)
	if !k.Waits(Listed{ID: one}) {
		t.Error("what was cut off is forgotten")
	}
	k.lay(t, k.text, []byte("rubbish"))
	if !k.Waits(Listed{ID: one}) {
		t.Error("a head that cannot be read is none that says nothing")
	}
}

// After a head could not be written nothing more is recorded: what came after it could be
// cut off, and nobody would notice.
func TestD8_NothingIsRecordedBehindAHead(t *testing.T) {
	s := newStore(t)
	tr := create(t, s, one)
	if err := tr.head.file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := tr.Append(Noted, "one"); err == nil {
		t.Fatal("the head was not written, and nobody was told")
	}
	size := len(slurp(t, tr.Path()))
	if err := tr.Append(Noted, "two"); err == nil || !strings.Contains(err.Error(), "cannot be recorded any more") {
		t.Errorf("%v", err)
	}
	if now := len(slurp(t, tr.Path())); now != size {
		t.Errorf("the transcript has %d bytes, and had %d", now, size)
	}
}

func list(s *Store) (all []Summary) {
	for sum := range s.List() {
		all = append(all, sum)
	}
	return all
}
