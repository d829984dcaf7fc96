// Assent-hook is `assent hook` as a program of its own: it takes the same flags and
// gives the same answers. An agent starts it for every call, so it holds nothing
// that the guard does not need.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	_ "github.com/assent-dev/assent/cmd/assent-hook/stack"
	"github.com/assent-dev/assent/cmd/internal/hookcmd"
)

// What a release is, as in assent.
var version, commit, date string

func main() {
	// Whatever reads a text bounds its depth. Should one bound be missing, the process dies at once,
	// with the status 2, which blocks as well, and not only when the machine has no memory left.
	debug.SetMaxStack(64 << 20)
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(os.Stderr, "assent: internal error: %v (please report it)\n", fault)
			os.Exit(2) // which blocks
		}
	}()
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		printVersion()
		return
	}
	os.Exit(hookcmd.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, hookcmd.Tickets{Hold: askBigProgram, Handed: askWhetherHanded}, os.Getenv(hookcmd.DatabaseVariable)))
}

// printVersion says which program this is. What Go itself knows about a program is left out:
// it would have to be linked.
func printVersion() {
	if version == "" {
		version = "devel"
	}
	fmt.Println("assent-hook", version)
	if commit != "" {
		fmt.Println("commit   ", commit)
	}
	if date != "" {
		fmt.Println("date     ", date)
	}
}
