package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/hook"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

const stateHelp = `Read and change the values that the hooks of a session share. Every session has its own; inside a
hook, ASSENT_STATE says where. Changes are safe when hooks run side by side.

  assent state set tenure vip         remember something
  assent state get tenure             print it as JSON; exit status 1 if there is nothing
  assent state get --raw tenure       a string without its quotes
  assent state add refunds            count; two hooks at once count two
  assent state delete tenure
  assent state list

A value is JSON. What is not JSON is text; --string takes everything as text. Write -- before a value
that starts with a dash.

What does not work is exit status 2, or 3 inside of a hook, where 2 would block.`

func newState(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "state",
		Short: "Values that the hooks of a session share",
		Long:  stateHelp,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(cmd, fmt.Sprintf("there is no %q: want get, set, add, delete or list", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		Annotations: map[string]string{forHooks: "yes"},
	}
	cmd.PersistentFlags().Var((*something)(&file), "file", "the file of the state (default: $ASSENT_STATE)")
	must(cmd.MarkPersistentFlagFilename("file", "json"))
	cmd.AddCommand(a.stateGet(&file), a.stateSet(&file), a.stateAdd(&file), a.stateDelete(&file), a.stateList(&file))
	return cmd
}

// openState opens the state of the session that a hook belongs to. It makes none: one
// that is not where it should be must not look empty.
func openState(file string) (*hook.FileState, error) {
	if file == "" {
		file = os.Getenv("ASSENT_STATE")
	}
	if file == "" {
		return nil, errors.New("state: ASSENT_STATE is not set; it is set inside of hooks (elsewhere pass --file)")
	}
	return hook.JoinState(file)
}

func (a *app) stateGet(file *string) *cobra.Command {
	var f valueFlags
	cmd := &cobra.Command{
		Use:   "get KEY",
		Short: "Print a value",
		Args:  exactly("the key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.given = cmd.Flags().Changed("default")
			s, err := openState(*file)
			if err != nil {
				return err
			}
			value, err := s.Get(args[0])
			if err != nil {
				return err
			}
			return a.printValue(f, value)
		},
	}
	f.bind(cmd)
	return cmd
}

func (a *app) stateSet(file *string) *cobra.Command {
	var asText bool
	cmd := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Set a value: JSON, text, or - for what is on standard input",
		Args:  exactly("the key", "the value"),
		RunE: func(_ *cobra.Command, args []string) error {
			value, err := a.typedValue(args[1], asText)
			if err != nil {
				return fmt.Errorf("the value cannot be used: %w", err)
			}
			return changeState(*file, func(v hook.Values) error { v[args[0]] = value; return nil })
		},
	}
	cmd.Flags().BoolVarP(&asText, "string", "s", false, "take the value as text, whatever it looks like")
	cmd.SetFlagErrorFunc(dashedValue)
	return cmd
}

// flagError is an error about a flag that somebody has typed.
type flagError interface {
	error
	GetSpecifiedName() string
	GetSpecifiedShortnames() string
}

// dashedValue is for commands whose value may start with a dash and then look like a
// flag, as numbers below zero do.
func dashedValue(cmd *cobra.Command, err error) error {
	flag, ok := errors.AsType[flagError](err)
	if !ok || !strings.HasPrefix(err.Error(), "unknown ") {
		return usage(cmd, err.Error())
	}
	typed := "-" + flag.GetSpecifiedShortnames()
	if typed == "-" {
		typed = "--" + flag.GetSpecifiedName()
	}
	return usage(cmd, fmt.Sprintf("there is no flag %s; if it is the value, write -- before it: %s KEY -- %s", typed, cmd.CommandPath(), typed))
}

// typedValue is the value of an argument, or of standard input.
func (a *app) typedValue(typed string, asText bool) (strictjson.Raw, error) {
	piped := typed == "-"
	if piped {
		data, err := readBounded(a.in)
		if err != nil {
			return nil, err
		}
		// What a command that failed did not say is not a value.
		if typed = strings.TrimSuffix(string(data), "\n"); len(data) == 0 {
			return nil, errors.New("standard input is empty")
		}
	}
	var value strictjson.Raw
	var err error
	switch {
	case asText:
		value, err = strictjson.Marshal(typed)
	case piped:
		value, err = strictjson.Raw(typed), strictjson.Valid([]byte(typed))
	default:
		value, err = readValue(typed)
	}
	if err == nil && strings.TrimSpace(string(value)) == "null" {
		err = errNullValue
	}
	return value, err
}

func (a *app) stateAdd(file *string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add KEY [NUMBER]",
		Short: "Add a whole number, 1 unless given, and print the sum",
		Args:  cobra.MatchAll(atLeastOne("the key"), atMost(2, "add takes a key and a number")),
		RunE: func(_ *cobra.Command, args []string) error {
			by := int64(1)
			if len(args) > 1 {
				var err error
				if by, err = wholeNumber(args[1]); err != nil {
					return err
				}
			}
			var sum int64
			err := changeState(*file, func(v hook.Values) (err error) {
				sum, err = addTo(v, args[0], by)
				return err
			})
			if err != nil {
				return err
			}
			return a.printLine(sum)
		},
	}
	cmd.SetFlagErrorFunc(dashedValue)
	return cmd
}

// addTo adds to the number under key; a missing one is zero.
func addTo(v hook.Values, key string, by int64) (sum int64, err error) {
	if was := v[key]; was != nil {
		if sum, err = wholeNumber(string(was)); err != nil {
			return 0, fmt.Errorf("the value of %q cannot be added to: %w", key, err)
		}
	}
	sum += by
	text := strconv.FormatInt(sum, 10)
	if _, err := wholeNumber(text); err != nil {
		return 0, err
	}
	v[key] = []byte(text)
	return sum, nil
}

// maxWhole is the largest number that every reader of JSON understands exactly.
const maxWhole = 1<<53 - 1

func wholeNumber(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > maxWhole || n < -maxWhole {
		return 0, fmt.Errorf("%s is no whole number, or too large", text)
	}
	return n, nil
}

func (a *app) stateDelete(file *string) *cobra.Command {
	return &cobra.Command{
		Use:   "delete KEY",
		Short: "Delete a value, if there is one",
		Args:  exactly("the key"),
		RunE: func(_ *cobra.Command, args []string) error {
			return changeState(*file, func(v hook.Values) error { delete(v, args[0]); return nil })
		},
	}
}

func (a *app) stateList(file *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print everything",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			s, err := openState(*file)
			if err != nil {
				return err
			}
			all, err := s.All()
			if err != nil {
				return err
			}
			var values hook.Values
			if err := strictjson.Unmarshal(all, &values); err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(values)
			}
			p := &page{}
			for _, key := range slices.Sorted(maps.Keys(values)) {
				p.line(policy.Visible(key) + " = " + policy.Visible(string(values[key])))
			}
			return p.flush(a.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

func changeState(file string, change func(hook.Values) error) error {
	s, err := openState(file)
	if err != nil {
		return err
	}
	return s.Update(change)
}

func atLeastOne(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage(cmd, name+" is missing")
		}
		return nil
	}
}
