package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// judge asks the rules of today about a call, in the directory where it would run. What
// the command line of the session's agent has added is not known here; the agent judges
// the call again with it before it runs.
func (d *clerk) judge(call approval.Call, mode string) (*policy.Judgement, error) {
	if absent(call.Cwd) {
		return nil, fmt.Errorf("the directory %s does not exist here (make it, or bind the session to another one with `assent sessions export` and `assent sessions import --cwd DIR`)", call.Cwd)
	}
	checker, err := d.checker(&policyFlags{cwd: call.Cwd, sources: strings.Join(sourceNames, ",")})
	if err != nil {
		return nil, err
	}
	if d.given != "" {
		checker.Settings.StateDir = d.dir
	}
	q := policy.Query{Tool: call.Tool, Input: call.Input}
	if m, err := permission.ParseMode(mode); err == nil && m != permission.BypassPermissions { // which is never restored
		q.Mode = m
	}
	return checker.Judge(q)
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
func (d *clerk) obstacle(m matter) obstacle {
	j, err := d.judge(m.call, m.mode)
	if err != nil {
		return noObstacle
	}
	asks := j.Decision.Reason.Kind == permission.ByRule || j.Decision.Reason.Kind == permission.ByMaybeRule
	switch {
	case j.Decision.Behavior == permission.Deny:
		return isDenied
	case j.Decision.NeedsPerson, j.Decision.Behavior == permission.Ask && asks:
		return needsPerson
	}
	return noObstacle
}

// absent: there is nothing of that name.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
