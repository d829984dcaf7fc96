package oidc

import (
	"errors"
	"fmt"
	"html"
	"net/http"

	"github.com/assent-dev/assent/people"
)

// reason is why somebody is not signed in, as far as he is told.
type reason uint8

const (
	broken      reason = iota
	unreachable        // the other server does not answer
	foreign            // it is not the browser that began, or not the sign-in
	declined           // the other server has not signed him in
	unconfirmed        // what the other server says is not proved
	uninvited          // it is clear who he is, and he is not let in
	noRole
	disabled
	lastAdmin
	busy
)

// failure is what the log is told beside.
type failure struct {
	reason reason
	err    error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// refusal is an error of the people about somebody as a failure.
func refusal(id people.Identity, err error) error {
	if _, ok := errors.AsType[*people.NotSignedIn](err); ok {
		return &failure{disabled, err}
	}
	if _, ok := errors.AsType[*people.LastAdmin](err); ok {
		return &failure{lastAdmin, err}
	}
	_, stranger := errors.AsType[*people.NotAdmitted](err)
	_, unfit := errors.AsType[*people.BadValue](err)
	if stranger && id.Role == people.NoRole {
		return &failure{noRole, fmt.Errorf("subject %q: %w", clipped(id.Subject), err)}
	}
	if stranger || unfit {
		return &failure{uninvited, err}
	}
	return &failure{broken, err}
}

// tell is the status of an answer, and the sentence that people read. Nothing of what came with
// the request is in it.
func (r reason) tell(name string) (status int, sentence string) {
	switch r {
	case unreachable:
		return http.StatusServiceUnavailable, name + " does not answer at the moment. Try again later; if you have a password here, sign in with that."
	case foreign:
		return http.StatusBadRequest, "This sign-in did not begin in this browser, or it took too long. Begin again."
	case declined:
		return http.StatusForbidden, name + " has not signed you in. Begin again, or ask whoever runs it."
	case unconfirmed:
		return http.StatusForbidden, "What " + name + " says could not be confirmed, so it does not count. Begin again; if it stays so, the log of this server says why."
	case uninvited:
		return http.StatusForbidden, name + " knows you, and this server does not let you in. Ask an admin here: the log of this server says how to change that."
	case noRole:
		return http.StatusForbidden, name + " knows you, and none of your groups has a role here, so you are not let in. If you were signed in here, that has ended everywhere. Ask whoever looks after the groups."
	case disabled:
		return http.StatusForbidden, "You are disabled here. Ask an admin."
	case lastAdmin:
		return http.StatusForbidden, "By your groups you are no admin any more, and you are the last one here, so you are not let in, and signed out everywhere. Whoever runs this server can make somebody else an admin, with: assent people role NAME admin."
	case busy:
		return http.StatusServiceUnavailable, "Too many people sign in at this moment. Try again in a few seconds."
	case broken:
	}
	return http.StatusInternalServerError, "Something went wrong here. The log of this server says what."
}

// loud: whoever looks after the server should know. What anybody can cause at will is not.
func (r reason) loud() bool { return r != foreign && r != declined && r != busy }

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not signed in</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<main>
<h1>You are not signed in</h1>
<p>%s</p>
<p><a href="/">Back to the inbox</a></p>
</main>
</html>
`

// fail tells somebody that he is not signed in.
func (h *Handler) fail(w http.ResponseWriter, err error) {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{broken, err}
	}
	if f.reason.loud() {
		h.log.Warn("somebody was not signed in", "by", h.settings.Name, "why", f.Error())
	} else {
		h.log.Debug("somebody was not signed in", "by", h.settings.Name, "why", f.Error())
	}
	status, sentence := f.reason.tell(h.settings.Name)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, page, html.EscapeString(sentence))
}
