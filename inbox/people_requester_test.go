package inbox

import (
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/link"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
)

// Agents work as root, and nobody is called so. As long as nobody has said which person that is
// nobody approves such a call, and everybody is told what to do.
func TestA4_ARequesterWhomNobodyKnows(t *testing.T) {
	c := newCrowd(t)
	c.add(people.Viewer, "dee")
	c.deputy("abe", "dee")
	c.terms, c.requester = permission.Terms{NotRequester: true}, "root@build-7"
	ticket := c.park(bash("npm test"))[0]
	refused := func(says string, names ...string) {
		t.Helper()
		for _, who := range names {
			if d := c.as(who).look(ticket.ID); d.MayAnswer || !strings.Contains(d.MayNotWhy, says) {
				t.Errorf("%s: %v %q", who, d.MayAnswer, d.MayNotWhy)
			}
			if a := c.as(who).yes(ticket); a.status != 403 || a.code() != "forbidden" || !strings.Contains(a.body, says) {
				t.Errorf("%s: %d %s", who, a.status, a.body)
			}
		}
	}
	refused("root@build-7 wanted this call and must not approve it, and nobody knows", "abe", "ben", "ada", "dee")
	c.must(c.People.GiveAccount(t.Context(), operator, "root", "abe"))
	refused("abe wanted this call", "abe", "dee")
	if c.state(ticket.ID) != approval.Pending {
		t.Fatal(c.state(ticket.ID))
	}
	c.as("ben").yes(ticket).into(t, new(detailView))
	if c.state(ticket.ID) != approval.Approved {
		t.Error(c.state(ticket.ID))
	}
}

// The account of a machine is that of nobody, and its calls can be approved by all who may.
func TestA4_ARequesterWhoIsAMachine(t *testing.T) {
	c := newCrowd(t)
	c.must(c.People.GiveAccount(t.Context(), operator, "runner", people.Nobody))
	c.terms, c.requester = permission.Terms{NotRequester: true}, "runner@ci"
	ticket := c.park(bash("npm test"))[0]
	c.as("abe").yes(ticket).into(t, new(detailView))
	c.terms, c.requester = permission.Terms{Approvers: 2}, "root@vm" // and where it does not matter nobody asks
	ticket = c.park(bash("npm run build"))[0]
	c.as("abe").yes(ticket).into(t, new(detailView))
	c.as("ben").yes(ticket).into(t, new(detailView))
	if c.state(ticket.ID) != approval.Approved {
		t.Error(c.state(ticket.ID))
	}
}

// Whose account it is may come out when somebody has voted. His vote counts for nothing then.
func TestA4_AVoteOfTheRequesterComesOut(t *testing.T) {
	c := newCrowd(t)
	c.must(c.People.GiveAccount(t.Context(), operator, "runner", people.Nobody))
	c.terms, c.requester = permission.Terms{Approvers: 2, NotRequester: true}, "runner@ci"
	ticket := c.park(bash("npm test"))[0]
	c.as("abe").yes(ticket).into(t, new(detailView))
	c.must(c.People.GiveAccount(t.Context(), operator, "runner@ci", "abe"))
	var d detailView
	c.as("ben").yes(ticket).into(t, &d)
	if d.State != "pending" || len(d.Votes) != 1 || d.Votes[0].By != "ben" {
		t.Fatalf("%s %+v", d.State, d.Votes)
	}
	c.as("ada").yes(ticket).into(t, new(detailView))
	if others := c.found(ticket.ID).Answer.Others; c.state(ticket.ID) != approval.Approved || len(others) != 1 || others[0].Voter != "ben" {
		t.Errorf("%s %+v", c.state(ticket.ID), others)
	}
}

