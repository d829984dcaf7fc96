package policy

import "github.com/assent-dev/assent/permission"

// ApprovalsView is what has to be so before a person's yes to a call counts, when it waits for one.
type ApprovalsView struct {
	// Risk is the one of the call, by which that is asked for.
	Risk      string `json:"risk"`
	Approvers int    `json:"approvers"`
	// Reason: whoever says yes has to say why. NotRequester: whoever wanted the call cannot.
	Reason       bool `json:"reason,omitzero"`
	NotRequester bool `json:"not_requester,omitzero"`
	// Expires is how long it waits at most, like "4h0m0s"; empty when nobody limits it.
	Expires string `json:"expires,omitempty"`
	// Escalate is who is told when nobody has answered for some time.
	Escalate []EscalationView `json:"escalate,omitempty"`
}

// EscalationView is that others are told of a call that still waits.
type EscalationView struct {
	After  string   `json:"after"`
	Notify []string `json:"notify"`
}

// approvalsView is what settings ask for of a yes to the call; nil when they ask for nothing, or when no
// person is asked.
func (j *Judgement) approvalsView() *ApprovalsView {
	if j.env.approvals == nil || j.Decision.Behavior != permission.Ask {
		return nil
	}
	risk := permission.RiskOf(j.Call, j.Decision)
	terms, expires := j.env.approvals(risk)
	if terms.IsZero() && expires == 0 {
		return nil
	}
	v := &ApprovalsView{Risk: risk.String(), Approvers: terms.Need(), Reason: terms.Reason, NotRequester: terms.NotRequester}
	if expires > 0 {
		v.Expires = expires.String()
	}
	for _, e := range terms.Escalate {
		v.Escalate = append(v.Escalate, EscalationView{e.After.String(), allWellFormed(e.Notify)})
	}
	return v
}
