package inbox

import (
	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/policy"
)

// item is a ticket in a list, and decision what somebody has said: the server writes what the
// client reads.
type (
	item     = client.Item
	decision = client.Decision
)

// ItemOf is a ticket as lists show it.
func ItemOf(t approval.Ticket) client.Item { return itemOf(t) }

func itemOf(t approval.Ticket) item { return itemSaying(t, sayingOfTicket(t)) }

func itemSaying(t approval.Ticket, said saying) item {
	i := item{
		ID: t.ID, State: string(t.State), Tool: policy.WellFormed(t.Tool), Sentence: said.text, Shown: said.shown, Risk: t.Risk.String(),
		Session: t.Session, Cwd: policy.WellFormed(t.Cwd), Asker: policy.WellFormed(t.Asker), Since: t.Created, Expires: t.Expires,
		Places: t.Places, Digest: t.Digest, Kin: mask(policy.WellFormed(t.Kin)), Answer: decisionOf(t.Answer),
	}
	if t.State == approval.Pending {
		i.Requester, i.Terms = policy.WellFormed(t.Requester), termsOf(t.Terms)
	}
	if a := t.Answer; a != nil && a.Input != nil && t.Tool != "AskUserQuestion" { // answers to questions are no edit
		edited := t.Call
		edited.Input = a.Input
		i.EditedSentence = sentences.of(edited)
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
	return &decision{Decision: a.Behavior.String(), By: policy.WellFormed(a.By), At: a.At, Reason: policy.WellFormed(a.Message)}
}
