package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// callFlags name one call: as arguments or with --tool and --input.
type callFlags struct{ tool, input string }

func (f *callFlags) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.tool, "tool", "", "the tool, instead of an argument")
	cmd.Flags().StringVar(&f.input, "input", "", "its input as JSON, instead of an argument")
	must(cmd.RegisterFlagCompletionFunc("tool", words(toolNames()...)))
	cmd.ValidArgsFunction = completeTools
}

const callHelp = `A call is written as a tool and its input, or as rules are written:

  assent %[1]s Bash '{"command": "git push"}'
  assent %[1]s 'Bash(git push)'
  assent %[1]s 'Read(~/.ssh/id_rsa)'
  assent %[1]s 'WebFetch(https://example.com/page)'
  assent %[1]s mcp__pay__refund '{"order": 17}'`

// call reads the call.
func (f *callFlags) call(cmd *cobra.Command, args []string) (policy.Call, error) {
	tool, input := f.tool, f.input
	switch {
	case tool != "" && len(args) > 0:
		return policy.Call{}, usage(cmd, "give the call as arguments or with --tool and --input, not both")
	case tool == "" && input != "":
		return policy.Call{}, usage(cmd, "--input needs --tool")
	case tool == "" && len(args) == 0:
		return policy.Call{}, usage(cmd, "the call is missing: write a tool and its input, or for example 'Bash(git push)'")
	case tool == "" && len(args) == 1 && strings.Contains(args[0], "("):
		return parseCall(args[0])
	case tool == "":
		tool = args[0]
		if len(args) > 1 {
			input = args[1]
		}
	}
	return newCall(cmd, tool, input)
}

func parseCall(text string) (policy.Call, error) {
	if tool, _, _ := strings.Cut(text, "("); !known(tool) {
		return policy.Call{}, noSuchTool(tool)
	}
	call, err := policy.ParseCall(text)
	if err == nil {
		err = validJSON(call.Input)
	}
	return call, err
}

func newCall(cmd *cobra.Command, tool, input string) (policy.Call, error) {
	switch text := strings.TrimSpace(input); {
	case !known(tool):
		return policy.Call{}, noSuchTool(tool)
	case text == "" && isMCP(tool):
		return policy.Call{Tool: tool, Input: []byte("{}")}, nil
	case text == "":
		return policy.Call{}, usage(cmd, fmt.Sprintf("the input of %s is missing: write it as JSON, or '%s(…)'", tool, tool))
	case strings.HasPrefix(text, "{"):
		return policy.Call{Tool: tool, Input: []byte(input)}, validJSON([]byte(input))
	}
	return policy.NewCall(tool, input)
}

// validJSON refuses what was mistyped here. What the first stage says about an input
// is part of the decision: what the schema refuses, and a key that occurs twice.
func validJSON(input []byte) error {
	err := strictjson.Valid(input)
	if fault, ok := errors.AsType[*strictjson.Error](err); ok {
		if strings.HasSuffix(fault.Message, "occurs twice") {
			return nil
		}
		return fmt.Errorf("the input is not valid JSON: line %d, column %d: %s", fault.Line, fault.Column, fault.Message)
	}
	return err
}

// judge decides a call under the policy of the flags. What the settings have to
// say goes to standard error.
func (a *app) judge(f *policyFlags, call policy.Call) (*policy.Judgement, error) {
	checker, err := a.checker(f)
	if err != nil {
		return nil, err
	}
	return checker.Judge(policy.Query{Tool: call.Tool, Input: call.Input})
}

func known(tool string) bool {
	return isMCP(tool) && utf8.ValidString(tool) || slices.Contains(toolNames(), tool)
}

func noSuchTool(name string) error { return policy.NoSuchTool(name, toolNames()) }
