package inbox

import (
	"time"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/policy"
)

// item is a ticket in a list. What a model or a file has said in it stands in the sentence
// only, with secrets masked.
type item struct {
	ID       string `json:"id"`
	State    string `json:"state"`
	Tool     string `json:"tool"`
	Sentence string `json:"sentence"`
	Risk     string `json:"risk"`
	Session  string `json:"session"`
	Cwd      string `json:"cwd"`
	// Asker is the agent of somebody else that waits for the answer.
	Asker   string    `json:"asker,omitempty"`
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expires,omitzero"`
	// Outcome is what holds when its time is over.
	Outcome string    `json:"outcome,omitempty"`
	Digest  string    `json:"digest"`
	Kin     string    `json:"kin,omitempty"`
	Answer  *decision `json:"answer,omitempty"`
}

// decision is what somebody has said.
type decision struct {
	Decision string    `json:"decision"`
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Reason   string    `json:"reason,omitempty"`
}

func itemOf(t approval.Ticket) item {
	i := item{
		ID: t.ID, State: string(t.State), Tool: policy.WellFormed(t.Tool), Sentence: Sentence(t.Call), Risk: t.Risk.String(),
		Session: t.Session, Cwd: policy.WellFormed(t.Cwd), Asker: policy.WellFormed(t.Asker), Since: t.Created, Expires: t.Expires,
		Digest: t.Digest, Kin: mask(policy.WellFormed(t.Kin)), Answer: decisionOf(t.Answer),
	}
	if !t.Expires.IsZero() {
		i.Outcome = t.Outcome.String()
	}
	return i
}

func decisionOf(a *approval.Answer) *decision {
	if a == nil {
		return nil
	}
	return &decision{a.Behavior.String(), policy.WellFormed(a.By), a.At, policy.WellFormed(a.Message)}
}

func itemsOf(tickets []approval.Ticket) []item {
	all := make([]item, 0, len(tickets))
	for _, t := range tickets {
		all = append(all, itemOf(t))
	}
	return all
}
