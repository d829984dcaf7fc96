package main

import (
	"context"
	"errors"
	"testing"

	"github.com/assent-dev/assent/permission"
)

var testSizes = []int{10, 1_000}

// A comparison is worth something only if all answer the same question.
func TestContendersAgree(t *testing.T) {
	for _, n := range testSizes {
		policy := statements(n)
		for _, e := range entrants {
			c, err := e.write(policy)(t.Context())
			if err != nil {
				t.Fatalf("%s with %d rules: %v", e.name, n, err)
			}
			for _, w := range workloads {
				checkAnswers(t, e.name, c, w.questions(n))
			}
		}
	}
}

func checkAnswers(t *testing.T, name string, c contender, questions []question) {
	t.Helper()
	answer, err := c.prepare(questions)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, q := range questions {
		if got := answer(i); got != q.want {
			t.Errorf("%s: %s %s is %v, want %v", name, q.tool, q.path, got, q.want)
		}
	}
}

// The peers know only two answers, assent has three: what is forbidden must be so by
// a rule, and what no rule is about must not be.
func TestAssentAnswersForTheRightReason(t *testing.T) {
	const n = 1_000
	a := loadedAssent(t, n)
	want := map[string]permission.Behavior{
		"tool, permitted": permission.Allow, "Read, permitted": permission.Allow, "Edit, permitted": permission.Allow,
		"tool, forbidden": permission.Deny, "Edit, forbidden": permission.Deny,
		"tool, no rule": permission.Ask, "Read, no rule": permission.Ask, "Edit, no rule": permission.Ask,
	}
	for _, w := range workloads {
		for _, q := range w.questions(n) {
			call, err := a.validate(q)
			if err != nil {
				t.Fatal(err)
			}
			d := a.engine.Decide(a.context, call)
			byRule := d.Reason.Kind == permission.ByRule
			if d.Behavior != want[w.name] || byRule != (d.Behavior != permission.Ask) {
				t.Errorf("%s: %s %s is %v (%s), want %v", w.name, q.tool, q.path, d.Behavior, d.Message(), want[w.name])
			}
		}
	}
}

func TestDecideDoesNotAllocate(t *testing.T) {
	for _, n := range testSizes {
		a := loadedAssent(t, n)
		for _, w := range workloads {
			questions := w.questions(n)
			answer, err := a.prepare(questions)
			if err != nil {
				t.Fatal(err)
			}
			allocs := testing.AllocsPerRun(10, func() {
				for i := range questions {
					answer(i)
				}
			})
			if allocs != 0 {
				t.Errorf("%s with %d rules: %v allocations in %d decisions", w.name, n, allocs, len(questions))
			}
		}
	}
}

func loadedAssent(t *testing.T, rules int) *assent {
	t.Helper()
	c, err := writeAssent(statements(rules))(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c.(*assent)
}

// A peer that needs too long must not hold up the others.
func TestLoadingGivesUp(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), -1)
	defer cancel()
	for _, e := range []entrant{{"cedar-go", writeCedar}, {"casbin", writeCasbin}} {
		if _, err := e.write(statements(10))(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, want %v", e.name, err, context.DeadlineExceeded)
		}
	}
}
