package inbox

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// written is what assent has written about a ticket.
func (w *world) written(id string) (all []clerk.EventView) {
	w.t.Helper()
	for _, e := range w.look(id).History {
		if e.Kind != "" && e.Who == "assent" {
			all = append(all, e)
		}
	}
	return all
}

// A rule outlives the call with which it came, so the history of the call says who has added it.
func TestTheHistoryNamesARule(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for scope, where := range map[string]string{
		"session": "for this session", "local": "for the project, on " + host + " only", "project": "for the project", "user": "for all projects of this user, on " + host + " only",
	} {
		c := newCrowd(t)
		c.promote("abe") // who may choose every place
		ticket := c.park(bash("npm test"))[0]
		c.as("abe").approveAs(ticket.ID, ruled(ticket, scope)).into(t, new(detailView))
		abe := c.as("abe")
		if all := abe.written(ticket.ID); len(all) != 0 {
			t.Errorf("%s: too early: %+v", scope, all)
		}
		c.at(time.Minute)
		c.settleRules()
		if all := abe.written(ticket.ID); len(all) != 1 || all[0].Note != "abe added the rule Bash(npm test:*) "+where {
			t.Errorf("%s: %+v", scope, all)
		}
		newSchemas(t).answer("GET", "/api/v1/tickets/{id}", abe.get("/api/v1/tickets/"+ticket.ID))
	}
}

// A rule that was taken back is none that somebody has added. One that could not be added is in the
// history before anybody knows that, so it says that as well, and nobody is told of it as one that stays.
func TestTheHistoryNamesNoRuleThatIsNotThere(t *testing.T) {
	w := newWorld(t)
	back, fails := w.park(bash("npm run a"))[0], w.park(bash("npm run b"))[0]
	w.approveAs(back.ID, ruled(back, "local")).into(t, new(detailView))
	w.post("/api/v1/tickets/"+back.ID+"/undo", map[string]any{"digest": back.Digest}).into(t, new(detailView))
	w.approveAs(fails.ID, ruled(fails, "project")).into(t, new(detailView))
	w.rules("{ this is no JSON")
	w.at(UndoTime + time.Second)
	w.settleRules()
	if all := w.written(back.ID); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	all := w.written(fails.ID)
	if len(all) != 2 || all[0].Note != w.Who+" added the rule Bash(npm run b:*) for the project" ||
		!strings.HasPrefix(all[1].Note, "this rule was not added after all: "+all[0].Note+" (") || !strings.Contains(all[1].Note, "settings.json") {
		t.Errorf("%+v", all)
	}
	if rules, err := w.Tickets.RulesBy(t.Context(), w.Who, 10); err != nil || len(rules) != 0 {
		t.Errorf("%+v %v", rules, err)
	}
}

// A server that ends between the history and the file leaves a rule that is not there yet. The next one
// adds it, or says that it was not added if its yes does not count any more.
func TestT1_TheHistoryNamesARuleBeforeItIsThere(t *testing.T) {
	for name, lapses := range map[string]bool{"the yes counts": false, "the yes has lapsed": true} {
		t.Run(name, func(t *testing.T) {
			c := newCrowd(t)
			ticket := c.park(bash("npm test"))[0]
			c.as("abe").approveAs(ticket.ID, ruled(ticket, "project")).into(t, new(detailView))
			c.must(c.Tickets.Comment(t.Context(), ticket.ID, approval.Self, "abe added the rule Bash(npm test:*) for the project"))
			if lapses {
				c.must(c.People.SignOutAll(t.Context(), operator, "abe"))
			}
			c.at(time.Minute)
			c.settleRules()
			all := c.as("ben").written(ticket.ID)
			rules, err := c.Tickets.RulesBy(t.Context(), "abe", 10)
			c.must(err)
			want := 1
			if lapses {
				want = 2
			}
			if len(all) != want || len(rules) != 2-want || lapses && !strings.HasPrefix(all[1].Note, "this rule was not added after all: abe added the rule ") {
				t.Errorf("%+v, %+v", all, rules)
			}
		})
	}
}

