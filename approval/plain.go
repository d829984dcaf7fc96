package approval

import (
	"errors"
	"fmt"
	"strings"
)

// quoting is an error whose words hold what a call contains, for the person who must look at it.
type quoting interface {
	error
	// Plain is what is said of it to anybody else: which ticket or session it is about, and where
	// to look.
	Plain() string
}

// Plain is what a log is told of an error: its words, unless they hold what a call contains.
func Plain(err error) string {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, one := range several.Unwrap() {
			all = append(all, Plain(one))
		}
		return strings.Join(all, "; ")
	}
	if q, ok := errors.AsType[quoting](err); ok {
		return q.Plain()
	}
	return err.Error()
}

// Plain says so without what differs.
func (e *Changed) Plain() string {
	return fmt.Sprintf("the ticket %s is for another call (see `assent sessions show %s`)", e.Ticket.ID, e.Ticket.ID)
}

// Plain says so without either input.
func (e *NotApproved) Plain() string {
	return fmt.Sprintf("the ticket %s was approved for another input than was to run (see `assent sessions show %s`)", e.Ticket.ID, e.Ticket.ID)
}
