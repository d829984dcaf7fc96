package inbox

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// detailView is everything that a person needs who decides over a call.
type detailView struct {
	item
	// Input is exactly what would run; Pretty the same for people, with escapes for what
	// could hide. Edited is what a person has approved in its place.
	Input  strictjson.Raw `json:"input"`
	Pretty []string       `json:"input_pretty"`
	Edited strictjson.Raw `json:"edited,omitempty"`
	// Why says why it was parked, and Policy by which rules.
	Why     string            `json:"why"`
	Policy  string            `json:"policy"`
	History []clerk.EventView `json:"history"`
	// Rules is what the rules of today make of it; nil when nobody can say, and Unjudged
	// says why.
	Rules    *policy.Explanation `json:"rules"`
	Unjudged string              `json:"unjudged,omitempty"`
	Change   *clerk.FileChange   `json:"change"`
	// ChangeKept: it is what the one was shown who has approved the call, and not that of the file as
	// it is now.
	ChangeKept bool `json:"change_kept,omitempty"`
	// EditedChange is what the approved input does in place of the agent's.
	EditedChange *clerk.FileChange `json:"edited_change,omitempty"`
	Questions    []clerk.Question  `json:"questions"`
	Context      contextView       `json:"context"`
	Consequences consequences      `json:"consequences"`
	Earlier      earlierView       `json:"earlier"`
	Suggestion   *suggestion       `json:"suggestion"`
	// NoRule is why there is no suggestion.
	NoRule string `json:"no_rule,omitempty"`
	// StoppedBy is what made the call wait, and Guard whether the guard that holds it still
	// waits for the answer.
	StoppedBy stopper    `json:"stopped_by"`
	Guard     guardState `json:"guard,omitempty"`
	// GuardMS is for how long that guard waits on, in milliseconds, as far as it has said; none where it
	// does not.
	GuardMS int64 `json:"guard_ms,omitempty"`
	// Doubt is why it will most likely fail if it runs.
	Doubt string `json:"doubt,omitempty"`
	// Places are the files that it leads to, with all links followed: an answer can repeat
	// them. Moved says where it led when it was parked, if that was elsewhere.
	Places []string `json:"places"`
	Moved  string   `json:"moved,omitempty"`
	// Confirm is the word that has to be typed; nil when none has to.
	Confirm *confirmation `json:"confirm"`
	// Deniable: a no still keeps it from running, also after a yes.
	Deniable bool `json:"deniable"`
	// Editable: it can be approved, also with another input. Fixed is why not, where the
	// agent cannot be given another one, or nobody here could judge one.
	Editable bool   `json:"editable"`
	Fixed    string `json:"fixed,omitempty"`
	// Votes are who has said yes where several people must.
	Votes []voteView `json:"votes,omitempty"`
	// MayAnswer: the one who asks can say yes to it; MayNotWhy says why not.
	MayAnswer bool   `json:"may_answer"`
	MayNotWhy string `json:"may_not_why,omitempty"`
	// Problem is why it cannot be answered as it stands.
	Problem string `json:"problem,omitempty"`
	// Unheard is why nobody can say whether it was denied elsewhere: it is approved by itself.
	Unheard string `json:"unheard,omitempty"`
	// Labels are what a worker must have to go on with the session; none where any can, and for
	// a call that is over.
	Labels []string `json:"labels,omitempty"`
	// Undo is until when the answer can be taken back.
	Undo *undoView `json:"undo,omitempty"`
	// Rule is what became of the rule that was to be added with an answer.
	Rule *ruleView `json:"rule,omitempty"`
}

// detail is one ticket.
func (s *Server) detail(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	return s.show(r.Context(), id)
}

