package inbox

import (
	"fmt"
	"net/http"

	"github.com/assent-dev/assent/people"
)

// access is who may use a route.
type access uint8

const (
	// closed: nobody may. It is what a route has about which nobody has thought.
	closed access = iota
	// anybody may, also somebody of whom nothing is known.
	anybody
	// seers may look at what waits.
	seers
	// answerers may answer, for themselves or for somebody whose deputy they are.
	answerers
	// managers may change people.
	managers
)

// refuses is why somebody may not use a route; nil when he may.
func (a access) refuses(v *visitor) *Fault {
	switch a {
	case anybody:
		return nil
	case seers:
		if v.role.See() {
			return nil
		}
	case answerers:
		if v.mayAnswer() {
			return nil
		}
		return forbidden(http.StatusForbidden, noAnswers(v))
	case managers:
		if v.role.Manage() {
			return nil
		}
		return forbidden(http.StatusForbidden, fmt.Sprintf("%s may not change people, as %s (ask an admin)", v.title(), v.role))
	case closed:
	}
	return forbidden(http.StatusForbidden, "nobody may do that here")
}

// title is how a visitor is called in a sentence.
func (v *visitor) title() string {
	if v.in.Kind == people.ProgramSignIn {
		return fmt.Sprintf("the token %d of %s", v.in.Number, v.name)
	}
	return v.name
}

// noAnswers is why somebody may not answer at all.
func noAnswers(v *visitor) string {
	return fmt.Sprintf("%s may look and comment, but not answer, as %s (ask an admin for another role)", v.title(), v.role)
}
