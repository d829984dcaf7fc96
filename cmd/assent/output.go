package main

import (
	"errors"
	"io/fs"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/settings"
)

// printJSON writes a value for programs, indented for the person who looks over
// their shoulder.
func (a *app) printJSON(v any) error {
	data, err := strictjson.MarshalIndent(v)
	if err != nil {
		return notJSON(err)
	}
	_, err = a.out.Write(append(data, '\n'))
	return err
}

// printLine writes a value on one line of its own.
func (a *app) printLine(v any) error {
	data, err := strictjson.Marshal(v)
	if err != nil {
		return notJSON(err)
	}
	_, err = a.out.Write(append(data, '\n'))
	return err
}

// notJSONError is an answer that cannot be written as JSON.
type notJSONError struct{ cause error }

func notJSON(err error) error { return &notJSONError{err} }

func (e *notJSONError) Error() string {
	return "the answer cannot be written as JSON; please report it with the command you ran: " + e.cause.Error()
}

// report tells what the settings have to say, on standard error. What is held back
// for want of trust is one sentence, however much it is.
func (a *app) report(reports []settings.Report) {
	held, changed := 0, false
	var first settings.Report
	for _, r := range reports {
		if r.Kind != settings.HeldBackGrant {
			a.warn(r.String())
			changed = changed || r.Kind == settings.TrustChanged
			continue
		}
		if held++; held == 1 {
			first = r
		}
	}
	switch {
	case changed: // the difference says it all
	case held == 1:
		a.warn(first.String())
	case held > 1:
		a.warn(plural(held, "grant") + " of this workspace are held back: nobody has trusted it (" + first.Hint + ")")
	}
}

// cause is what the operating system said, without the path that the sentence
// around it names already.
func cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
