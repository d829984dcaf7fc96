package crew

import (
	"errors"

	"github.com/assent-dev/assent/approval"
)

// Quoting is an error of [Config.Resume] whose words hold what a call contains. They are for whoever
// looks at the session; Instead is what everybody else is told.
type Quoting struct {
	Err     error
	Instead string
}

func (e *Quoting) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Quoting) Unwrap() error { return e.Err }

// Plain is what a log is told; see [approval.Plain].
func (e *Quoting) Plain() string { return e.Instead }

// warnPlainly warns without what calls contain: it goes to a log, which others read than those who
// may look at calls.
func (c Config) warnPlainly(what, session string, err error) {
	c.Warn(what, session, errors.New(approval.Plain(err)))
}
