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
	// Rules, Directories and Mode are those that the person was shown; others are not added.
	// None means that it does not matter.
	Rules       []string `json:"rules,omitempty"`
	Directories []string `json:"directories,omitempty"`
	Mode        string   `json:"mode,omitempty"`
}

// ruleView is what became of it.
type ruleView struct {
	Rules []string  `json:"rules"`
	Scope string    `json:"scope"`
	File  string    `json:"file,omitempty"`
	State ruleState `json:"state"`
	// Problem is why it was not added, or does nothing. The call is approved all the same.
	Problem string `json:"problem,omitempty"`
}

// ruleState is what has become of a rule that a person wanted.
type ruleState string

const (
	// ruleAdded: it stands where it was to stand.
	ruleAdded ruleState = "added"
	// ruleWaits: it is added when the answer cannot be taken back any more.
	ruleWaits ruleState = "waits"
	// ruleTakenBack: it was taken back with the answer, or has lapsed with it, before it stood
	// anywhere.
	ruleTakenBack ruleState = "taken_back"
	// ruleDropped: somebody has said something else about the call, before it stood anywhere.
	ruleDropped ruleState = "dropped"
	// ruleFailed: it could not be added.
	ruleFailed ruleState = "failed"
)

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

// spot is where an update can stand for somebody.
type spot struct {
	scope string
	// file is the one that is written, links followed; empty for the session. held is why the update would
	// do nothing there.
	file, held string
}

// placesOf are the places where an update can stand for somebody, the narrowest first. What holds in every
// project of the account as whom this server runs only an admin adds; a file of the workspace which is that
// account's is no place of its own. A mode is for a session only: nobody
// means to let every later session edit files. Rules for a session are known to this server, so they are for
// those that go on here, and not for one of another agent. What runs elsewhere does not read the settings of
// this server's own user.
func (j judged) placesOf(v *visitor, u permission.Update, t approval.Ticket) []spot {
	var all []spot
	if t.Asker == "" && j.goesOn {
		all = append(all, spot{scope: "session"})
	}
	if u.Type != permission.AddRules {
		return all
	}
	for _, scope := range []string{"local", "project", "user"} {
		if found, err := j.placeFor(v, scope); err == nil {
			all = append(all, spot{scope, policy.WellFormed(found.File), heldBack(found.Source, j.settings)})
		}
	}
	return all
}

// placeFor is the place of a scope that is in a file, or why somebody adds no rule there.
func (j judged) placeFor(v *visitor, scope string) (settings.Place, error) {
	found, err := j.settings.Place(scopes[scope])
	switch {
	case err != nil:
		return found, invalid("rule: scope: %s", policy.WellFormed(err.Error()))
	case found.Source == rule.UserSettings && j.elsewhere:
		return found, invalid("rule: scope: %s", notEverywhere)
	case found.Source == rule.UserSettings && !v.role.Manage():
		return found, mayNot(notByRole)
	case found.Source != scopes[scope]:
		return found, invalid("rule: scope: %s is the file of the account as whom this server runs, which counts in every project (choose user)", policy.WellFormed(found.File))
	}
	return found, nil
}

func scopesOf(all []spot) []string {
	names := make([]string, 0, len(all))
	for _, p := range all {
		names = append(names, p.scope)
	}
	return names
}

// notByRole is why somebody who is no admin adds no rule for all projects of an account.
const notByRole = "rule: scope: only an admin adds a rule that holds in every project of the account as whom this server runs (choose the project, or ask an admin)"

// notEverywhere is why no rule of a call that runs elsewhere is kept for all projects of a person.
const notEverywhere = "the sessions lie in a database and run elsewhere, where nobody reads the settings of this server's user: " +
	"add the rule to ~/.claude/settings.json of the user as whom the workers run, or choose the project"

// offered are the changes of the rules that somebody can choose.
func offered(v *visitor, j judged, t approval.Ticket) []permission.Update {
	if j.judgement == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(j.judgement.Reply().Suggestions), func(u permission.Update) bool { return len(j.placesOf(v, u, t)) == 0 })
}