// Several people have spoken in a session: none of them approves its calls, nor anybody in their
// place, and one account of nobody among theirs is enough that nobody does.
func TestA4_ACallThatSeveralWanted(t *testing.T) {
	c := newCrowd(t)
	c.add(people.Viewer, "dee")
	c.deputy("abe", "dee")
	c.must(c.People.GiveAccount(t.Context(), operator, "root", "ben"))
	c.must(c.People.GiveAccount(t.Context(), operator, "runner", people.Nobody))
	c.terms, c.requester = permission.Terms{NotRequester: true}, "runner@ci, abe@desk, root@build-7"
	ticket := c.park(bash("npm test"))[0]
	for who, says := range map[string]string{"abe": "abe wanted this call", "ben": "ben wanted this call", "dee": "abe wanted this call, so nobody can"} {
		if d := c.as(who).look(ticket.ID); d.MayAnswer || !strings.Contains(d.MayNotWhy, says) || d.Requester != c.requester {
			t.Errorf("%s: %v %q, wanted by %q", who, d.MayAnswer, d.MayNotWhy, d.Requester)
		}
		if a := c.as(who).yes(ticket); a.status != 403 || !strings.Contains(a.body, says) {
			t.Errorf("%s: %d %s", who, a.status, a.body)
		}
	}
	c.as("ada").yes(ticket).into(t, new(detailView))
	if c.state(ticket.ID) != approval.Approved {
		t.Error(c.state(ticket.ID))
	}
	for requester, says := range map[string]string{
		"abe@desk, eve@vm, mal@vm, root@vm": "eve@vm, mal@vm wanted this call and must not approve it, and nobody knows",
		"eve@vm, runner@ci":                 "eve@vm wanted this call and must not approve it, and nobody knows",
		"abe@desk, …, runner@ci":            "more than 16 accounts have spoken in its session",
	} {
		c.requester = requester
		ticket := c.park(bash("npm run " + requester))[0]
		if a := c.as("ada").yes(ticket); a.status != 403 || !strings.Contains(a.body, says) {
			t.Errorf("%q: %d %s", requester, a.status, a.body)
		}
	}
}

// It comes out that an account among several was that of somebody who has voted.
func TestA4_AVoteOfOneOfTheRequestersComesOut(t *testing.T) {
	c := newCrowd(t)
	c.must(c.People.GiveAccount(t.Context(), operator, "runner", people.Nobody))
	c.must(c.People.GiveAccount(t.Context(), operator, "builder", people.Nobody))
	c.terms, c.requester = permission.Terms{Approvers: 2, NotRequester: true}, "builder@ci, runner@ci"
	ticket := c.park(bash("npm test"))[0]
	c.as("abe").yes(ticket).into(t, new(detailView))
	c.must(c.People.GiveAccount(t.Context(), operator, "runner@ci", "abe"))
	var d detailView
	c.as("ben").yes(ticket).into(t, &d)
	if d.State != "pending" || len(d.Votes) != 1 || d.Votes[0].By != "ben" {
		t.Errorf("%s %+v", d.State, d.Votes)
	}
}

// reachable adds somebody with an e-mail who answers, and signs him in.
func (c *crowd) reachable(name, email string) {
	c.t.Helper()
	c.must(c.People.Add(c.t.Context(), operator, people.Person{Name: name, Email: email, Role: people.Approver}, passwordOf(name)))
	c.signIn(name)
}

// By another name nobody approves his own call either, nor does a deputy in the place of that one,
// and the page says before the answer what the answer is told.
func TestA4_TheRequesterByAnotherName(t *testing.T) {
	c := newStrangers(t)
	var err error
	c.Links, err = link.On(t.Context(), c.Tickets.Database())
	c.must(err)
	c.reachable("abe", "abe.smith@example.org")
	c.reachable("zoe", "Abe.Smith@example.org")
	c.reachable("abe@example.org", "")
	c.reachable("abe.smith@example.org", "")
	c.reachable("ben", "ben@example.org")
	c.add(people.Viewer, "dee")
	c.deputy("zoe", "dee")
	c.must(c.People.GiveAccount(t.Context(), operator, "root", "abe"))
	alike := map[string]string{
		"abe":                   "abe wanted this call, and somebody else has to approve it (ask a colleague, or deny it)",
		"zoe":                   "abe, who could be the same person as zoe by the e-mail, wanted this call, and somebody else has to approve it (ask a colleague, or deny it)",
		"abe.smith@example.org": "abe, who could be the same person as abe.smith@example.org by the e-mail, wanted this call",
		"abe@example.org":       "abe, who could be the same person as abe@example.org by the name, wanted this call",
		"dee":                   "abe, who could be the same person as zoe by the e-mail, wanted this call, so nobody can approve it in the place of zoe (somebody else has to)",
	}
	for name, terms := range map[string]permission.Terms{"one": {NotRequester: true}, "two": {Approvers: 2, NotRequester: true}} {
		c.terms, c.requester = terms, "root@build-7"
		ticket := c.park(bash("npm run " + name))[0]
		text := c.linkTo(ticket)
		for who, says := range alike {
			if d := c.as(who).look(ticket.ID); d.MayAnswer || !strings.Contains(d.MayNotWhy, says) {
				t.Errorf("%s, %s: %v %q", name, who, d.MayAnswer, d.MayNotWhy)
			}
			for way, a := range map[string]answer{
				"the page": c.as(who).yes(ticket),
				"a link":   c.as(who).approveAs(ticket.ID, map[string]any{"digest": ticket.Digest, "link": text}),
			} {
				if a.status != 403 || a.code() != "forbidden" || !strings.Contains(a.body, says) {
					t.Errorf("%s, %s by %s: %d %s", name, who, way, a.status, a.body)
				}
			}
		}
		if d := c.as("ben").look(ticket.ID); !d.MayAnswer || len(d.Votes) != 0 {
			t.Errorf("%s: %q %+v", name, d.MayNotWhy, d.Votes)
		}
	}
	ticket := c.park(bash("npm test"))[0]
	c.as("zoe").post("/api/v1/tickets/"+ticket.ID+"/deny", map[string]any{"digest": ticket.Digest, "reason": "not any more"}).into(t, new(detailView)) // which is free
	c.terms = permission.Terms{NotRequester: true}
	c.deputy("ben", "dee") // in whose place it is something else
	ticket = c.park(bash("npm run build"))[0]
	var d detailView
	c.as("dee").yes(ticket).into(t, &d)
	if d.Answer == nil || d.Answer.By != "dee for ben" {
		t.Errorf("%+v", d.Answer)
	}
}

