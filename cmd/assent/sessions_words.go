package main

import (
	"errors"
	"strings"

	"github.com/assent-dev/assent/clerk"
	"github.com/assent-dev/assent/session"
)

// decline turns the errors that mean "no" into exit status 1, with the sentence printed.
func (d *counter) decline(err error) error {
	if err == nil || clerk.KindOf(err) != clerk.Refused {
		return err
	}
	if inUse, ok := errors.AsType[*session.InUse](err); ok {
		inUse.Forkable = false // a copy is none of what these commands are for
	}
	d.complain(d.inFlags(err).Error())
	return errNo
}

// goesOn is what lets a session go on: a command, and where several machines share the sessions a
// worker that fits, which nobody needs to tell.
func (d *counter) goesOn(session string) string {
	if d.workersGoOn(session) {
		return "a worker goes on with it, or you here: " + d.resume(session)
	}
	return d.resume(session)
}

// resume is the command that goes on with a session. It names the database if this one did, which
// without it nobody knows; the address itself may have a password in it.
func (d *counter) resume(session string) string {
	command := "assent -p --resume " + session
	if d.given != "" {
		command += " --database …"
	}
	return command
}

// workersGoOn: workers find a session. One that is not in the database yet they do not: somebody
// brings it there who works on it.
func (d *counter) workersGoOn(session string) bool {
	return d.shared() && (d.clerk == nil || !d.clerk.Sessions().OnlyHere(session))
}

// saysGoesOn is the same in a sentence.
func (d *counter) saysGoesOn(session string) string {
	if d.workersGoOn(session) {
		return d.goesOn(session)
	}
	return "go on with: " + d.goesOn(session)
}

// wordedError is an error of the clerk in the words of the command line.
type wordedError struct {
	text string
	err  error
}

func (e *wordedError) Error() string { return e.text }
func (e *wordedError) Unwrap() error { return e.err }

// inFlags says an error of the clerk with the flags and commands that help.
func (d *counter) inFlags(err error) error {
	if e, ok := err.(*clerk.Unanswered); ok {
		return &wordedError{"questions need answers, and a plain yes is none: pass --answer for each of " + strings.Join(e.Questions, "; "), err}
	}
	e, ok := err.(*clerk.Error)
	if !ok {
		return err
	}
	text := flagOf(e.Subject) + e.Said
	_, moved := e.Err.(*clerk.Moved)
	switch {
	case moved:
		text += " (" + d.commandFor(e) + "; if that file is meant, say so: --place PATH)"
	case e.Way != clerk.NoWay:
		text += " (" + d.commandFor(e) + ")"
	}
	return &wordedError{text, err}
}

// flagOf is the flag with which a person has said something.
func flagOf(s clerk.Subject) string {
	switch s {
	case clerk.TheInput:
		return "--input"
	case clerk.TheAnswer:
		return "--answer"
	case clerk.NoSubject:
	}
	return ""
}

// commandFor is the way out of an error on the command line.
func (d *counter) commandFor(e *clerk.Error) string {
	switch e.Way {
	case clerk.SeeList:
		return "`assent sessions list` shows them"
	case clerk.SeeSession, clerk.SeeCall:
		return "`assent sessions show " + e.ID + "` says more"
	case clerk.SeeRules:
		return "`assent lint` shows the rules"
	case clerk.DenyIt:
		return "deny it, and let the model make the call again: assent deny " + e.ID + " --reason '…'"
	case clerk.FindOut:
		return "find out, then: assent sessions resolve " + e.ID + " --ran, or --not-run"
	case clerk.SayRan:
		return "say --ran"
	case clerk.GoOn:
		return d.saysGoesOn(e.ID)
	case clerk.ChangeInput:
		return "use --input to change what runs"
	case clerk.MoveSession:
		return "make it, or bind the session to another one with `assent sessions export` and `assent sessions import --cwd DIR`"
	case clerk.Forget:
		return "forget it: assent sessions prune --force " + e.ID
	case clerk.ForgetOrNew:
		return "start a new session; or, if you know that it did not run, forget what is left of the one that was here: assent sessions prune --force " + e.ID
	case clerk.AnswerHere:
		return "answer without --database and " + databaseVariable + "; or let it come there first, where hooks and rules judge its calls anew: " + d.resume(e.ID)
	case clerk.ForceIt, clerk.NoWay: // which only those have that remove sessions
	}
	return e.Way.String()
}
