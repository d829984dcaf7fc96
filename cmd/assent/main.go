// Assent decides what the tool calls of an AI agent may do, explains why, and
// checks the policy behind it.
//
// This package is the command line: flags, wiring and printing. What it prints
// comes from the packages below; `assent help` lists the commands.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func main() {
	debug.SetMaxStack(maxStack)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// maxStack is far more than any call needs, because whatever reads a text bounds its depth. Should
// one bound be missing, the process dies at once and not only when the machine has no memory left.
const maxStack = 64 << 20

// run is the whole program: it returns the exit status.
func run(args []string, in io.Reader, out, errOut io.Writer) (status int) {
	var called *cobra.Command
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(errOut, "assent: internal error: %v (version %s; please report it with the command you ran)\n", fault, thisBuild().Version)
			status = brokenStatus(called)
		}
	}()
	if len(args) > 0 && args[0] == "hook" {
		return runHook(args[1:], in, out, errOut) // an agent waits: nothing else is set up
	}
	a := &app{in: in, out: out, err: errOut}
	own := withoutGlobals(args)
	agent := wantsAgent(own) || a.wantsSession(own)
	if agent {
		args = oneByOne(args)
	}
	root := newRoot(a, agent)
	root.SetArgs(args)
	called, _, _ = root.Find(args)
	root.SetIn(in)
	pages := &patient{w: out}
	root.SetOut(pages)
	root.SetErr(errOut)
	failed, err := root.ExecuteC()
	if err == nil {
		err = pages.err
	}
	return a.finish(failed, err)
}
