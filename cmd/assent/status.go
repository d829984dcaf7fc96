package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
)

// The exit statuses. The root command is the agent itself and knows only success
// and failure.
const (
	statusOK     = 0
	statusNo     = 1 // the answer is no: a test failed, lint found something
	statusBroken = 2 // bad usage, or something that could not be read
	statusHook   = 3 // the same inside of a hook, where 2 would be a decision
)

// forHooks marks the commands that scripts of hooks call.
const forHooks = "for hooks"

// brokenStatus is the exit status of a command that did not work. A script ends with
// the status of the command that failed in it, and a hook that ends with 2 has decided
// to block: what is broken must not look like that. Only our own runtime knows the
// difference; to others, which do not set these variables, 2 is the only safe status.
func brokenStatus(cmd *cobra.Command) int {
	inside := os.Getenv("ASSENT_STATE") != "" || os.Getenv("ASSENT_PROJECT_DIR") != ""
	for ; cmd != nil && inside; cmd = cmd.Parent() {
		if cmd.Annotations[forHooks] != "" {
			return statusHook
		}
	}
	return statusBroken
}

// errNo is the answer "no". Whoever returns it has printed why.
var errNo = errors.New("the answer is no")

// finish turns the error of a command into a sentence and an exit status.
func (a *app) finish(cmd *cobra.Command, err error) int {
	switch {
	case err == nil:
		return statusOK
	case errors.Is(err, errNo):
		return statusNo
	}
	a.complain(err.Error())
	if !cmd.HasParent() {
		return statusNo
	}
	return brokenStatus(cmd)
}

// complain writes one sentence to standard error.
func (a *app) complain(text string) {
	fmt.Fprintf(a.err, "assent: %s\n", policy.Visible(text))
}

// warn is a complaint that stops nothing.
func (a *app) warn(text string) { a.complain("warning: " + text) }
