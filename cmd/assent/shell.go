package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/shell"
)

const shellHelp = `Show how a bash command is understood, without any rules and without running it: the simple
commands that would run, what they read and write, whether it only reads, whether it is dangerous.

  assent shell 'sudo git push --force | tee log.txt'
  pbpaste | assent shell -

With --jsonl it reads {"id"?, "command"} a line from standard input and prints one object a line.`

func newShell(a *app) *cobra.Command {
	var asJSON, lines bool
	cmd := &cobra.Command{
		Use:   "shell COMMAND",
		Short: "Show how a bash command is understood",
		Long:  shellHelp,
		Args:  atMost(1, "write the command as one argument, in quotes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case lines && len(args) > 0:
				return usage(cmd, "--jsonl reads the commands from standard input")
			case lines:
				return a.answerLines(func(line []byte) (any, string) {
					reply := policy.ShellLine(line)
					return reply, reply.Error
				}, func(line []byte, problem string) any {
					return policy.ShellLineReply{ID: policy.LineID(line), Error: problem}
				})
			case len(args) == 0:
				return usage(cmd, "the command is missing")
			}
			command, err := a.commandText(args[0])
			if err != nil {
				return err
			}
			report := policy.DescribeShell(command)
			if asJSON {
				return a.printJSON(report)
			}
			return a.printShell(report)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	cmd.Flags().BoolVar(&lines, "jsonl", false, "read commands from standard input, one object a line")
	return cmd
}

// commandText is the argument, or standard input for "-". One byte more than can be
// judged is enough to know that it is too much.
func (a *app) commandText(arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.in, shell.MaxSize+1))
	if err != nil {
		return "", fmt.Errorf("standard input: %w", err)
	}
	return strings.TrimSuffix(string(data), "\n"), nil
}

func (a *app) printShell(r policy.ShellReport) error {
	p := &page{painter: a.painter(a.out)}
	if r.Problem != nil {
		p.row("problem", p.text(red, policy.Visible(r.Problem.Text)))
	}
	readOnly := p.text(green, "yes")
	if r.Doubt != nil {
		readOnly = p.text(yellow, "no") + ": " + policy.Visible(r.Doubt.Text)
	}
	p.row("read-only", readOnly)
	p.row("dangerous", p.danger(r))
	if len(r.Parts) > 0 {
		p.heading("Runs")
	}
	for _, part := range r.Parts {
		p.line("  " + policy.Visible(part.Text) + p.remarks(part.Via, part.Unknown, part.Redefined))
	}
	p.accesses("Reads", r.Reads)
	p.accesses("Writes", r.Writes)
	return p.flush(a.out)
}

func (p *page) danger(r policy.ShellReport) string {
	if !r.Dangerous {
		return p.text(green, "no")
	}
	var texts []string
	for _, f := range r.Findings {
		text := policy.Visible(f.Text)
		if f.Floor {
			text += " (needs a person in every mode)"
		}
		texts = append(texts, text)
	}
	return p.text(red, "yes") + ": " + strings.Join(texts, "; ")
}

func (p *page) remarks(via []string, more ...string) string {
	var all []string
	if len(via) > 0 {
		all = append(all, "in "+strings.Join(via, " › "))
	}
	for _, text := range more {
		if text != "" {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return p.text(faint, "  ("+policy.Visible(strings.Join(all, "; "))+")")
}

func (p *page) accesses(title string, all []policy.ShellAccess) {
	if len(all) == 0 {
		return
	}
	p.heading(title)
	for _, access := range all {
		var how []string
		if access.Redirect {
			how = append(how, "redirection")
		}
		if access.Deletes {
			how = append(how, "deletes")
		}
		p.line("  " + policy.Visible(access.Path) + p.remarks(nil, how...))
	}
}