// show gathers what is known about a ticket.
func (s *Server) show(ctx context.Context, id string) (*detailView, error) {
	m, err := s.matter(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.present(ctx, m, s.judge(m.Runs(), m.Mode))
}

// present is a ticket with what was found about it.
func (s *Server) present(ctx context.Context, m matter, j judged) (d *detailView, err error) {
	id := m.Ticket.ID
	d = &detailView{item: itemOf(*m.Ticket), Input: legible(m.Call.Input), Pretty: clerk.Pretty(m.Call.Input), Why: policy.WellFormed(m.Reason()), Policy: m.Ticket.Policy, Problem: policy.WellFormed(m.Problem), Unheard: policy.WellFormed(m.Unheard)}
	d.State, d.Since, d.Risk = clerk.View(m.Matter).State, m.Since, j.risk(m.Ticket.Risk).String()
	if a := m.Answer(); a != nil && a.Input != nil {
		d.Edited = legible(a.Input)
	}
	if d.History, err = s.eventsOf(ctx, id); err != nil {
		return nil, err
	}
	d.addJudgement(j, m.Asker())
	d.addPlaces(m, j)
	d.Labels = legibleLabels(m.Labels)
	d.StoppedBy, d.Guard = stoppedBy(*m.Ticket), s.guardOf(*m.Ticket)
	if d.Guard == guardWaits || d.Guard == guardUnknown {
		d.GuardMS = max(0, m.Ticket.Waits.Sub(s.now()).Milliseconds())
	}
	d.Change = s.changeOf(m, j)
	if kept := d.lastShown(m.Digest()); d.Edited == nil && !m.open() && kept != nil {
		d.Change, d.ChangeKept = kept, true
	}
	if d.Edited != nil {
		d.ChangeKept = !m.open() && m.Answer().Change != nil
		d.Change, d.EditedChange = clerk.Wanted(m.Call, clerk.Bygone), d.Change
	}
	if d.Questions, err = clerk.Questions(m.Call); err != nil {
		d.Problem = policy.WellFormed(err.Error())
	}
	d.Context = s.context(m.Call)
	if m.answerable() && m.Asker() == "" && s.here() {
		d.Doubt = d.Context.doubt(j)
	}
	d.Consequences = consequencesOf(j, s.venueOf(m), d.Rules, d.Places)
	akin, err := s.akin(ctx, *m.Ticket)
	if err != nil {
		return nil, err
	}
	d.Earlier = earlierOf(akin)
	d.Deniable = clerk.ToDeny.Fits(m.Matter)
	if m.answerable() {
		d.Fixed = policy.WellFormed(m.fixed(j, d.Questions))
		d.Editable = d.Problem == "" && d.Fixed == ""
		d.Confirm = confirmationOf(j, m.Ticket.Risk)
	}
	if err := s.addSuggestion(ctx, d, m, j, akin); err != nil {
		return nil, err
	}
	if a := m.Ticket.Answer; a == nil || visitorIn(ctx).gave(a) {
		d.Undo = s.undoable(m.Ticket)
	}
	d.Rule = s.later.viewOf(m.Ticket)
	return d, s.addTerms(ctx, d, m, j)
}

// lastShown is what the last person was shown who has approved the call as it is; nil when nobody has.
func (d *detailView) lastShown(digest string) *clerk.FileChange {
	for _, e := range slices.Backward(d.History) {
		if e.Change != nil && e.Digest == digest {
			return e.Change
		}
	}
	return nil
}

// addPlaces says where the call leads: now, or where it led when somebody has approved it.
func (d *detailView) addPlaces(m matter, j judged) {
	reach := m.ReachOf(j.judgement, d.Edited != nil)
	if d.Places = legiblePlaces(reach.Places); m.answerable() {
		if moved := m.MovedSince(nil, reach); moved != nil {
			d.Moved = policy.WellFormed(moved.Error())
		}
		return
	}
	if a := m.Answer(); a != nil && a.Behavior == permission.Allow {
		d.Places = legiblePlaces(a.Places)
	}
}

func (d *detailView) addJudgement(j judged, asker string) {
	if j.judgement == nil {
		d.Unjudged = policy.WellFormed(j.problem.Error())
		return
	}
	x := clerk.Explained(j.judgement, asker)
	d.Rules = &x
}

// legible is an input as JSON can hold it.
func legible(input strictjson.Raw) strictjson.Raw {
	if strictjson.Valid(input) == nil {
		return input
	}
	text, _ := strictjson.Marshal(policy.WellFormed(string(input))) // any text can be written
	return text
}

// eventsOf is what has happened to a ticket.
func (s *Server) eventsOf(ctx context.Context, id string) ([]clerk.EventView, error) {
	events, err := s.Tickets.History(ctx, id)
	all := make([]clerk.EventView, 0, len(events))
	for _, e := range events {
		all = append(all, clerk.EventView{At: e.At, From: string(e.From), To: string(e.To), Who: policy.WellFormed(e.Who), Note: policy.WellFormed(e.Note), Kind: e.Kind, Change: e.Change, Digest: e.Digest})
	}
	return all, err
}

// matter is a ticket with what its session says about it.
type matter struct{ clerk.Matter }

// matter finds a ticket.
func (s *Server) matter(ctx context.Context, id string) (matter, error) {
	t, err := s.Tickets.Find(ctx, id)
	damaged, bad := errors.AsType[*approval.Damaged](err)
	if err != nil && !bad {
		return matter{}, err
	}
	if bad {
		t = damaged.Ticket
	}
	m := matter{clerk.Matter{Call: t.Call, Why: t.Why, Since: t.Created, Until: t.Expires, Outcome: t.Outcome.String(), Ticket: &t, Standing: clerk.Over}}
	err = s.ask(ctx, func(c *clerk.Clerk) error {
		seen, err := c.Inspect(ctx, clerk.Target{Session: t.Session, Ticket: &t})
		if err == nil && len(seen.Matters) == 1 {
			m.Matter = seen.Matters[0]
		}
		return err
	})
	if bad {
		m.Problem = damaged.Error()
	}
	return m, err
}

// fixed is why a call cannot be approved with another input; empty when it can.
func (m matter) fixed(j judged, questions []clerk.Question) string {
	if away := j.away(); away != nil && len(questions) == 0 {
		return away.Fixed()
	}
	if m.Asker() != "" && errors.Is(j.problem, permission.ErrNoSuchTool) {
		return clerk.Unjudged(m.Call.Tool)
	}
	return m.Fixed()
}

// answerable: somebody can still let it run.
func (m matter) answerable() bool { return clerk.ToApprove.Fits(m.Matter) }

// open: somebody has to look at it as it would run now, or may have run.
func (m matter) open() bool { return m.answerable() || m.Standing == clerk.Unknown }

// ask opens the people's side of the tickets for one errand.
func (s *Server) ask(ctx context.Context, errand func(*clerk.Clerk) error) error {
	c, err := clerk.Among(ctx, s.Dir, s.Sessions, s.Tickets)
	if err != nil {
		return err
	}
	defer c.Close()
	c.Checker = s.checker
	return errand(c)
}
