package approval

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Tickets that can only be looked at are shown as they are now, and stay as they are.
func TestA2_LookingAtTickets(t *testing.T) {
	s := newFileStore(t)
	dir := filepath.Dir(databaseOf(t, s))
	ctx := context.Background()
	due, err := s.Park(ctx, Parking{Call: deploy("s1"), Lasts: time.Hour, By: "hook"})
	must(t, err)
	run := s.park(deploy("s2"))
	_, err = s.Claim(ctx, run.ID, run.Call, nil, "process 1 on h")
	must(t, err)
	why := errors.New("the disk is full")
	l, err := Look(dir, why)
	must(t, err)
	defer l.Close()
	l.now = func() time.Time { return s.time.Add(2 * time.Hour) }
	for way, look := range map[string]func() (Ticket, error){
		"list": func() (Ticket, error) { all, err := l.List(ctx, Query{Session: "s1"}); return all[0], err },
		"find": func() (Ticket, error) { return l.Find(ctx, due.ID) },
		"call": func() (Ticket, error) { t, err := l.OfCall(ctx, "s1", "toolu_1"); return *t, err },
	} {
		if got, err := look(); err != nil || got.State != Expired {
			t.Errorf("%s: %s, %v", way, got.State, err)
		}
	}
	for way, change := range map[string]func() error{
		"park":   func() error { _, err := l.Park(ctx, Parking{Call: deploy("s3")}); return err },
		"deny":   func() error { _, err := l.Deny(ctx, due.ID, due.Digest, "ann", "no"); return err },
		"forget": func() error { return l.Forget(ctx, "s1") },
		"sweep":  func() error { _, err := l.Sweep(ctx, func(string) bool { return false }); return err },
	} {
		if err := change(); !errors.Is(err, why) {
			t.Errorf("%s: %v", way, err)
		}
	}
	if got := s.find(due.ID); got.State != Pending {
		t.Errorf("looking has changed it to %s", got.State)
	}
}

// What cannot be used is said with its cause and with the way out.
func TestA2_WhyTicketsCannotBeUsed(t *testing.T) {
	database := func(change func([]byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			s, err := Open(dir)
			must(t, err)
			_, err = s.Park(context.Background(), Parking{Call: deploy("s1")})
			must(t, errors.Join(err, s.Close()))
			path := filepath.Join(dir, fileName)
			text, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, change(text), 0o600))
		}
	}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		want  string
	}{
		"no database":  {database(func([]byte) []byte { return []byte(strings.Repeat("this is none ", 1000)) }), "answers must be given again"},
		"a wrong page": {database(func(b []byte) []byte { return append(b[:100:100], make([]byte, len(b)-100)...) }), "answers must be given again"},
		"a directory":  {func(t *testing.T, dir string) { must(t, os.MkdirAll(filepath.Join(dir, fileName), 0o700)) }, "is a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.spoil(t, dir)
			s, err := Open(dir)
			if err == nil { // it is found out when somebody looks
				_, err = s.List(context.Background(), Query{})
				_ = s.Close()
			}
			var unusable *Unusable
			if !errors.As(err, &unusable) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), filepath.Join(dir, fileName)) {
				t.Errorf("%v", err)
			}
			if l, err := Look(dir, err); err == nil {
				t.Error("it can be looked at")
				_ = l.Close()
			}
		})
	}
	for err, want := range map[error]string{
		syscall.ENOSPC: "see that the disk is not full", syscall.EROFS: "can be written", os.ErrPermission: "can be written",
	} {
		if got := (&Unusable{Name: "state.db", Err: &os.PathError{Op: "open", Path: "state.db", Err: err}}).Error(); !strings.Contains(got, want) {
			t.Errorf("%v: %s", err, got)
		}
	}
}
