package approval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/permission"
)

// comesFrom makes the tickets of a state directory, and those of a database into which its
// sessions come.
func comesFrom(t *testing.T) (alone, shared *counter, told *[]string) {
	t.Helper()
	dir := t.TempDir()
	alone = newCounter(t, func() (*Store, error) { return Open(dir) })
	shared = newServerStore(t)
	told = &[]string{}
	shared.Heed(dir, func(text string) { *told = append(*told, text) })
	return alone, shared, told
}

// What was said in a state directory about a call that comes into a database: a no holds, and of
// anything else people are told, there and at the place from which it comes.
func TestS34_WhatWasSaidBeforeACallComesIntoADatabase(t *testing.T) {
	two := permission.Terms{Approvers: 2}
	deny := func(c *counter, first Ticket) { c.drive(first.ID, Denied) }
	for name, test := range map[string]struct {
		said  func(c *counter, first Ticket)
		terms permission.Terms
		comes func(*Parking)
		want  State
		notes []string // in the history of the new ticket, parts of one each
		told  int      // how many lines
	}{
		"nothing":                           {func(*counter, Ticket) {}, two, nil, Pending, nil, 0},
		"a no":                              {deny, two, nil, Denied, []string{"denied at 2026-01-02 03:04:05 +00:00 on ", "before its session came into this database: no"}, 1},
		"a no that has been told":           {func(c *counter, first Ticket) { deny(c, first); must(t, c.Refuse(t.Context(), first.ID, "me", "told")) }, two, nil, Denied, []string{": no"}, 1},
		"a no of before":                    {deny, two, func(p *Parking) { p.At = p.At.Add(time.Second) }, Pending, nil, 0},
		"a no to another call":              {deny, two, func(p *Parking) { p.Call.ToolUseID = "toolu_2" }, Pending, nil, 0},
		"a no, and a call that has changed": {deny, two, func(p *Parking) { p.Call.Input = []byte(`{"command":"other"}`) }, Denied, []string{": no"}, 1},
		"a no that can be taken back": {func(c *counter, first Ticket) {
			c.say(first, permission.Deny, "ann", time.Hour)
		}, two, nil, Denied, []string{"denied at"}, 1},
		"a no to what it is a fork of": {deny, two, func(p *Parking) { p.Call.Session, p.Forks = "s2", []string{"s1"} }, Denied, []string{"denied in the session it was forked from, s1"}, 1},
		"a no to what it is a fork of, which was removed": {func(c *counter, first Ticket) {
			deny(c, first)
			must(t, c.Forget(t.Context(), "s1"))
		}, two, func(p *Parking) { p.Call.Session, p.Forks = "s2", []string{"s1"} }, Denied, []string{"denied in the session it was forked from, s1"}, 1},
		"a no, and then damage": {func(c *counter, first Ticket) { deny(c, first); c.damage(first.ID, "fence = 'soon'") }, two, nil, Denied, []string{": no"}, 1},
		"damage, and then a no": {func(c *counter, first Ticket) {
			c.damage(first.ID, "fence = 'soon'")
			must1(c.Deny(t.Context(), first.ID, first.Digest, "ann", "no"))
		}, two, nil, Denied, []string{": no"}, 1},
		"a yes": {func(c *counter, first Ticket) {
			must1(c.Approve(t.Context(), first.ID, first.Digest, "ann", "go", nil))
		}, permission.Terms{}, nil, Pending, []string{" ann approved it at 2026-01-02 03:04:05 +00:00, before its session came into this database: that does not count here, and it has to be approved anew: go"}, 1},
		"a vote": {func(c *counter, first Ticket) { must1(c.yes(first, "ann")) }, two, nil, Pending, []string{" ann approved it"}, 1},
		"the yes of two": {func(c *counter, first Ticket) {
			must1(c.yes(first, "ann"))
			must1(c.yes(first, "bob"))
		}, two, nil, Pending, []string{" ann approved it", " bob approved it"}, 1},
		"a yes to what it is a fork of": {func(c *counter, first Ticket) {
			must1(c.Approve(t.Context(), first.ID, first.Digest, "ann", "go", nil))
		}, permission.Terms{}, func(p *Parking) { p.Call.Session, p.Forks = "s2", []string{"s1"} }, Pending, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			alone, shared, told := comesFrom(t)
			first, err := alone.Park(t.Context(), Parking{Call: deploy("s1"), At: alone.time, Terms: test.terms})
			must(t, err)
			test.said(alone, first)
			p := Parking{Call: deploy("s1"), At: alone.time, Terms: test.terms}.Comes()
			if test.comes != nil {
				test.comes(&p)
			}
			got, err := shared.Park(t.Context(), p)
			must(t, err)
			for range 2 { // it stays what it is, and is not said again
				if again, err := shared.Park(t.Context(), p); err != nil || again.ID != got.ID {
					t.Errorf("%+v, %v", again, err)
				}
			}
			if now := shared.find(got.ID); now.State != test.want || got.State != test.want {
				t.Errorf("%s, %s", now.State, got.State)
			}
			history, err := shared.History(t.Context(), got.ID)
			must(t, err)
			for i, e := range history[1:] {
				if i >= len(test.notes) && (test.want == Pending || i > 0) || test.want == Pending && (e.Kind != KindComment || e.Who != Self || !strings.Contains(e.Note, test.notes[i])) {
					t.Errorf("%+v", e)
				}
			}
			if len(*told) != test.told || test.want == Pending && len(history)-1 != len(test.notes) {
				t.Fatalf("%q\n%+v", *told, history)
			}
			if test.want != Denied {
				return
			}
			last := history[len(history)-1]
			for _, note := range test.notes {
				if last.Who != "ann" || !strings.Contains(last.Note, note) {
					t.Errorf("%+v", last)
				}
			}
			if a := shared.find(got.ID).Answer; a.By != "ann" || a.Voter != "" || !a.Settles.IsZero() || a.Digest != got.Digest || !a.At.Equal(alone.time) {
				t.Errorf("%+v", a)
			}
			if !strings.Contains((*told)[0], "ann has denied the call ") || !strings.Contains((*told)[0], "that holds in the database") {
				t.Errorf("%q", *told)
			}
		})
	}
}

