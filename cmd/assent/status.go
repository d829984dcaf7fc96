package main

import (
	"errors"
	"fmt"

	"github.com/assent-dev/assent/policy"
)

// The exit statuses. The root command is the agent itself and knows only success
// and failure.
const (
	statusOK     = 0
	statusNo     = 1 // the answer is no: a test failed, lint found something
	statusBroken = 2 // bad usage, or something that could not be read
)

// errNo is the answer "no". Whoever returns it has printed why.
var errNo = errors.New("the answer is no")

// finish turns the error of a command into a sentence and an exit status.
func (a *app) finish(root bool, err error) int {
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, errNo):
		return statusNo
	}
	a.complain(err.Error())
	if root {
		return statusNo
	}
	return statusBroken
}

// complain writes one sentence to standard error.
func (a *app) complain(text string) {
	fmt.Fprintf(a.err, "assent: %s\n", policy.Visible(text))
}

// warn is a complaint that stops nothing.
func (a *app) warn(text string) { a.complain("warning: " + text) }