// choose is the update that a person wants, at the place where they want it.
func (c *ruleChoice) choose(v *visitor, j judged, t approval.Ticket) (permission.Update, error) {
	if away := j.away(); away != nil {
		return permission.Update{}, invalid("rule: %v, so no rule can be added (approve the call without one, and add the rule to the settings on the machine that has it)", away)
	}
	if j.judgement == nil {
		return permission.Update{}, j.problem
	}
	updates := offered(v, j, t)
	if c.Index < 0 || c.Index >= len(updates) {
		return permission.Update{}, invalid("rule: there is no suggestion of that number (look at the call again)")
	}
	u := updates[c.Index]
	if !c.means(u) {
		return u, &Fault{Status: 409, Code: Changed, Message: "rule: another rule would be added than the one that was shown (look at the call again)"}
	}
	all := scopesOf(j.placesOf(v, u, t))
	if slices.Contains(all, c.Scope) {
		u.Destination = scopes[c.Scope]
		return u, nil
	}
	if source, known := scopes[c.Scope]; known && source != rule.Session {
		if _, err := j.placeFor(v, c.Scope); err != nil {
			return u, err
		}
	}
	return u, invalid("rule: scope: want one of %v", all)
}

// means: the update is the one that the person was shown.
func (c *ruleChoice) means(u permission.Update) bool {
	differs := func(shown, now []string) bool { return shown != nil && !slices.Equal(shown, now) }
	return !differs(c.Rules, u.Rules) && !differs(c.Directories, u.Directories) && (c.Mode == "" || u.Mode != 0 && c.Mode == u.Mode.String())
}

// add makes an update hold from now on.
func (s *Server) add(ctx context.Context, t approval.Ticket, u permission.Update) *ruleView {
	v := &ruleView{Rules: append([]string{}, u.Rules...), Scope: scopeOf(u.Destination), State: ruleAdded}
	if u.Destination == rule.Session {
		s.added.add(t.Session, u, t.Answer.Vote())
		return v
	}
	checker, err := s.checker(t.Cwd)
	if err == nil {
		v.File = fileOf(u.Destination, checker.Settings)
		err = write(ctx, checker.Settings, u)
	}
	if err != nil {
		v.State, v.Problem = ruleFailed, policy.WellFormed(err.Error())
	}
	return v
}

// inert is why a rule would do nothing for the call with which it is added; empty when it
// lets such a call run.
func (s *Server) inert(j judged, u permission.Update) string {
	checker, err := s.checker(j.call.Cwd)
	if err != nil {
		return ""
	}
	if why := heldBack(u.Destination, checker.Settings); why != "" {
		return why
	}
	with, err := trial(checker, []permission.Update{u})
	if err != nil {
		return policy.WellFormed(err.Error())
	}
	if reason := with.objection(j.call, query(j.call, j.mode).Mode); reason != "" {
		return "such a call is asked about all the same: " + reason
	}
	return ""
}

// heldBack is why a rule at a place does nothing: the files of a workspace that nobody has
// trusted allow nothing. It is empty where that is not so.
func heldBack(place rule.Source, o settings.Options) string {
	if place != rule.LocalSettings && place != rule.ProjectSettings {
		return ""
	}
	loaded, err := settings.Load(o)
	if err != nil || loaded.TrustState().Status == settings.Trusted {
		return ""
	}
	return "nobody has trusted this workspace, so what its files allow is held back (run `assent trust` in " + policy.WellFormed(o.Dir) + " if you trust it)"
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
// as long as this process: nothing on disk proves that a person has agreed to them. Each holds as long
// as whoever has added it may answer.
type sessionRules struct {
	// settle adds what has become due; nil means that nothing does.
	settle func()
	// vouched refuses the rule of somebody who may not answer any more; nil means that all may.
	vouched func(context.Context, approval.Vote) error

	mu  sync.Mutex
	all map[string][]sessionRule
}

// sessionRule is a rule and the yes with which it came.
type sessionRule struct {
	permission.Update
	yes approval.Vote
}

func (r *sessionRules) add(session string, u permission.Update, yes approval.Vote) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[string][]sessionRule{}
	}
	r.all[session] = append(r.all[session], sessionRule{u, yes})
}

// of are the rules of a session that hold now. Where nobody can say whether one does it does not.
func (r *sessionRules) of(ctx context.Context, session string) (all []permission.Update) {
	if r.settle != nil {
		r.settle()
	}
	r.mu.Lock()
	kept := slices.Clone(r.all[session])
	r.mu.Unlock()
	for _, one := range kept {
		if r.vouched == nil || r.vouched(ctx, one.yes) == nil {
			all = append(all, one.Update)
		}
	}
	return all
}

// prune forgets those of sessions that do not exist any more.
func (r *sessionRules) prune(gone func(session string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for session := range r.all {
		if gone(session) {
			delete(r.all, session)
		}
	}
}
