package inbox

import (
	"context"
	"slices"
	"sync"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// ruleChoice is the rule that a person wants to be added with a yes.
type ruleChoice struct {
	Index int    `json:"index"`
	Scope string `json:"scope"`
	// Rules are those that the person was shown; others are not added. None means that it
	// does not matter.
	Rules []string `json:"rules,omitempty"`
}

// ruleView is what became of it.
type ruleView struct {
	Rules []string `json:"rules"`
	Scope string   `json:"scope"`
	File  string   `json:"file,omitempty"`
	// Problem is why it was not added. The call is approved all the same.
	Problem string `json:"problem,omitempty"`
}

var scopes = map[string]rule.Source{
	"session": rule.Session, "local": rule.LocalSettings, "project": rule.ProjectSettings, "user": rule.UserSettings,
}

func scopeOf(source rule.Source) string {
	for name, s := range scopes {
		if s == source {
			return name
		}
	}
	return source.String()
}

// scopesOf are the places where an update can stand. A mode is for a session only: nobody
// means to let every later session edit files.
func scopesOf(u permission.Update) []string {
	if u.Type == permission.AddRules {
		return []string{"session", "local", "project", "user"}
	}
	return []string{"session"}
}

// choose is the update that a person wants, at the place where they want it.
func (c *ruleChoice) choose(j judged) (permission.Update, error) {
	if j.judgement == nil {
		return permission.Update{}, j.problem
	}
	updates := j.judgement.Reply().Suggestions
	if c.Index < 0 || c.Index >= len(updates) {
		return permission.Update{}, invalid("rule: there is no suggestion of that number (look at the call again)")
	}
	u := updates[c.Index]
	if c.Rules != nil && !slices.Equal(c.Rules, u.Rules) {
		return u, &Fault{Status: 409, Code: Changed, Message: "rule: another rule would be added than the one that was shown (look at the call again)"}
	}
	if !slices.Contains(scopesOf(u), c.Scope) {
		return u, invalid("rule: scope: want one of %v", scopesOf(u))
	}
	u.Destination = scopes[c.Scope]
	return u, nil
}

// add makes an update hold from now on.
func (s *Server) add(ctx context.Context, t approval.Ticket, u permission.Update) *ruleView {
	v := &ruleView{Rules: append([]string{}, u.Rules...), Scope: scopeOf(u.Destination)}
	if u.Destination == rule.Session {
		s.added.add(t.Session, u)
		return v
	}
	checker, err := s.checker(t.Cwd)
	if err == nil {
		v.File = fileOf(u.Destination, checker.Settings)
		err = write(ctx, checker.Settings, u)
	}
	if err != nil {
		v.Problem = policy.WellFormed(err.Error())
	}
	return v
}

// write puts an update into the settings file that it is for.
func write(ctx context.Context, o settings.Options, u permission.Update) error {
	w := settings.NewWriter(o)
	err := w.Queue(u)
	if closed := w.Close(ctx); err == nil {
		err = closed
	}
	return err
}

// sessionRules are rules that people have added for as long as a session lasts, and at most
// as long as this process: nothing on disk proves that a person has agreed to them.
type sessionRules struct {
	mu  sync.Mutex
	all map[string][]permission.Update
}

func (r *sessionRules) add(session string, u permission.Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[string][]permission.Update{}
	}
	r.all[session] = append(r.all[session], u)
}

// of are the rules of a session.
func (r *sessionRules) of(session string) []permission.Update {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all[session])
}
