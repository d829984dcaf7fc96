package approval

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
)

// Changed: the call that is to run is not the one that the ticket is for.
type Changed struct {
	Ticket Ticket
	Call   Call
}

func (e *Changed) Error() string {
	return fmt.Sprintf("the ticket %s is for another call: %s", e.Ticket.ID, strings.Join(e.Differences(), "; "))
}

// Differences name what is not the same, each with both values.
func (e *Changed) Differences() []string {
	var list []string
	for _, d := range []struct{ what, was, is string }{
		{"the tool", e.Ticket.Tool, e.Call.Tool},
		{"the session", e.Ticket.Session, e.Call.Session},
		{"the directory", e.Ticket.Cwd, e.Call.Cwd},
		{"the input", spelt(e.Ticket.Input), spelt(e.Call.Input)},
	} {
		if d.was != d.is {
			list = append(list, fmt.Sprintf("%s was %s and is %s now", d.what, d.was, d.is))
		}
	}
	if len(list) == 0 {
		list = append(list, "its digest was "+e.Ticket.Digest)
	}
	return list
}

func spelt(input strictjson.Raw) string {
	text, err := strictjson.Canonical(input)
	if err != nil {
		return string(input)
	}
	return string(text)
}

// Matches refuses a call that is not the ticket's, with the difference.
func (t Ticket) Matches(call Call) error {
	digest, err := call.Digest()
	if err != nil {
		return err
	}
	if digest != t.Digest {
		return &Changed{Ticket: t, Call: call}
	}
	return nil
}
