package clerk

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
)

// look is what one look at a call has found, the files and the risk of the same moment.
type look struct {
	Reach
	risk permission.Risk
	// call is the one that would run, and judgement what the rules make of it; nil when they do
	// not know its tool.
	call      approval.Call
	judgement *policy.Judgement
	// terms are what the settings of today want before a yes counts.
	terms permission.Terms
}

// Places are the files that the call led to when it was parked, with all links followed.
func (m *Matter) Places() []string {
	if m.Ticket != nil {
		return m.Ticket.Places
	}
	return m.places
}

// leads are the files that a call leads to by what was found about it now; nil means that
// nobody here knows its tool, so that only those are known with which it was parked. The guard
// of another agent may know of more files than the rules here see in its call, and looks at
// all of them again before the call runs.
func (m *Matter) leads(j *policy.Judgement) []string {
	if j == nil {
		return m.Places()
	}
	now := j.Call.Places()
	if m.Asker() != "" && !slices.ContainsFunc(now, func(place string) bool { return !slices.Contains(m.Places(), place) }) {
		return m.Places()
	}
	return now
}

// Moved: a call leads to other files than a person was shown.
type Moved struct {
	// Given is the path as the call has it; empty when it has none.
	Given string
	// Shown are the files that it led to then, and Now those to which it leads.
	Shown, Now []string
	// Parked: they were those of the moment when it was parked.
	Parked bool
	// Asker is the agent whose guard holds the call; empty for one that is parked in a session.
	Asker string
}

func (e *Moved) Error() string {
	was, is := permission.OtherPlaces(e.Shown, e.Now)
	given := "it"
	if e.Given != "" {
		given = e.Given
	}
	when := "it was shown"
	if e.Parked {
		when = "it was parked"
	}
	if len(e.Shown) == 0 {
		return fmt.Sprintf("%s leads to %s, and nobody knows whether it did when %s", given, is, when)
	}
	text := fmt.Sprintf("%s leads to %s now; it led to %s when %s", given, is, was, when)
	if e.Asker != "" && e.Parked {
		text += fmt.Sprintf(". A yes would reach nobody: %s asks anew when it tries this call again", e.Asker)
	}
	return text
}

// Reach is where a call leads that is to be approved.
type Reach struct {
	// Places are the files that it leads to, and Given the path as it has it.
	Places []string
	Given  string
	// Edited: it is another input than the one that waits.
	Edited bool
}

// ReachOf is where a call leads by what was found about it now.
func (m *Matter) ReachOf(j *policy.Judgement, edited bool) Reach {
	r := Reach{Places: m.leads(j), Edited: edited}
	if j != nil && j.Call != nil {
		r.Given = j.Call.Path().Given
	}
	return r
}

// MovedSince is why a call is not what a person was shown: it leads to other files now. shown
// is nil where the person has named none: then it must lead to those with which it was parked,
// or, with an input of the person's own, exactly to the file that this names, without a link.
// A guard knows its call by those files, so that a held one must lead there in any case, if it
// has told any. Nil means that nothing is wrong.
func (m *Matter) MovedSince(shown []string, now Reach) *Moved {
	parked := shown == nil
	if parked {
		shown = m.Places()
	}
	_, is := permission.OtherPlaces(shown, now.Places)
	named := parked && now.Edited && len(now.Places) == 1 && now.Places[0] == filepath.Clean(now.Given)
	switch {
	case is != "" && !named:
		return &Moved{Given: now.Given, Shown: shown, Now: now.Places, Parked: parked, Asker: m.Asker()}
	case m.Asker() != "" && len(m.Places()) > 0 && !parked && !now.Edited:
		return m.MovedSince(nil, now)
	}
	return nil
}

// asShown refuses a call that leads to other files, or has a higher risk, than the person was
// shown.
func (m *Matter) asShown(yes Yes, now look) error {
	if moved := m.MovedSince(yes.Places, now.Reach); moved != nil {
		return &Error{Kind: Refused, Said: fmt.Sprintf("%s was not approved: %v", m.Name(), moved), Way: SeeCall, ID: m.Name(), Err: moved}
	}
	if yes.Risk != 0 && now.risk > yes.Risk {
		return &Error{Kind: Refused, Said: fmt.Sprintf("%s was not approved: its risk is %v now, and was %v when it was shown", m.Name(), now.risk, yes.Risk), Way: SeeCall, ID: m.Name()}
	}
	return nil
}
