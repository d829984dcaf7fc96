package inbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/permission"
)

// A yes is one to the change that was shown: where the file is another one by now it is refused, and what
// was shown is kept with the answer, whatever becomes of the file.
func TestT9_AYesIsToTheChangeThatWasShown(t *testing.T) {
	for name, edited := range map[string]bool{"as it is": false, "with another input": true} {
		w := newWorld(t)
		path := filepath.Join(w.cwd, "a.txt")
		write := func(text string) { w.must(os.WriteFile(path, []byte(text), 0o644)) }
		write("before\none\n")
		input := func(text string) map[string]string {
			return map[string]string{"file_path": path, "old_string": "one", "new_string": text}
		}
		ticket := w.park(call("Edit", input("two")))[0]
		yes := map[string]any{"digest": ticket.Digest}
		shown := func() *clerk.FileChange {
			if !edited {
				return w.look(ticket.ID).Change
			}
			var v checkView
			yes["input"] = input("three")
			w.check(ticket.ID, yes["input"]).into(t, &v)
			return v.Change
		}
		first := shown()
		write("changed meanwhile\none\n")
		yes["change"] = first.Digest
		if got := w.approveAs(ticket.ID, yes); got.code() != "changed" || w.state(ticket.ID) != approval.Pending {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		second := shown()
		if second.Digest == first.Digest || !slices.Contains(second.Lines, " changed meanwhile") {
			t.Errorf("%s: %+v", name, second)
		}
		yes["change"] = second.Digest
		var d detailView
		w.approveAs(ticket.ID, yes).into(t, &d)
		write("nobody has seen this\n")
		d = w.look(ticket.ID)
		kept := d.Change
		if edited {
			kept = d.EditedChange
		}
		if !d.ChangeKept || !slices.Equal(kept.Lines, second.Lines) || kept.Digest != second.Digest {
			t.Errorf("%s: kept %+v", name, kept)
		}
	}
}

// Who sends no digest approves whatever the file is, in a terminal as by a program; what the call would have
// done then is kept. A difference without end is not.
func TestT9_WhatIsKeptOfAChange(t *testing.T) {
	w := newWorld(t)
	long := strings.Repeat(strings.Repeat("x", 1000)+"\n", 300)
	ticket := w.park(call("Write", map[string]string{"file_path": filepath.Join(w.cwd, "new.txt"), "content": long}))[0]
	shown := w.look(ticket.ID).Change
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest}).into(t, new(detailView))
	d := w.look(ticket.ID)
	if size := len(strings.Join(d.Change.Lines, "")); size > 70_000 || d.Change.Of != len(shown.Lines) || d.Change.Digest != shown.Digest || d.Change.Note != shown.Note {
		t.Errorf("%d bytes, %d of %d lines, %q", size, len(d.Change.Lines), d.Change.Of, d.Change.Note)
	}
	small := w.park(call("Write", map[string]string{"file_path": filepath.Join(w.cwd, "small.txt"), "content": "x\n"}))[0]
	w.must(w.ask(t.Context(), func(c *clerk.Clerk) error {
		_, err := c.Approve(t.Context(), small.ID, clerk.Yes{By: "ann@test"})
		return err
	}))
	got, err := w.Tickets.Find(t.Context(), small.ID)
	w.must(err)
	if a := got.Answer; a.Behavior != permission.Allow || a.Change == nil || !slices.Equal(a.Change.Lines, []string{"+x"}) {
		t.Errorf("%+v", got.Answer)
	}
	none := w.park(bash("npm test"))[0]
	if got := w.approveAs(none.ID, map[string]any{"digest": none.Digest, "change": shown.Digest}); got.code() != "changed" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// Where several people must approve a change of a file, only those count who were shown the same one, and
// what each was shown stays.
func TestT9_VotesAreForTheChangeThatWasShown(t *testing.T) {
	c := newCrowd(t)
	c.terms = permission.Terms{Approvers: 2}
	path := filepath.Join(c.cwd, "a.txt")
	write := func(text string) { c.must(os.WriteFile(path, []byte(text), 0o644)) }
	write("before\none\n")
	ticket := c.park(call("Edit", map[string]string{"file_path": path, "old_string": "one", "new_string": "two"}))[0]
	yes := func(who string) detailView {
		var d detailView
		w := c.as(who)
		w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "change": w.look(ticket.ID).Change.Digest}).into(t, &d)
		return d
	}
	if d := yes("ben"); d.State != "pending" || d.Approvals != 1 || !d.Votes[0].Same {
		t.Errorf("%s, %d, %+v", d.State, d.Approvals, d.Votes)
	}
	write("changed\none\n")
	if d := c.as("abe").look(ticket.ID); d.Approvals != 0 || len(d.Votes) != 1 || d.Votes[0].Same {
		t.Errorf("%d, %+v", d.Approvals, d.Votes)
	}
	if d := yes("abe"); d.State != "pending" || d.Approvals != 1 {
		t.Errorf("%s, %d, %+v", d.State, d.Approvals, d.Votes)
	}
	d := yes("ben")
	if d.State != "approved" || len(d.Votes) != 1 || d.Votes[0].By != "abe" || !d.Votes[0].Same {
		t.Errorf("%s, %+v", d.State, d.Votes)
	}
	var seen []string
	for _, e := range d.History {
		if e.Change != nil {
			seen = append(seen, e.Who+e.Change.Lines[0])
		}
	}
	if want := []string{"ben before", "abe changed", "ben changed"}; !slices.Equal(seen, want) {
		t.Errorf("%q, want %q", seen, want)
	}
}

// What somebody was shown who has approved a change stays when another one denies it before it runs.
func TestT9_WhatWasShownOutlivesTheYes(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.cwd, "a.txt")
	w.must(os.WriteFile(path, []byte("before\none\n"), 0o644))
	ticket := w.park(call("Edit", map[string]string{"file_path": path, "old_string": "one", "new_string": "two"}))[0]
	shown := w.look(ticket.ID).Change
	w.approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "change": shown.Digest}).into(t, new(detailView))
	_, err := w.Tickets.Deny(t.Context(), ticket.ID, ticket.Digest, "ben", "no")
	w.must(err)
	if d := w.look(ticket.ID); !d.ChangeKept || !slices.Equal(d.Change.Lines, shown.Lines) || d.Answer.Decision != "deny" {
		t.Errorf("%v %+v %+v", d.ChangeKept, d.Change, d.Answer)
	}
}
