package permission

import (
	"fmt"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// escalationJSON is an escalation as it is written down: its time as people write it.
type escalationJSON struct {
	After  string   `json:"after"`
	Notify []string `json:"notify"`
}

// MarshalJSON writes the time as people do: "30m0s".
func (e Escalation) MarshalJSON() ([]byte, error) {
	return strictjson.Marshal(escalationJSON{e.After.String(), e.Notify})
}

// UnmarshalJSON reads what MarshalJSON has written.
func (e *Escalation) UnmarshalJSON(text []byte) error {
	var written escalationJSON
	if err := strictjson.UnmarshalKnown(text, &written); err != nil {
		return err
	}
	after, err := time.ParseDuration(written.After)
	if err != nil || after <= 0 {
		return fmt.Errorf("%q is no time after which somebody is told", written.After)
	}
	*e = Escalation{After: after, Notify: written.Notify}
	return nil
}
