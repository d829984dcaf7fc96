// Command bare reads its standard input and exits: the least that a hook written in
// Go can cost.
package main

import (
	"io"
	"os"
)

func main() {
	if text, err := io.ReadAll(os.Stdin); err != nil || len(text) == 0 {
		os.Exit(1)
	}
}
