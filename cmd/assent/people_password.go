package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/assent-dev/assent/people"
)

func bindPasswordFile(cmd *cobra.Command, file *string) {
	cmd.Flags().Var((*something)(file), "password-file", "a file with the password, which only you may read; - is standard input")
	must(cmd.MarkFlagFilename("password-file"))
}

// password is the one for a person: from a file, or as somebody types it at the terminal,
// where it is not shown. It is no argument, which others would see in the list of processes.
func (d *counter) password(name, file string) (password string, err error) {
	switch {
	case file != "":
		password, err = d.passwordFrom(file)
	case d.somebodyAnswers():
		password, err = d.askPassword(name)
	default:
		err = errors.New("there is no terminal to ask for the password (pass --password-file FILE, or - for standard input)")
	}
	if err != nil {
		return "", err
	}
	return password, people.CheckPassword(name, password)
}

// passwordFrom is the first line of a file that only its owner may read.
func (d *counter) passwordFrom(file string) (string, error) {
	var text []byte
	var err error
	if file == "-" {
		text, err = readBounded(d.in)
	} else {
		var info os.FileInfo
		if info, err = os.Stat(file); err == nil && exposed(info) {
			return "", fmt.Errorf("--password-file: others may read %s (chmod 600 %s)", file, file)
		}
		if err == nil {
			text, err = readFile(file)
		}
	}
	if err != nil {
		return "", fmt.Errorf("--password-file: %w", err)
	}
	password, rest, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	if strings.TrimSpace(rest) != "" {
		return "", errors.New("--password-file: there is more than one line, and a password is one")
	}
	return password, nil
}

// askPassword asks twice: nobody sees what he types.
func (d *counter) askPassword(name string) (string, error) {
	first, err := d.typed("Password for " + name + ": ")
	if err != nil {
		return "", err
	}
	if err := people.CheckPassword(name, first); err != nil {
		return "", err
	}
	again, err := d.typed("Once more: ")
	if err == nil && again != first {
		err = errors.New("the two passwords are not the same (nothing was changed; try again)")
	}
	return first, err
}

// typed is what somebody types without seeing it.
func (d *counter) typed(question string) (string, error) {
	file, ok := d.in.(*os.File)
	if !ok {
		return "", errors.New("there is no terminal to ask for the password (pass --password-file FILE)")
	}
	fmt.Fprint(d.err, question)
	text, err := term.ReadPassword(int(file.Fd()))
	fmt.Fprintln(d.err)
	return string(text), err
}
