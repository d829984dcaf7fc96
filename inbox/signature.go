package inbox

import (
	"slices"

	"github.com/assent-dev/assent/approval"
)

// signature is how somebody stands under what he says: by his own name if he may answer, and
// otherwise as the deputy of somebody.
func (v *visitor) signature() string {
	if v.program() {
		return approval.ProgramSignature(v.name, v.in.Number)
	}
	if len(v.answers) == 0 || slices.Contains(v.answers, v.name) {
		return v.name
	}
	return v.signatureFor(v.answers[0])
}

// signatureFor is how he stands under what he says in the place of a person.
func (v *visitor) signatureFor(person string) string {
	if person == v.name {
		return v.signature()
	}
	return approval.DeputySignature(v.name, person)
}

// gave: somebody has given an answer himself. Where there are no people all that is said here
// is said by the one who has the link.
func (v *visitor) gave(a *approval.Answer) bool {
	if !v.signedIn() {
		return true
	}
	if v.program() {
		return a.By == v.signature()
	}
	return a.Voter == v.name
}
