package inbox

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/database"
)

// Code says to programs what an error means.
type Code string

// The codes.
const (
	Answered  Code = "answered"  // somebody was faster; the details are what they said
	Expired   Code = "expired"   // the time to answer is over
	Changed   Code = "changed"   // it is not what the person was shown
	Denied    Code = "denied"    // a rule denies it, whatever a person says
	Invalid   Code = "invalid"   // what was sent does not fit
	Forbidden Code = "forbidden" // whoever sent it may not
	NotFound  Code = "not_found"
	Busy      Code = "busy"      // try again
	Internal  Code = "internal"  // something does not work here
	HighRisk  Code = "high_risk" // it has to be approved by itself
	Confirm   Code = "confirm"   // the word that confirms it is missing
	Gone      Code = "gone"      // the link of a notification is over, or used
)

// Fault is an error as whoever has sent a request gets it.
type Fault struct {
	Status  int
	Code    Code
	Message string
	// Wait is how long to wait before the next attempt; zero means that nobody can say.
	Wait time.Duration
	// Details are more about it, for programs; nil means nothing.
	Details any
	// Err is what has led to it, for the log; nil means that the message says it all.
	Err error
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Code, f.Message) }

func (f *Fault) Unwrap() error { return f.Err }

// cause is what has led to it, as the log is told; nothing where the message says that already.
func (f *Fault) cause() []any {
	if f.Err == nil || f.Err.Error() == f.Message {
		return nil
	}
	return []any{"cause", mask(f.Err.Error())}
}

// body is the fault as it is sent.
type faultBody struct {
	Error faultView `json:"error"`
}

type faultView struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}

func (f *Fault) body() faultBody { return faultBody{faultView{f.Code, f.Message, f.Details}} }

func invalid(format string, args ...any) *Fault {
	return &Fault{Status: http.StatusBadRequest, Code: Invalid, Message: fmt.Sprintf(format, args...)}
}

func forbidden(status int, message string) *Fault {
	return &Fault{Status: status, Code: Forbidden, Message: message}
}

// nothing is the answer to every name that nobody is told about, whether there is no such
// thing or the name is none: it does not say which.
func nothing() *Fault {
	return &Fault{Status: http.StatusNotFound, Code: NotFound, Message: "there is nothing of that name (the list shows what there is)"}
}

// broken is that something does not work here. Where the database is stays in the log: whoever may
// look at calls need not know its user, its host and its name.
func broken(err error) *Fault {
	if tickets, ok := errors.AsType[*database.Unusable](err); ok && database.IsAddress(tickets.Name) {
		if _, uncertain := errors.AsType[*database.Uncertain](err); uncertain {
			return &Fault{Status: http.StatusServiceUnavailable, Code: Busy, Message: "the connection to the database broke at that moment, and nobody knows whether this was kept (look at the call before you try again)", Err: err}
		}
		if tickets.OnlyReads() {
			return &Fault{Status: http.StatusServiceUnavailable, Code: Busy, Message: "the database only reads at the moment, so nothing can be answered (try again; the log of the server says more)", Err: err}
		}
		if tickets.Passing() {
			return &Fault{Status: http.StatusServiceUnavailable, Code: Busy, Message: "the database does not answer at the moment (try again; the log of the server says more)", Err: err}
		}
		return &Fault{Status: http.StatusInternalServerError, Code: Internal, Message: strings.ReplaceAll(err.Error(), tickets.Name, "the database"), Err: err}
	}
	return &Fault{Status: http.StatusInternalServerError, Code: Internal, Message: err.Error(), Err: err}
}
