package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/internal/strictjson"
)

const pickHelp = `Print one value of the JSON on standard input, for hooks that are shell scripts. It reads as
strictly as assent itself: a key that occurs twice is an error, and letter case counts.

  assent pick /tool_input/amount           a value, as JSON
  assent pick --raw /tool_input/command    a string without its quotes
  assent pick /tool_response/0/text/id     a string that holds JSON is looked into

The value is named by a JSON pointer; "~1" stands for a slash in a key and "~0" for a tilde. If there
is no such value nothing is printed and the exit status is 1, with --default that value and 0. What
cannot be read is exit status 2, or 3 inside of a hook, where 2 would block.`

// valueFlags say how one value is printed.
type valueFlags struct {
	raw      bool
	fallback string
	given    bool // --default
}

func (f *valueFlags) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&f.raw, "raw", "r", false, "print a string without quotes")
	cmd.Flags().StringVar(&f.fallback, "default", "", "what to print when there is no value: JSON, or text")
}

func newPick(a *app) *cobra.Command {
	var f valueFlags
	cmd := &cobra.Command{
		Use:   "pick POINTER",
		Short: "Print one value of the JSON on standard input",
		Long:  pickHelp,
		Args:  exactly("a JSON pointer"),

		Annotations: map[string]string{forHooks: "yes"},

		RunE: func(cmd *cobra.Command, args []string) error {
			f.given = cmd.Flags().Changed("default")
			text, err := a.readInput()
			if err != nil {
				return err
			}
			value, err := lookup(text, args[0])
			if err != nil {
				return err
			}
			return a.printValue(f, value)
		},
	}
	f.bind(cmd)
	return cmd
}

// readInput reads JSON from standard input.
func (a *app) readInput() (strictjson.Raw, error) {
	text, err := readBounded(a.in)
	if err == nil {
		err = strictjson.Valid(text)
	}
	if err != nil {
		return nil, fmt.Errorf("standard input cannot be read: %w", err)
	}
	return text, nil
}

// printValue prints a value, or what stands for a missing one. Strings are spelled in
// one way only, so that scripts can compare them.
func (a *app) printValue(f valueFlags, value strictjson.Raw) error {
	if value == nil {
		if !f.given {
			return errNo
		}
		var err error
		if value, err = readValue(f.fallback); err != nil {
			return fmt.Errorf("--default: %w", err)
		}
	}
	if kind(value) != '"' {
		return a.printLine(value)
	}
	var text string
	if err := strictjson.Unmarshal(value, &text); err != nil {
		return err
	}
	if !f.raw {
		return a.printLine(text)
	}
	_, err := io.WriteString(a.out, text+"\n")
	return err
}

// readValue reads a value that somebody has typed: JSON, or else text. What starts
// like JSON and is none is a mistake.
func readValue(typed string) (strictjson.Raw, error) {
	err := strictjson.Valid([]byte(typed))
	if err == nil {
		return strictjson.Raw(typed), nil
	}
	switch kind(strictjson.Raw(typed)) {
	case '{', '[', '"':
		return nil, err
	}
	return strictjson.Marshal(typed)
}

// exactly wants one argument for each name.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return usage(cmd, names[len(args)]+" is missing")
		}
		return atMost(len(names), fmt.Sprintf("%s takes %d", cmd.Name(), len(names)))(cmd, args)
	}
}

var errNullValue = errors.New("null is no value (to remove a key use `assent state delete`)")
