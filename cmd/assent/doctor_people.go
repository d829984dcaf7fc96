package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/account"
	"github.com/assent-dev/assent/internal/database"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// checkPeople: somebody who may change people is there, where people sign in.
func (d *doctor) checkPeople(ctx context.Context, db *database.DB) {
	const name = "people"
	store, err := people.On(ctx, db)
	if err != nil {
		d.note(name, broken, err.Error(), "")
		return
	}
	list, err := store.List(ctx)
	if err != nil {
		d.note(name, broken, err.Error(), "")
		return
	}
	for i, p := range list { // whom another server has dropped does nothing either
		list[i].Disabled = !store.Active(p)
	}
	d.judgePeople(list)
	if len(list) > 0 {
		d.checkRequesters(ctx, db, store, list)
	}
}

// checkRequesters: where whoever wanted a call must not approve it, it is known which person that
// is.
func (d *doctor) checkRequesters(ctx context.Context, db *database.DB, store *people.Store, list []people.Person) {
	const name, most = "accounts", 5
	wanted, err := requesters(ctx, db)
	if err != nil {
		d.note(name, broken, err.Error(), "")
		return
	}
	var strange []string
	for _, requester := range wanted {
		if requester == account.Others {
			d.note(name, worth, fmt.Sprintf("calls wait that their requesters must not approve, in sessions in which more than %d accounts have spoken: nobody can", account.Most), "deny them, and let new sessions do the work")
			continue
		}
		owners, err := store.Owners(ctx, db.Reads(), requester)
		if err != nil {
			d.note(name, broken, db.Explain(err).Error(), "")
			return
		}
		named := func(p people.Person) bool { return approval.Requested(requester, p.Name) }
		if len(owners) == 0 && !slices.ContainsFunc(list, named) {
			strange = append(strange, policy.Visible(requester))
		}
	}
	if len(strange) > 0 {
		d.note(name, worth, "calls wait that their requesters must not approve, and nobody knows which people these are: "+strings.Join(strange[:min(len(strange), most)], ", "),
			"assent people account add ACCOUNT NAME, or nobody as the NAME of a machine")
	}
}

// requesters are the accounts that wanted the calls which wait, and must not approve them.
func requesters(ctx context.Context, db *database.DB) ([]string, error) {
	rows, err := db.Reads().QueryContext(ctx, "SELECT DISTINCT requester, terms FROM tickets WHERE state = $1 AND requester <> '' AND terms <> ''", string(approval.Pending))
	if err != nil {
		return nil, db.Explain(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var requester, text string
		if err := rows.Scan(&requester, &text); err != nil {
			return nil, db.Explain(err)
		}
		var terms permission.Terms
		if err := strictjson.Unmarshal([]byte(text), &terms); err != nil {
			return nil, fmt.Errorf("what calls of %s need cannot be read: %w", policy.Visible(requester), err)
		}
		if terms.NotRequester {
			all = append(all, account.Split(requester)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), db.Explain(rows.Err())
}

func (d *doctor) judgePeople(list []people.Person) {
	const name = "people"
	manage := func(p people.Person) bool { return !p.Disabled && p.Role.Manage() }
	answer := func(p people.Person) bool { return !p.Disabled && p.Role.Answer() }
	switch {
	case len(list) == 0:
		d.note(name, unasked, "nobody signs in: whoever has the token answers", "")
	case !slices.ContainsFunc(list, answer):
		d.note(name, broken, "nobody may answer", "assent people role NAME approver")
	case !slices.ContainsFunc(list, manage):
		d.note(name, worth, "nobody may manage people on the page", "which is fine where `assent people` does; else assent people role NAME admin")
	default:
		d.note(name, fine, fmt.Sprintf("%d, with an admin among them", len(list)), "")
	}
}

// wantWorker are the states in which a session needs a worker, now or after an answer.
var wantWorker = []approval.State{approval.Pending, approval.Approved, approval.Denied, approval.Expired, approval.Unknown}

// checkWorkers compares what sessions ask for with what workers have.
func (d *doctor) checkWorkers(ctx context.Context, db *database.DB) {
	const name = "workers"
	if !d.shared() {
		return // the server is the only one
	}
	var crews [][]string
	for _, text := range d.given.workers {
		var one labels
		if text != "" {
			if err := one.Set(text); err != nil {
				d.note(name, broken, "--worker: "+err.Error(), "")
				return
			}
		}
		crews = append(crews, one)
	}
	if len(crews) == 0 {
		d.note(name, unasked, "no --worker: nobody knows which labels the workers have", "")
		return
	}
	asked, err := askedFor(ctx, db)
	if err != nil {
		d.note(name, broken, err.Error(), "")
		return
	}
	d.judgeWorkers(crews, asked)
}

// askedFor are the labels of each session in which a call waits. It only reads: the stores of
// tickets would end the time of calls, by the clock of this machine, which may be wrong.
func askedFor(ctx context.Context, db *database.DB) (map[string][]string, error) {
	var states []any
	var marks []string
	for i, state := range wantWorker {
		states, marks = append(states, string(state)), append(marks, fmt.Sprintf("$%d", i+1))
	}
	// Another agent, which has an asker, goes on by itself.
	rows, err := db.Reads().QueryContext(ctx, "SELECT id, labels FROM depot_sessions WHERE id IN (SELECT session FROM tickets WHERE asker = '' AND state IN ("+strings.Join(marks, ", ")+"))", states...)
	if err != nil {
		return nil, db.Explain(err)
	}
	defer rows.Close()
	asked := map[string][]string{}
	for rows.Next() {
		var id, text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, db.Explain(err)
		}
		var wanted []string
		if text != "" {
			if err := strictjson.Unmarshal([]byte(text), &wanted); err != nil {
				return nil, fmt.Errorf("the labels of session %s cannot be read: %w", id, err)
			}
		}
		asked[id] = wanted
	}
	return asked, db.Explain(rows.Err())
}

func (d *doctor) judgeWorkers(crews [][]string, asked map[string][]string) {
	const name, most = "workers", 5
	var left []string
	used := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(asked)) {
		for _, l := range asked[id] {
			used[l] = true
		}
		serves := func(have []string) bool {
			return !slices.ContainsFunc(asked[id], func(l string) bool { return !slices.Contains(have, l) })
		}
		if !slices.ContainsFunc(crews, serves) {
			left = append(left, fmt.Sprintf("%s wants %s", id, strings.Join(asked[id], ",")))
		}
	}
	idle := map[string]bool{}
	for _, have := range crews {
		for _, l := range have {
			idle[l] = !used[l]
		}
	}
	maps.DeleteFunc(idle, func(_ string, idle bool) bool { return !idle })
	if len(left) > 0 {
		d.note(name, broken, fmt.Sprintf("no worker serves %s: %s", plural(len(left), "session"), strings.Join(left[:min(len(left), most)], "; ")), "start a worker that has all of these labels")
	}
	if len(idle) > 0 {
		d.note(name, worth, "no session that waits asks for "+strings.Join(slices.Sorted(maps.Keys(idle)), ", "), "which is fine if some will; else look for a misspelling")
	}
	if len(left)+len(idle) == 0 {
		d.note(name, fine, plural(len(asked), "session")+" in which a call waits can go on somewhere", "")
	}
}
