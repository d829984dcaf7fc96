package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// decisions are the figures of one kind of call with a policy of one size.
type decisions struct {
	workload string
	rules    int
	// by holds a figure for each entrant; nil where the policy took too long to load.
	by []*figure
}

// loaded is an entrant with its policy.
type loaded struct {
	contender
	err error // why it has none
}

// loadAll gives the policy to every entrant, each within the limit.
func loadAll(rules int, limit time.Duration) ([]loaded, error) {
	policy := statements(rules)
	all := make([]loaded, len(entrants))
	for i, e := range entrants {
		load := e.write(policy)
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		c, err := load(ctx)
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("%s with %d rules: %w", e.name, rules, err)
		}
		all[i] = loaded{c, err}
	}
	return all, nil
}

// compareDecisions measures every workload with a policy of one size.
func compareDecisions(rules int, limit time.Duration, e effort) ([]decisions, error) {
	contenders, err := loadAll(rules, limit)
	if err != nil {
		return nil, err
	}
	runtime.GC() // loading left garbage, which whoever allocates first would sweep
	var all []decisions
	for _, w := range workloads {
		d, err := compareWorkload(w, rules, contenders, e)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

func compareWorkload(w workload, rules int, contenders []loaded, e effort) (decisions, error) {
	questions := w.questions(rules)
	var runners []runner
	var wrong error
	for i, c := range contenders {
		if c.err != nil {
			continue
		}
		answer, err := c.prepare(questions)
		if err != nil {
			return decisions{}, fmt.Errorf("%s: %w", entrants[i].name, err)
		}
		runners = append(runners, runner{entrants[i].name, len(questions), func(q int) {
			if got := answer(q); got != questions[q].want && wrong == nil {
				wrong = fmt.Errorf("%s: %s %s is %v, want %v", entrants[i].name, questions[q].tool, questions[q].path, got, questions[q].want)
			}
		}})
	}
	figures := e.compare(runners)
	d := decisions{w.name, rules, make([]*figure, len(contenders))}
	for i, c := range contenders {
		if c.err == nil {
			d.by[i], figures = &figures[0], figures[1:]
		}
	}
	return d, wrong
}
