package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

const checkHelp = `Decide a call without running it: allow, ask or deny, and why.

` + callHelp + `

With --jsonl it reads one object a line from standard input and prints one object a line, in the
same order: {"id"?, "tool_name", "tool_input", "cwd"?, "home"?, "mode"?, "permissions"?: {"allow":
[], "ask": [], "deny": []}, "symlinks"?: {link: target}}. Without permissions the settings on disk
decide, as they are when the line comes; beside permissions only what managed settings restrict
holds. The rules, directories and mode of the flags hold for every line. A line that cannot be judged
is answered with {"id", "error"}.

The exit status is 0 when there is a decision, whatever it is; with --exit-code it is 1 unless the
call is allowed. It is 2 when something could not be read.`

func newCheck(a *app) *cobra.Command {
	var (
		policyOf              policyFlags
		callOf                callFlags
		asJSON, lines, byExit bool
	)
	cmd := &cobra.Command{
		Use:   "check [TOOL [INPUT]]",
		Short: "Decide a call without running it",
		Long:  fmt.Sprintf(checkHelp, "check"),
		Args:  atMost(2, "write a tool and its input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if lines {
				if len(args) > 0 || callOf != (callFlags{}) || byExit {
					return usage(cmd, "--jsonl reads the calls from standard input and takes no other call and no --exit-code")
				}
				return a.checkLines(&policyOf)
			}
			call, err := callOf.call(cmd, args)
			if err != nil {
				return err
			}
			return a.checkOne(&policyOf, call, asJSON, byExit)
		},
	}
	policyOf.bind(cmd)
	callOf.bind(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the decision as JSON")
	cmd.Flags().BoolVar(&lines, "jsonl", false, "read calls from standard input, one object a line")
	cmd.Flags().BoolVar(&byExit, "exit-code", false, "exit with 1 unless the call is allowed")
	return cmd
}

func (a *app) checkOne(f *policyFlags, call policy.Call, asJSON, byExit bool) error {
	j, err := a.judge(f, call)
	if err != nil {
		return err
	}
	r := j.Reply()
	if asJSON {
		err = a.printJSON(r)
	} else {
		for _, note := range r.Notes {
			a.complain("note: " + note)
		}
		_, err = fmt.Fprintf(a.out, "%s: %s\n", a.painter(a.out).outcome(r.Decision), policy.Visible(r.Reason))
	}
	if err == nil && byExit && r.Decision != "allow" {
		return errNo
	}
	return err
}

// maxLine is more than any agent sends: a file to be written is part of the line.
const maxLine = 16 << 20

func (a *app) checkLines(f *policyFlags) error {
	checker, err := a.checker(f)
	if err != nil {
		return err
	}
	return a.answerLines(func(line []byte) (any, string) {
		reply := checker.Line(line)
		return reply, reply.Error
	}, func(line []byte, problem string) any {
		return policy.LineReply{ID: policy.LineID(line), Error: problem}
	})
}

// answerLines prints exactly one object for each line of standard input, at once,
// so that a program can hold a conversation.
func (a *app) answerLines(answer func([]byte) (any, string), refuse func([]byte, string) any) error {
	count, bad := 0, 0
	first := ""
	for line, err := range strictjson.Lines(a.in, maxLine) {
		var reply any
		problem := ""
		switch {
		case errors.Is(err, strictjson.ErrLineTooLong):
			problem = err.Error()
			reply = refuse(nil, problem)
		case err != nil:
			return fmt.Errorf("standard input: %w", err)
		default:
			reply, problem = answer(line.Data)
		}
		count++
		err = a.printLine(reply)
		if unwritten, ok := errors.AsType[*notJSONError](err); ok { // this line alone has no answer
			problem = unwritten.Error()
			err = a.printLine(refuse(line.Data, problem))
		}
		if err != nil {
			return err
		}
		if problem != "" {
			if bad++; bad == 1 {
				first = fmt.Sprintf("line %d: %s", line.Number, strings.TrimPrefix(problem, fmt.Sprintf("line %d ", line.Number)))
			}
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %s could not be judged; the first is %s", bad, plural(count, "line"), first)
	}
	return nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