// A server that finds the note of a rule that is added already tells nobody a second time.
func TestTheHistoryNamesARuleOnce(t *testing.T) {
	w := newWorld(t)
	ticket := w.park(bash("npm test"))[0]
	w.approveAs(ticket.ID, ruled(ticket, "local")).into(t, new(detailView))
	answered, err := w.Tickets.Find(t.Context(), ticket.ID)
	w.must(err)
	w.at(UndoTime + time.Second)
	w.settleRules()
	update := permission.Update{Type: permission.AddRules, Destination: rule.LocalSettings, Behavior: rule.Allow, Rules: []string{"Bash(npm test:*)"}}
	again := w.promise(answered, update)
	w.keep(again, answered, "")
	if all := w.written(ticket.ID); len(all) != 1 {
		t.Errorf("%+v", all)
	}
}

// Nor does one that finds it in other words: an earlier server did not name the machine, and a machine
// may have another name by now. A rule of another answer is another one.
func TestTheHistoryNamesARuleOnceInOtherWords(t *testing.T) {
	for note, want := range map[string]int{
		"abe added the rule Bash(npm test:*) for the project, on this machine only": 1,
		"abe added the rule Bash(npm test:*) for the project, on build-7 only":      1,
		"abe added the rule Bash(npm run:*) for the project, on build-7 only":       2,
		"abel added the rule Bash(npm test:*) for the project, on build-7 only":     2,
	} {
		c := newCrowd(t)
		ticket := c.park(bash("npm test"))[0]
		c.as("abe").approveAs(ticket.ID, ruled(ticket, "local")).into(t, new(detailView))
		c.must(c.Tickets.Comment(t.Context(), ticket.ID, approval.Self, note))
		c.at(time.Minute)
		c.settleRules()
		if all := c.as("abe").written(ticket.ID); len(all) != want {
			t.Errorf("%s: %+v", note, all)
		}
	}
}

func TestWhatAnUpdateIsCalledInTheHistory(t *testing.T) {
	for want, u := range map[string]permission.Update{
		"ana added the rules Bash(a:*), Bash(b:*) for the project":                   {Type: permission.AddRules, Destination: rule.ProjectSettings, Rules: []string{"Bash(a:*)", "Bash(b:*)"}},
		"ana set the mode acceptEdits for this session":                              {Type: permission.SetMode, Destination: rule.Session, Mode: permission.AcceptEdits},
		"ana added the directory /srv/x to the workspace for this session":           {Type: permission.AddDirectories, Destination: rule.Session, Directories: []string{"/srv/x"}},
		"ana added the directories /srv/x, /srv/y to the workspace for this session": {Type: permission.AddDirectories, Destination: rule.Session, Directories: []string{"/srv/x", "/srv/y"}},
	} {
		if got := addedBy("ana", u); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := addedBy("ana", permission.Update{Type: permission.AddRules, Rules: []string{strings.Repeat("x", 20_000)}}); len(got) > 10_000 {
		t.Errorf("%d bytes, which no comment has", len(got))
	}
}

// A program adds no rules, so it is offered none.
func TestT1_AProgramIsOfferedNoRule(t *testing.T) {
	c := newCrowd(t)
	c.tokens["ci"] = c.program("abe", people.Approver)
	ticket := c.park(bash("npm test"))[0]
	if d := c.as("ci").look(ticket.ID); d.Suggestion != nil || !strings.Contains(d.NoRule, "a program adds no rules") {
		t.Errorf("%+v, %q", d.Suggestion, d.NoRule)
	}
	if d := c.as("abe").look(ticket.ID); d.Suggestion == nil || d.NoRule != "" {
		t.Errorf("the person: %+v, %q", d.Suggestion, d.NoRule)
	}
}