// Only a call that was parked before can have been answered before, and what was said in the
// database itself counts there.
func TestS34_WhatWasSaidBeforeIsForWhatWasParkedBefore(t *testing.T) {
	alone, shared, told := comesFrom(t)
	first, err := alone.Park(t.Context(), alone.first())
	must(t, err)
	alone.drive(first.ID, Denied)
	got, err := shared.Park(t.Context(), shared.first())
	if err != nil || got.State != Pending {
		t.Fatalf("%+v, %v", got, err)
	}
	shared.drive(got.ID, Approved)
	if got, err = shared.Park(t.Context(), shared.first().Belated()); err != nil || got.State != Approved || len(*told) > 0 {
		t.Errorf("%+v, %v, %q", got, err, *told)
	}
	later := shared.first().Belated()
	later.Call.Session = "s2"
	if said, err := shared.Before(t.Context(), later); said.No != nil || len(said.Yes) > 0 || err != nil {
		t.Errorf("%+v, %v", said, err)
	}
}

// A no reaches a ticket in the database that waits already.
func TestS34_ANoOfBeforeReachesATicketThatWaits(t *testing.T) {
	alone, shared, told := comesFrom(t)
	p := shared.first().Comes()
	waits, err := shared.Park(t.Context(), p)
	must(t, err)
	first, err := alone.Park(t.Context(), alone.first())
	must(t, err)
	alone.drive(first.ID, Denied)
	if said, err := shared.Before(t.Context(), p); err != nil || said.No == nil || said.No.By != "ann" {
		t.Errorf("%+v, %v", said, err)
	}
	_, err = shared.Park(t.Context(), p)
	must(t, err)
	if now := shared.find(waits.ID); !now.DeniedByPerson() || len(*told) != 1 {
		t.Errorf("%+v, %q", now, *told)
	}
}

// A state directory without tickets says nothing and gets none. Where nobody can say what is in them a
// no may be, so the call does not come, neither for a person nor for a hook: it is as when it goes on
// without the database.
func TestS34_TicketsOfBeforeThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct {
		make  func(t *testing.T, dir string)
		comes bool
	}{
		"none": {func(*testing.T, string) {}, true},
		"no database": {func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, fileName), []byte(strings.Repeat("x", 9000)), 0o600))
		}, false},
		"a link to nowhere": {func(t *testing.T, dir string) {
			must(t, os.Symlink(filepath.Join(dir, "away"), filepath.Join(dir, fileName)))
		}, false},
		"a directory": {func(t *testing.T, dir string) { must(t, os.Mkdir(filepath.Join(dir, fileName), 0o700)) }, false},
		"a damaged ticket": {func(t *testing.T, dir string) {
			alone := newCounter(t, func() (*Store, error) { return Open(dir) })
			first, err := alone.Park(t.Context(), alone.first())
			must(t, err)
			alone.damage(first.ID, "fence = 'soon'")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			shared, dir := newServerStore(t), t.TempDir()
			test.make(t, dir)
			shared.Heed(dir, func(text string) { t.Error(text) })
			p := shared.first()
			_, err := shared.Park(t.Context(), p.Comes())
			all, listed := shared.List(t.Context(), Query{})
			must(t, listed)
			if (err == nil) != test.comes || (len(all) == 1) != test.comes {
				t.Fatalf("%v, %+v", err, all)
			}
			if test.comes {
				if Exists(dir) {
					t.Error("it has tickets now")
				}
				return
			}
			if !strings.Contains(err.Error(), "nobody can say whether somebody has denied the call "+p.Call.ToolUseID) {
				t.Error(err)
			}
			p.Forks = []string{"another"}
			if _, err := shared.Park(t.Context(), p.Belated()); err == nil {
				t.Error("a fork of what may have been denied waits")
			}
			p.Forks = nil
			if _, err := shared.Park(t.Context(), p.Belated()); err != nil { // it is there, so nobody can have said anything elsewhere since
				t.Error(err)
			}
		})
	}
}
