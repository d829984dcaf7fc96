package client

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Query says which tickets are wanted.
type Query struct {
	// States are some of unknown, pending, approved, denied, expired and running; none
	// means all of them.
	States []string
	// After is the Next of the last answer, Limit how many; zero means as many as the
	// server finds good.
	After string
	Limit int
}

// Yes lets a call run.
type Yes struct {
	// Digest is that of the call that the person was shown.
	Digest string `json:"digest"`
	// Places are the files that the person was shown, as [Detail] has them; nil means those with
	// which the call was parked. A call that leads elsewhere by now is not approved.
	Places []string `json:"places,omitempty"`
	// Change is the digest of the [Change] that the person was shown: if the file is another one by now
	// the call is not approved. Empty means that it does not matter.
	Change string `json:"change,omitempty"`
	// Input runs in place of the one that waits; nil means that one.
	Input strictjson.Raw `json:"input,omitempty"`
	// Answers are those to questions, each QUESTION=ANSWER.
	Answers []string `json:"answers,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	// Confirm is the word of a [Confirmation].
	Confirm string `json:"confirm,omitempty"`
}

// No refuses a call; the model is told the reason.
type No struct {
	Digest string `json:"digest"`
	Reason string `json:"reason"`
}

// Finding is what became of a call whose outcome is unknown.
type Finding struct {
	Ran  bool   `json:"ran"`
	Note string `json:"note,omitempty"`
}

// List is what waits.
func (c *Client) List(ctx context.Context, q Query) (List, error) {
	values := url.Values{}
	if len(q.States) > 0 {
		values.Set("state", strings.Join(q.States, ","))
	}
	if q.After != "" {
		values.Set("after", q.After)
	}
	if q.Limit > 0 {
		values.Set("limit", strconv.Itoa(q.Limit))
	}
	var list List
	return list, c.do(ctx, "GET", "/api/v1/tickets", values, nil, &list)
}

// Detail is one call.
func (c *Client) Detail(ctx context.Context, id string) (Detail, error) {
	return c.ticket(ctx, "GET", id, "", nil)
}

// Approve lets a call run, and returns it as it stands then.
func (c *Client) Approve(ctx context.Context, id string, yes Yes) (Detail, error) {
	return c.ticket(ctx, "POST", id, "/approve", yes)
}

// Deny refuses a call.
func (c *Client) Deny(ctx context.Context, id string, no No) (Detail, error) {
	return c.ticket(ctx, "POST", id, "/deny", no)
}

// Resolve says what became of a call whose outcome is unknown.
func (c *Client) Resolve(ctx context.Context, id string, f Finding) (Detail, error) {
	return c.ticket(ctx, "POST", id, "/resolve", f)
}

// Comment says something about a call, which changes nothing else.
func (c *Client) Comment(ctx context.Context, id, text string) (Detail, error) {
	return c.ticket(ctx, "POST", id, "/comment", struct {
		Text string `json:"text"`
	}{text})
}

// Me is who asks, and what that person may do.
func (c *Client) Me(ctx context.Context) (Me, error) {
	var me Me
	return me, c.do(ctx, "GET", "/api/v1/me", nil, nil, &me)
}

// Session is how a session stands.
func (c *Client) Session(ctx context.Context, id string) (Session, error) {
	var s Session
	if !plain(id) {
		return s, unnamed()
	}
	return s, c.do(ctx, "GET", "/api/v1/sessions/"+id, nil, nil, &s)
}

func (c *Client) ticket(ctx context.Context, method, id, what string, body any) (Detail, error) {
	var d Detail
	if !plain(id) {
		return d, unnamed()
	}
	return d, c.do(ctx, method, "/api/v1/tickets/"+id+what, nil, body, &d)
}

// plain: the name cannot mean another path.
func plain(id string) bool {
	return id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func unnamed() error {
	return &Error{Status: 404, Code: NotFound, Message: "there is nothing of that name (the list shows what there is)"}
}
