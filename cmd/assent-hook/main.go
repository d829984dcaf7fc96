// Assent-hook is `assent hook` as a program of its own: it takes the same flags and
// gives the same answers. An agent starts it for every call, so it holds nothing
// that the guard does not need.
package main

import (
	"fmt"
	"os"

	"github.com/assent-dev/assent/cmd/internal/hookcmd"
)

func main() {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(os.Stderr, "assent: internal error: %v (please report it)\n", fault)
			os.Exit(2) // which blocks
		}
	}()
	os.Exit(hookcmd.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
