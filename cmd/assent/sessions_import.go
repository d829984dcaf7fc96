package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/session"
)

// openRegular opens a regular file to read at any place. It never waits, as opening a
// named pipe would.
func openRegular(name string) (file io.ReaderAt, size int64, done func(), err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, nil, cause(err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file (pass - to read standard input)")
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, nil, err
	}
	return f, info.Size(), func() { _ = f.Close() }, nil
}

// forgetBefore forgets the tickets that a session of the same id has left here: what was
// answered then does not hold for what is imported now. If a call has run here that waits
// in the file, the file is from before, and the call could run a second time.
func (d *clerk) forgetBefore(ctx context.Context, x *session.Exported) error {
	tickets, err := d.list(ctx, approval.Query{Session: x.Session})
	if err != nil {
		return err
	}
	for _, bad := range d.damaged { // nobody can say whether its call has run
		if bad.Ticket.Session == x.Session {
			return bad
		}
	}
	if len(tickets) == 0 {
		return nil
	}
	ids, err := d.store.IDs()
	if err != nil || slices.Contains(ids, x.Session) { // the import says so
		return err
	}
	for _, t := range tickets {
		waits := x.Pending != nil && slices.ContainsFunc(x.Pending.Calls, func(c session.PendingCall) bool { return c.ToolUseID == t.ToolUseID && !t.Bygone(c.Since) })
		switch t.State {
		case approval.Done, approval.Failed, approval.Running, approval.Unknown:
			if waits {
				return no("session %s was not imported: a call that waits in the file was begun here before (ticket %s, %s), and could run a second time (start a new session)", x.Session, t.ID, t.State)
			}
		case approval.Pending, approval.Approved, approval.Denied, approval.Expired, approval.Cancelled, approval.Refused:
		}
	}
	return d.tickets.Forget(ctx, x.Session)
}
