package session

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/assent-dev/assent/internal/chain"
)

// sick is a file that fails once it is told to.
type sick struct {
	chain.File
	writing, syncing error
	short            int
}

func (f *sick) Write(data []byte) (int, error) {
	if f.writing == nil {
		return f.File.Write(data)
	}
	n, _ := f.File.Write(data[:f.short])
	return n, f.writing
}

func (f *sick) Sync() error {
	if f.syncing != nil {
		return f.syncing
	}
	return f.File.Sync()
}

// An agent must not go on unrecorded: after the disk has failed nothing can be
// appended, even if the disk is well again.
func TestD1_AFailedWriteEndsTheSession(t *testing.T) {
	for name, illness := range map[string]sick{
		"full":           {writing: syscall.ENOSPC},
		"full half way":  {writing: syscall.ENOSPC, short: 30},
		"not flushed":    {syncing: syscall.EIO},
		"taken away":     {writing: syscall.EBADF},
		"full at a tail": {writing: syscall.EDQUOT, short: 100},
	} {
		s := newStore(t)
		f := &sick{}
		s.through = func(file chain.File) chain.File { f.File = file; return f }
		tr := create(t, s, one)
		put(t, tr, Noted, "kept")
		head := tr.Head()
		f.writing, f.syncing, f.short = illness.writing, illness.syncing, illness.short
		if tr.Broken() != nil {
			t.Errorf("%s: broken before: %v", name, tr.Broken())
		}
		err := tr.Append(Noted, "lost")
		if err == nil || !strings.Contains(err.Error(), "cannot be recorded any more") || !strings.Contains(err.Error(), "see that the disk is not full") || tr.Broken() != err {
			t.Errorf("%s: %v; it says %v", name, err, tr.Broken())
		}
		f.writing, f.syncing = nil, nil
		if err := tr.Append(Noted, "too late"); !errors.Is(err, chain.ErrBroken) {
			t.Errorf("%s: then %v", name, err)
		}
		if tr.Head() != head || len(lines(t, tr)) != 2 {
			t.Errorf("%s: the head has moved", name)
		}
		_ = tr.Close()
		if again := resume(t, s, one); again.Head() != head {
			t.Errorf("%s: %q", name, lines(t, again))
		}
	}
}

// A disk that is full is looked for only where a disk has failed: a depot says itself what is wrong.
func TestD8_AnErrorOfTheDepotIsNoneOfTheDisk(t *testing.T) {
	for name, refusal := range map[string]error{
		"away":       errors.New("connection refused (see that PostgreSQL runs there)"),
		"taken over": &Taken{ID: one},
		"full there": syscall.ENOSPC,
	} {
		s := newStore(t)
		lease := &refusing{}
		s.through = func(file chain.File) chain.File {
			return &shipping{File: file, lease: lease, shelf: newShelf(t.TempDir())}
		}
		tr := create(t, s, one)
		lease.err = refusal
		err := tr.Append(Noted, "lost")
		if !errors.Is(err, refusal) || strings.Contains(err.Error(), "disk") || !strings.Contains(err.Error(), "what was recorded before is safe") || tr.Broken() != err {
			t.Errorf("%s: %v", name, err)
		}
		_ = tr.Close()
	}
}

// refusing is a lease that keeps nothing any more once it has an error.
type refusing struct {
	Lease
	err error
}

func (l *refusing) Append(int64, []byte, map[string][]byte, *Outline) error { return l.err }

func (l *refusing) StillOurs(ctx context.Context) error { return cmp.Or(ctx.Err(), l.err) }

// Whoever asks whose a session is learns it from the lease. What nobody has waited for says nothing
// about the session, and one that lies on this machine only is always its own.
func TestD8_WhoseASessionIs(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	taken := &refusing{err: &Taken{ID: one}}
	for name, test := range map[string]struct {
		ctx        context.Context
		lease      Lease
		err        error
		unrecorded bool
	}{
		"on this machine only": {ended, nil, nil, false},
		"still ours":           {t.Context(), &refusing{}, nil, false},
		"taken over":           {t.Context(), taken, taken.err, true},
		"nobody waits":         {ended, taken, context.Canceled, false},
	} {
		tr := create(t, newStore(t), one)
		tr.lease = test.lease
		err := tr.StillOurs(test.ctx)
		if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) || (tr.Broken() != nil) != test.unrecorded {
			t.Errorf("%s: %v; it says %v", name, err, tr.Broken())
		}
		if test.unrecorded && !errors.Is(tr.Broken(), test.err) {
			t.Errorf("%s: %v", name, tr.Broken())
		}
		_ = tr.Close()
	}
}
