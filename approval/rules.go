package approval

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// A rule that somebody has added with a yes holds for longer than the call. The history of the
// call names it, so whoever wants to be rid of what was said in somebody's name finds it there.

// Self is under whose name a program writes into the history of a call. No person has it.
const Self = "assent"

// RuleAdded is how the history of a call begins to say that somebody has added rules: they follow,
// and for what they hold. Those of a session, which nobody has to remove, end with [ForSession].
func RuleAdded(by string) string { return by + " added the rule" }

// ForSession is for what a rule holds that ends with its session.
const ForSession = "for this session"

// notAdded begins what the history says of a rule that it has named before.
const notAdded = "this rule was not added after all: "

// RuleNotAdded is how the history of a call says that a rule which it has named in some words is not
// there: it names rules before they stand anywhere.
func RuleNotAdded(words, why string) string { return notAdded + words + " (" + why + ")" }

// SaysNotAdded: the note of an event says so of the rule that the history has named in some words.
func SaysNotAdded(note, words string) bool { return strings.HasPrefix(note, notAdded+words+" (") }

// EnterRule writes into the history of a call that somebody adds a rule with his answer. That is written
// before the rule stands anywhere, so whoever takes the right to answer away from him finds it there.
// counts refuses it if the answer does not count any more; it asks the querier and nothing else.
func (s *Store) EnterRule(ctx context.Context, id, text string, counts func(context.Context, database.Querier, Ticket) error) error {
	if err := checkComment(Self, text); err != nil {
		return err
	}
	return s.db.Within(ctx, func(tx *database.Tx) error {
		t, err := s.current(ctx, tx, id)
		if err == nil {
			err = counts(ctx, tx, t)
		}
		if err != nil {
			return err
		}
		return s.mention(ctx, tx, t, KindComment, Self, text)
	})
}

// StandingRule is a rule that somebody has added with a yes to a call, and that stands in a file of
// settings unless somebody has removed it there.
type StandingRule struct {
	Ticket string
	// Cwd is where the agent worked that wanted the call.
	Cwd string
	At  time.Time
	// Text is what the history says of it.
	Text string
}

// RulesBy are the rules that a person has added with his yes to any call and that outlive it, the
// last one first, at most so many: also those for which he was somebody's deputy, or somebody his.
func (s *Store) RulesBy(ctx context.Context, name string, limit int) ([]StandingRule, error) {
	list, err := readRules(s.reads().QueryContext(ctx, standingRules+" ORDER BY h.serial", ruleArgs()...))
	list = slices.DeleteFunc(list, func(r StandingRule) bool { return !slices.Contains(signers(r.by()), readable(name)) })
	slices.Reverse(list)
	return list[:min(len(list), limit)], s.db.Explain(err)
}

// by is what the yes was signed with that the rule came with. No name has a blank in it, so the rule
// itself cannot say that it is somebody else's.
func (r StandingRule) by() string {
	by, _, _ := strings.Cut(r.Text, RuleAdded(""))
	return by
}

// mostRules is how many rules of a person anybody is told at once.
const mostRules = 20

// LastRulesBy are as many of [Store.RulesBy] as somebody reads, and whether there are more: for
// whoever takes the right to answer away from a person.
func (s *Store) LastRulesBy(ctx context.Context, by string) (last []StandingRule, more bool, err error) {
	all, err := s.RulesBy(ctx, by, mostRules+1)
	return all[:min(len(all), mostRules)], len(all) > mostRules, err
}

// rulesOf are those that came with one yes to one call, by what it is signed with.
func (t *Ticket) rulesOf(ctx context.Context, q database.Querier, by string) ([]StandingRule, error) {
	list, err := readRules(q.QueryContext(ctx, standingRules+" AND h.ticket = $4 ORDER BY h.serial", append(ruleArgs(), t.ID)...))
	return slices.DeleteFunc(list, func(r StandingRule) bool { return r.by() != readable(by) }), err
}

// standingRules leaves those of sessions out: nobody has to remove them.
const standingRules = `SELECT h.ticket, t.cwd, h.at, h.note FROM history h JOIN tickets t ON t.id = h.ticket
	WHERE h.kind = $1 AND h.who = $2 AND h.note LIKE $3 AND h.note NOT LIKE '%` + ForSession + `'`

// ruleArgs are the arguments of standingRules.
func ruleArgs() []any { return []any{KindComment, Self, "%" + RuleAdded("") + "%"} }

// readRules reads rules, the oldest first.
func readRules(rows *sql.Rows, err error) ([]StandingRule, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []StandingRule
	for rows.Next() {
		var r StandingRule
		var at int64
		if err := rows.Scan(&r.Ticket, &r.Cwd, &at, &r.Text); err != nil {
			return nil, err
		}
		r.At = fromMicros(at)
		if strings.HasPrefix(r.Text, notAdded) {
			list = withoutLast(list, r)
			continue
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// withoutLast leaves out the last rule of which the history says later that it was not added.
func withoutLast(list []StandingRule, not StandingRule) []StandingRule {
	for i, r := range slices.Backward(list) {
		if r.Ticket == not.Ticket && SaysNotAdded(not.Text, r.Text) {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

// ruleStays writes into the history of a call whose yes does not count any more that the rules which
// came with it stay: nobody but a person may change the files in which they stand.
func (s *Store) ruleStays(ctx context.Context, tx *database.Tx, t *Ticket, by string) error {
	rules, err := t.rulesOf(ctx, tx, by)
	if err != nil {
		return err
	}
	for _, r := range rules {
		text := fmt.Sprintf("a yes does not count any more, but what came with it stays: %s (remove it from the settings, or such calls run by it)", r.Text)
		if err := s.mention(ctx, tx, *t, KindComment, Self, text); err != nil {
			return err
		}
	}
	return nil
}
