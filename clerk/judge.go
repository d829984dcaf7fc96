package clerk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// errNoChecker keeps a program that has forgotten the rules from approving anything.
var errNoChecker = errors.New("the rules cannot be asked: this program knows none (set Clerk.Checker)")

// checker is the rules of today, in the directory where a call would run.
func (c *Clerk) checker(call approval.Call) (*policy.Checker, error) {
	if away := Missing(call.Cwd); away != nil {
		return nil, &Error{Said: away.Error(), Way: MoveSession, ID: call.Session, Err: away}
	}
	if c.Checker == nil {
		return nil, errNoChecker
	}
	return c.Checker(call.Cwd)
}

// judge asks the rules of today about a call. What the command line of the session's agent
// has added is not known here; the agent judges the call again with it before it runs.
func (c *Clerk) judge(call approval.Call, mode string) (*policy.Judgement, error) {
	checker, err := c.checker(call)
	if err != nil {
		return nil, err
	}
	return c.ask(checker, call, mode)
}

func (c *Clerk) ask(checker *policy.Checker, call approval.Call, mode string) (*policy.Judgement, error) {
	j, err := checker.Judge(queryOf(call, mode))
	if away := Closed(call.Cwd, err); away != nil && !RunsHere(c.store) {
		return nil, away
	}
	return j, err
}

func queryOf(call approval.Call, mode string) policy.Query {
	q := policy.Query{Tool: call.Tool, Input: call.Input}
	if m, err := permission.ParseMode(mode); err == nil && m != permission.BypassPermissions { // which is never restored
		q.Mode = m
	}
	return q
}

// permitted asks the rules of today. What they deny cannot be approved, and what does not
// fit the tool could not run. A nil input means the one that waits.
func (c *Clerk) permitted(m Matter, input strictjson.Raw) (now look, err error) {
	call := m.Call
	if input != nil {
		call.Input = input
	}
	var j *policy.Judgement
	checker, err := c.checker(call)
	if err == nil {
		j, err = c.ask(checker, call, m.Mode)
	}
	if away, ok := errors.AsType[*Away](err); ok && !RunsHere(c.store) {
		return c.unseen(m, call, away)
	}
	switch {
	case errors.Is(err, permission.ErrNoSuchTool) && known(checker, call.Tool):
		return now, &Error{Kind: Refused, Said: fmt.Sprintf("%s was not approved: a rule takes the tool %s away", m.Name(), call.Tool), Way: SeeRules}
	case errors.Is(err, permission.ErrNoSuchTool) && input == nil: // a tool of the agent's own; it knows whether there is one
		now = look{Reach: m.ReachOf(nil, false), risk: m.Risk(), call: call}
		now.terms, err = checker.Approvals(queryOf(call, m.Mode), now.risk)
		return now, err
	case errors.Is(err, permission.ErrNoSuchTool) && m.Asker() != "":
		return now, &Error{Kind: Invalid, Said: Unjudged(call.Tool) + ": approve it as it is, or deny it with a reason"}
	case err != nil:
		return now, err
	case j.Call == nil && input != nil:
		return now, &Error{Kind: Invalid, Subject: TheInput, Said: fmt.Sprintf(" does not fit the tool %s: %s", call.Tool, j.Reply().Reason)}
	}
	if rule := denied(j); rule != "" {
		return now, &Error{Kind: Refused, Said: fmt.Sprintf("%s was not approved: the rule %s denies it", m.Name(), rule)}
	}
	now = look{Reach: m.ReachOf(j, input != nil), risk: max(m.Risk(), permission.RiskOf(j.Call, j.Decision)), call: call, judgement: j}
	now.terms = j.Approvals(now.risk)
	return now, nil
}

// unseen is a look at a call whose directory is not here. Whoever runs it has the directory, and
// asks the rules there once more: what was found when it was parked holds until then. That has
// nothing to say about another input, but for the answers to questions. What this machine's own
// settings want of a yes it needs as well.
func (c *Clerk) unseen(m Matter, call approval.Call, away *Away) (look, error) {
	if call.Tool != asksPeople && !bytes.Equal(call.Input, m.Call.Input) {
		return look{}, &Error{Kind: Refused, Said: fmt.Sprintf("%s was not approved: %s (approve it as it is, or deny it with a reason)", m.Name(), away.Fixed()), Err: away}
	}
	if c.Checker == nil {
		return look{}, errNoChecker
	}
	now := look{Reach: m.ReachOf(nil, false), risk: m.Risk(), call: call}
	own, err := c.Checker(c.dir)
	if err == nil {
		now.terms, err = own.Approvals(queryOf(call, m.Mode), now.risk)
	}
	return now, err
}

// known: there is such a tool, whatever the rules say.
func known(checker *policy.Checker, tool string) bool {
	_, ok := checker.Tools.Lookup(tool)
	return ok && utf8.ValidString(tool)
}

// denied is where the rule stands that denies a call, whatever a person says; empty when
// none does.
func denied(j *policy.Judgement) string {
	if j.Decision.Behavior != permission.Deny || j.Decision.Reason.Kind != permission.ByRule {
		return ""
	}
	r := j.Reply()
	if r.RuleSource == nil {
		return r.Rule
	}
	where := policy.RuleRef{Source: r.RuleSource.Source, File: r.RuleSource.File, Line: r.RuleSource.Line}
	return fmt.Sprintf("%s (%s)", r.Rule, where.Place())
}

// obstacle is what the rules of today have against a call that would run because nobody
// has answered in time: that stands in for a hook, and for no person.
func (c *Clerk) obstacle(m Matter) Obstacle {
	j, err := c.judge(m.Call, m.Mode)
	if err != nil {
		return NoObstacle
	}
	asks := j.Decision.Reason.Kind == permission.ByRule || j.Decision.Reason.Kind == permission.ByMaybeRule
	switch {
	case j.Decision.Behavior == permission.Deny:
		return IsDenied
	case j.Decision.NeedsPerson, j.Decision.Behavior == permission.Ask && asks:
		return NeedsPerson
	}
	return NoObstacle
}

// absent: there is nothing of that name.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
