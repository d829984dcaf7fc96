package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/assent-dev/assent/hook"
)

// account is what the hooks know about a customer in a session.
type account struct {
	Limit int64 `json:"limit"`
	// Refunds are those that were let through, in cents, by the id of the call: a call that
	// is looked at twice counts once.
	Refunds map[string]int64 `json:"refunds"`
}

// key is where the account of a customer is kept. One key for all would give everybody the
// limit of whoever was looked up last.
func key(customer string) string { return "account/" + customer }

// rememberLimit keeps what get_customer has answered. If it fails nothing is kept, and
// without an account there is no refund.
func rememberLimit(_ context.Context, in hook.PostToolUseInput, call hook.Invocation) (hook.Output, error) {
	var blocks []struct { // a tool of a server answers with blocks, here one with a text
		Text string `json:"text"`
	}
	if err := in.ToolResponse.Decode(&blocks); err != nil || len(blocks) != 1 {
		return hook.Output{}, errors.Join(errors.New("that is not what get_customer answers"), err)
	}
	var found customer
	if err := json.Unmarshal([]byte(blocks[0].Text), &found); err != nil {
		return hook.Output{}, err
	}
	return hook.Output{}, change(call.State, found.ID, func(a *account) error {
		a.Limit = found.RefundLimit
		return nil
	})
}

// limitRefund denies refunds that are more, in one session and all together, than the
// customer may get. What it returns in error denies the call, too, as a broken hook.
func limitRefund(_ context.Context, in hook.PreToolUseInput, call hook.Invocation) (hook.Output, error) {
	var wanted refund
	if err := in.ToolInput.Decode(&wanted); err != nil {
		return hook.Output{}, err
	}
	var objection *objection
	err := change(call.State, wanted.CustomerID, func(a *account) error { return a.take(in.ToolUseID, wanted.Cents) })
	if errors.As(err, &objection) {
		return hook.Deny("Refund denied: " + objection.why + ". Use escalate_to_human for what is beyond that."), nil
	}
	return hook.Output{}, err // no opinion if there is no error: the rules decide
}

// objection is a reason that the model is told.
type objection struct{ why string }

func (o *objection) Error() string { return o.why }

// take counts a refund in, unless it is too much.
func (a *account) take(call string, cents int64) error {
	sum := int64(0)
	for id, paid := range a.Refunds {
		if id != call {
			sum += paid
		}
	}
	switch {
	case a.Limit == 0:
		return &objection{"nobody has looked the customer up in this session (get_customer does)"}
	case cents <= 0:
		return &objection{"the amount is not one that can be paid"}
	case cents > a.Limit-sum:
		return &objection{fmt.Sprintf("the customer may get %s, and %s of that is paid", dollars(a.Limit), dollars(sum))}
	}
	if a.Refunds == nil {
		a.Refunds = map[string]int64{}
	}
	a.Refunds[call] = cents
	return nil
}

// change changes the account of a customer in one step: of two refunds at the same moment
// the second sees the first.
func change(state hook.State, customer string, do func(*account) error) error {
	return state.Update(func(values hook.Values) error {
		var a account
		if text := values[key(customer)]; text != nil {
			if err := json.Unmarshal(text, &a); err != nil {
				return err
			}
		}
		if err := do(&a); err != nil {
			return err
		}
		text, err := json.Marshal(a)
		values[key(customer)] = text
		return err
	})
}