// It comes out that somebody who has voted has the account of the requester by another name: the
// list and the call count his vote no more.
func TestA4_AVoteOfTheRequesterByAnotherNameComesOut(t *testing.T) {
	c := newStrangers(t)
	c.reachable("abe", "abe@example.org")
	c.reachable("zoe", "abe@example.org")
	c.reachable("ben", "")
	c.must(c.People.GiveAccount(t.Context(), operator, "runner", people.Nobody))
	c.terms, c.requester = permission.Terms{Approvers: 2, NotRequester: true}, "runner@ci"
	ticket := c.park(bash("npm test"))[0]
	c.as("zoe").yes(ticket).into(t, new(detailView))
	counted := func() (listed, shown int) {
		var list listView
		c.as("ben").get("/api/v1/tickets").into(t, &list)
		return list.Tickets[0].Approvals, c.as("ben").look(ticket.ID).Approvals
	}
	if listed, shown := counted(); listed != 1 || shown != 1 {
		t.Errorf("before: %d, %d", listed, shown)
	}
	c.must(c.People.GiveAccount(t.Context(), operator, "runner@ci", "abe"))
	if listed, shown := counted(); listed != 0 || shown != 0 {
		t.Errorf("after: %d, %d", listed, shown)
	}
	var d detailView
	c.as("ben").yes(ticket).into(t, &d)
	if d.State != "pending" || len(d.Votes) != 1 || d.Votes[0].By != "ben" {
		t.Errorf("%s %+v", d.State, d.Votes)
	}
}

// Where two people have to approve, whoever could be one human with the first of them is told so
// before his answer as well.
func TestA4_ThePageKnowsOneVoiceByTheEMail(t *testing.T) {
	c := newStrangers(t)
	c.reachable("abe", "abe@example.org")
	c.reachable("zoe", "abe@example.org")
	c.reachable("ben", "")
	c.add(people.Viewer, "dee")
	c.deputy("zoe", "dee")
	c.terms = permission.Terms{Approvers: 2}
	ticket := c.park(bash("npm test"))[0]
	c.as("abe").yes(ticket).into(t, new(detailView))
	for who, says := range map[string]string{"zoe": "beside abe, who could be the same person by the e-mail", "dee": "beside abe, who could be the same person by the e-mail"} {
		if d := c.as(who).look(ticket.ID); d.MayAnswer || !strings.Contains(d.MayNotWhy, says) {
			t.Errorf("%s: %v %q", who, d.MayAnswer, d.MayNotWhy)
		}
		if a := c.as(who).yes(ticket); a.status != 403 || !strings.Contains(a.body, says) {
			t.Errorf("%s: %d %s", who, a.status, a.body)
		}
	}
	if d := c.as("ben").look(ticket.ID); !d.MayAnswer {
		t.Error(d.MayNotWhy)
	}
	c.as("ben").yes(ticket).into(t, new(detailView))
	if c.state(ticket.ID) != approval.Approved {
		t.Error(c.state(ticket.ID))
	}
}
