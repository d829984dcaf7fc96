package clerk

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// approvals writes what the person's settings want before a yes counts.
func approvals(t *testing.T, c *Clerk, text string) {
	t.Helper()
	dir := filepath.Join(c.dir, ".claude")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(`{"assent":{"approvals":`+text+`}}`), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The settings of today count where the answer is given, whether or not anybody here knows the
// tool.
func TestA4_TheSettingsOfTodayCount(t *testing.T) {
	for _, tool := range []string{"Bash", "codex:apply_patch"} {
		for _, test := range []struct {
			name, settings string
			yes            Yes
			want           any // nil: it is approved
		}{
			{"nothing", `{}`, Yes{}, nil},
			{"two people", `{"medium":{"approvers":2}}`, Yes{}, &approval.Unsigned{}},
			{"of any risk", `{"any":{"approvers":2}}`, Yes{}, &approval.Unsigned{}},
			{"of another risk", `{"low":{"approvers":2}}`, Yes{}, nil},
			{"a reason", `{"medium":{"reason":true}}`, Yes{}, &approval.NoReason{}},
			{"with one", `{"medium":{"reason":true}}`, Yes{Reason: "agreed"}, nil},
			{"somebody else", `{"medium":{"notRequester":true}}`, Yes{Voter: "ben"}, nil},
			{"what the one who asks wants", `{}`, Yes{Terms: permission.Terms{Reason: true}}, &approval.NoReason{}},
		} {
			t.Run(tool+", "+test.name, func(t *testing.T) {
				c, ticket, _ := heldWorld(t, tool)
				approvals(t, c, test.settings)
				asked := false
				test.yes.By, test.yes.Agree = "ben", func(Proposal) error { asked = true; return nil }
				m, err := c.Approve(t.Context(), ticket.ID, test.yes)
				if test.want == nil && (err != nil || m.Standing != Approved || m.Answer().Voter != test.yes.Voter) {
					t.Errorf("%v, %v", m.Standing, err)
				}
				if test.want != nil && (reflect.TypeOf(err) != reflect.TypeOf(test.want) || asked) { // nobody is asked for more in vain
					t.Errorf("%v, asked: %v", err, asked)
				}
			})
		}
	}
}

// What the record of a session says a yes needs holds also where the call has no ticket yet, as
// after an import: nobody gets around it by taking the session elsewhere.
func TestA4_TheTermsOnTheRecordCount(t *testing.T) {
	for _, terms := range []permission.Terms{{Approvers: 2}, {NotRequester: true}} {
		call := bash("deploy")
		call.Terms = terms
		p := waitingIn(t, "Bash(rm:*)", call)
		_, err := p.Approve(t.Context(), sessionID, Yes{By: "ann"})
		if _, unsigned := errors.AsType[*approval.Unsigned](err); !unsigned {
			t.Errorf("%+v: %v", terms, err)
		}
		m, err := p.Approve(t.Context(), sessionID, Yes{By: "ben", Voter: "ben"})
		if err != nil || m.Ticket.Terms.Need() != terms.Need() || (m.Standing == Approved) != (terms.Need() == 1) {
			t.Errorf("%+v: %v, %+v, %v", terms, m.Standing, m.Ticket, err)
		}
	}
}

// A yes that is one of several leaves the call waiting, and says so.
func TestA4_AYesThatIsOnlyAVote(t *testing.T) {
	c, ticket, tickets := heldWorld(t, "Bash")
	approvals(t, c, `{"medium":{"approvers":2,"reason":true}}`)
	m, err := c.Approve(t.Context(), ticket.ID, Yes{By: "ben for ana", Voter: "ben", Reason: "looked"})
	if err != nil || m.Standing != Pending || m.Ticket.State != approval.Pending || m.Answer() != nil || len(m.Votes) != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	if got := m.Joined("Ben").String(); got != "1 of 2 people have approved; it waits for the others" {
		t.Error(got)
	}
	approvals(t, c, `{}`) // who has voted has done so by what held then
	s, err := c.Show(t.Context(), ticket.ID)
	if err != nil {
		t.Fatal(err)
	}
	call := s.Calls[0]
	if call.State != "pending" || !reflect.DeepEqual(call.Terms, &TermsView{2, true, false}) || len(call.Votes) != 1 || call.Votes[0].By != "ben for ana" || !call.Votes[0].Same || call.Votes[0].Reason != "looked" {
		t.Errorf("%+v", call)
	}
	if n := len(call.History); n != 2 || call.History[1].Kind != approval.KindVote {
		t.Errorf("%+v", call.History)
	}
	_, err = c.Approve(t.Context(), ticket.ID, Yes{By: "ben", Voter: "ben", Reason: "again"})
	var voted *approval.Voted
	if !errors.As(err, &voted) || KindOf(err) != Refused {
		t.Errorf("%v", err)
	}
	m, err = c.Approve(t.Context(), ticket.ID, Yes{By: "cleo", Voter: "cleo", Reason: "me too"})
	if err != nil || m.Standing != Approved || len(m.Answer().Others) != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	if v := View(m); v.Answer.By != "cleo" || len(v.Answer.Others) != 1 || v.Answer.Others[0].By != "ben for ana" {
		t.Errorf("%+v", v.Answer)
	}
	if _, err := c.Deny(t.Context(), ticket.ID, No{By: "dan", Voter: "dan", Reason: "no"}); err != nil {
		t.Fatal(err)
	}
	if now, err := tickets.Find(t.Context(), ticket.ID); err != nil || now.State != approval.Denied || now.Answer.Voter != "dan" {
		t.Errorf("%+v, %v", now, err)
	}
}

// A vote for another input is shown as such, and does not count for the one that waits.
func TestA4_AVoteForAnotherInputIsShownAsSuch(t *testing.T) {
	c, ticket, tickets := heldWorld(t, "Bash")
	_, err := tickets.Say(t.Context(), ticket.ID, ticket.Digest, approval.Answer{Behavior: permission.Allow, By: "ben", Voter: "ben", Terms: permission.Terms{Approvers: 2}, Input: strictjson.Raw(`{"command":"deploy --dry-run"}`)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Show(t.Context(), ticket.ID)
	if err != nil || len(s.Calls[0].Votes) != 1 || s.Calls[0].Votes[0].Same {
		t.Errorf("%+v, %v", s.Calls, err)
	}
	if m, err := c.Approve(t.Context(), ticket.ID, Yes{By: "cleo", Voter: "cleo"}); err != nil || m.Standing != Pending || m.Joined("cleo") != (approval.Tally{Have: 1, Need: 2}) || len(m.Votes) != 2 {
		t.Errorf("%+v, %v", m, err)
	}
}

// A call that gets its ticket only when somebody answers has the requester of its session.
func TestA4_ALateTicketHasItsRequester(t *testing.T) {
	p := waitingIn(t, "Bash(forbidden)", bash("deploy"))
	m, err := p.One(t.Context(), sessionID, ToApprove)
	p.check(err)
	m.requester = "ana@host"
	strict := permission.Terms{NotRequester: true}
	var own *approval.OwnRequest
	if _, err := p.ApproveThis(t.Context(), m, Yes{By: "ana", Voter: "ana", Terms: strict}); !errors.As(err, &own) || KindOf(err) != Refused {
		t.Errorf("%v", err)
	}
	if m, err = p.ApproveThis(t.Context(), m, Yes{By: "ben", Voter: "ben", Terms: strict}); err != nil || m.Standing != Approved || m.Ticket.Requester != "ana@host" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestA4_CommentsAreAboutOneCall(t *testing.T) {
	p := waitingIn(t, "Bash(forbidden)", bash("deploy"))
	if err := p.Comment(t.Context(), sessionID, "ben", "why?"); KindOf(err) != Invalid {
		t.Errorf("%v", err)
	}
	m, err := p.Deny(t.Context(), sessionID, No{By: "ann", Reason: "no"})
	p.check(err)
	p.check(p.Comment(t.Context(), m.Name()[:8], "ben", "why?"))
	if err := p.Comment(t.Context(), m.Name(), "ben", strings.Repeat("x", 10_001)); KindOf(err) != Invalid {
		t.Errorf("%v", err)
	}
	if err := p.Comment(t.Context(), "zz", "ben", "why?"); KindOf(err) != NotFound {
		t.Errorf("%v", err)
	}
	s, err := p.Show(t.Context(), m.Name())
	p.check(err)
	last := s.Calls[0].History[len(s.Calls[0].History)-1]
	if last.Kind != approval.KindComment || last.Who != "ben" || last.Note != "why?" {
		t.Errorf("%+v", last)
	}
}
