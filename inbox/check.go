package inbox

import (
	"net/http"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// checkView is what another input would mean.
type checkView struct {
	// Digest is that of the call with this input.
	Digest  string              `json:"digest"`
	Valid   bool                `json:"valid"`
	Problem string              `json:"problem,omitempty"`
	Rules   *policy.Explanation `json:"rules"`
	Change  *clerk.FileChange   `json:"change"`
	// Edit is the difference between the input that waits and this one.
	Edit     []string      `json:"edit"`
	Risk     string        `json:"risk"`
	Sentence string        `json:"sentence"`
	Confirm  *confirmation `json:"confirm"`
	// Places are the files that it would lead to; see detailView.
	Places []string `json:"places"`
}

// check says what another input would mean, and changes nothing.
func (s *Server) check(r *http.Request) (any, error) {
	id, err := ticketOf(r)
	if err != nil {
		return nil, err
	}
	var body struct {
		Input strictjson.Raw `json:"input"`
	}
	if err := read(r, &body); err != nil {
		return nil, err
	}
	if body.Input == nil {
		return nil, invalid("input is missing")
	}
	m, err := s.matter(r.Context(), id)
	if err != nil {
		return nil, err
	}
	call := m.Call
	call.Input = body.Input
	j := s.judge(call, m.Mode)
	v := checkView{Places: legiblePlaces(m.ReachOf(j.judgement, true).Places), Problem: policy.WellFormed(j.fits()), Change: s.changeOf(m, j), Risk: j.risk(m.Ticket.Risk).String(), Sentence: Sentence(call), Confirm: confirmationOf(j, m.Ticket.Risk)}
	if v.Digest, err = call.Digest(); err != nil {
		return nil, invalid("input: %v", err)
	}
	if j.denied() {
		v.Problem = deniedBy(j).Message
	}
	v.Valid = v.Problem == ""
	if j.judgement != nil {
		x := j.judgement.Explain()
		v.Rules = &x
	}
	v.Edit = difference(clerk.Pretty(m.Call.Input), clerk.Pretty(body.Input))
	return v, nil
}

// difference is what makes one list of lines of another: "-" or "+" before those that go
// and come, and a blank before those that stay.
func difference(before, after []string) []string {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	all := []string{}
	add := func(mark string, lines []string) {
		for _, line := range lines {
			all = append(all, mark+line)
		}
	}
	add(" ", before[:head])
	add("-", before[head:len(before)-tail])
	add("+", after[head:len(after)-tail])
	add(" ", before[len(before)-tail:])
	return all
}
