package inbox

import (
	"context"
	"net/http"

	"github.com/assent-dev/assent/permission"
)

// batchBody is a yes to several calls, each of which the person has selected.
type batchBody struct {
	Approve []selected `json:"approve"`
	Reason  string     `json:"reason,omitempty"`
}

type selected struct {
	ID     string `json:"id"`
	Digest string `json:"digest"`
	// Places are the files that the person was shown; see [approveBody].
	Places []string `json:"places,omitempty"`
}

type batchView struct {
	Results []resultView `json:"results"`
}

type resultView struct {
	ID    string     `json:"id"`
	OK    bool       `json:"ok"`
	Error *faultView `json:"error,omitempty"`
}

// maxBatch is how many calls can be approved at once.
const maxBatch = 50

// batch approves calls of one sort, none of which is of high risk, and each of which is
// shown in full by its sentence: whoever approves several reads no more than that. If one of
// them may not be among them, none is approved.
func (s *Server) batch(r *http.Request) (any, error) {
	var body batchBody
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if len(body.Reason) > maxReason {
		return nil, invalid("reason: at most %d bytes", maxReason)
	}
	if n := len(body.Approve); n == 0 || n > maxBatch {
		return nil, invalid("approve: want 1 to %d calls", maxBatch)
	}
	all := make([]*yes, 0, len(body.Approve))
	seen := map[string]bool{}
	for _, one := range body.Approve {
		y, err := s.selected(r.Context(), one, body.Reason)
		if err != nil {
			return nil, err
		}
		if seen[one.ID] {
			return nil, invalid("approve: %s is there twice", one.ID)
		}
		seen[one.ID] = true
		all = append(all, y)
		if kin := y.Ticket.Kin; kin == "" || kin != all[0].Ticket.Kin {
			return nil, invalid("approve: only calls of one sort can be approved at once")
		}
	}
	view := batchView{Results: []resultView{}}
	for _, y := range all {
		result := resultView{ID: y.Ticket.ID, OK: true}
		if _, err := s.say(r.Context(), y); err != nil {
			f := faultOf(err).body().Error
			result.OK, result.Error = false, &f
		}
		view.Results = append(view.Results, result)
	}
	return view, nil
}

// selected is one call of a batch, if it may be in one.
func (s *Server) selected(ctx context.Context, one selected, reason string) (*yes, error) {
	if !ticketID().MatchString(one.ID) {
		return nil, nothing()
	}
	if one.Digest == "" {
		return nil, noDigest()
	}
	m, err := s.matter(ctx, one.ID)
	if err != nil {
		return nil, err
	}
	found := s.judge(m.Call, m.Mode)
	if found.risk(m.Ticket.Risk) == permission.HighRisk {
		return nil, &Fault{Status: http.StatusForbidden, Code: HighRisk, Message: "the risk of " + one.ID + " is high: it has to be approved by itself, and nothing was approved"}
	}
	if why := WhyAlone(ShownBy(m.Call, m.ReachOf(found.judgement, false).Places)); why != "" {
		return nil, invalid("approve: %s cannot be approved together with others, because %s: open it first and approve it by itself; nothing was approved", one.ID, why)
	}
	if m.Unheard != "" {
		return nil, invalid("approve: %s cannot be approved together with others: %s: open it first and approve it by itself; nothing was approved", one.ID, m.Unheard)
	}
	terms, err := s.termsFor(m.Ticket, found)
	if err != nil {
		return nil, err
	}
	if terms.Personal() {
		return nil, forbidden(http.StatusForbidden, one.ID+" has to be approved by certain people, each for himself: open it and approve it by itself; nothing was approved")
	}
	return &yes{matter: m, body: approveBody{Digest: one.Digest, Places: one.Places, Reason: reason}, judged: &found}, nil
}
