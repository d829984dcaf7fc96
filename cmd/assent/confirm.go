package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// somebodyAnswers: standard input is a terminal.
func (a *app) somebodyAnswers() bool {
	file, ok := a.in.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// saysYes asks the person at the terminal; anything but yes is [errNo], with otherwise
// as the last word.
func (a *app) saysYes(question, otherwise string) error {
	fmt.Fprint(a.err, question+" [y/N] ")
	answer, err := bufio.NewReader(a.in).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	fmt.Fprintln(a.err, otherwise)
	return errNo
}
