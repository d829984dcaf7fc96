package policy

import "github.com/assent-dev/assent/permission"

// Approvals is what has to be so before a person's yes to a call of a risk counts, as the
// settings said by which it was judged. Permissions that stand in for them ask for nothing.
func (j *Judgement) Approvals(risk permission.Risk) permission.Terms { return j.env.terms(risk) }

// Approvals is what has to be so before a person's yes to a call of a risk counts, also where
// the call cannot be judged because nobody here knows its tool.
func (c *Checker) Approvals(q Query, risk permission.Risk) (permission.Terms, error) {
	env, err := c.settled(&q)
	if err != nil {
		return permission.Terms{}, err
	}
	return env.terms(risk), nil
}

func (e *environment) terms(risk permission.Risk) permission.Terms {
	if e.approvals == nil {
		return permission.Terms{}
	}
	terms, _ := e.approvals(risk)
	return terms
}
