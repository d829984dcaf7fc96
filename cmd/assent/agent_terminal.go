package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/assent-dev/assent/agent"
	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/agent/terminal"
	"github.com/assent-dev/assent/wire"
)

// onTerminal is the --permission-prompt-tool that asks the person at the terminal.
const onTerminal = "terminal"

// isTerminal: a person sits there.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// wantsSession: the command line is a session on the terminal, with or without a first
// prompt. One word is taken for a command: who mistypes one wants no session.
func (a *app) wantsSession(args []string) bool {
	sentence := len(args) == 0 || !strings.HasPrefix(args[0], "-") && strings.ContainsAny(args[0], " \t\n")
	return sentence && isTerminal(a.in) && isTerminal(a.out)
}

// atTerminal is the agent without -p: a session on the terminal, if this is one.
func (a *app) atTerminal(f *agentFlags, format wire.Format, args []string) error {
	if !isTerminal(a.in) || !isTerminal(a.out) || format != wire.Plain {
		return errors.New("without -p this is a session on a terminal, and there is none here (pass -p and a prompt)")
	}
	prompt, err := legible(strings.TrimSpace(strings.Join(args, " ")))
	if err != nil {
		return err
	}
	options, err := f.launch()
	if err != nil {
		return err
	}
	tickets, leave, err := f.openDesk(context.Background(), &options) // for calls that an earlier process has parked
	if err != nil {
		return err
	}
	defer leave()
	options.Desk = tickets
	options.TakesUp = takesUp(launch.StateDir(options.Settings))
	c := &conversation{app: a, flags: f, options: options, format: format}
	tickets.Warn = c.caution
	return c.live(prompt)
}

// person is who is asked: the one at the terminal if the flags say so, else nobody.
func (c *conversation) person() (agent.Asker, func(), error) {
	if c.flags.promptTool != onTerminal {
		return nil, func() {}, nil
	}
	t, err := c.terminal()
	if err != nil {
		return nil, nil, fmt.Errorf("--permission-prompt-tool: %w", err)
	}
	return c.questions, func() { _ = t.Close() }, nil
}

// terminal opens the terminal, and makes its person the one who is asked.
func (c *conversation) terminal() (*terminal.Terminal, error) {
	colored := c.colors == "always" || c.colors == "auto" && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	t, err := terminal.Open(colored)
	if err != nil {
		return nil, err
	}
	c.questions = t.Asker(c.options.Settings)
	c.options.Elicit = c.questions
	return t, nil
}

// live is a session on the terminal: prompt by prompt until the person ends it.
func (c *conversation) live(prompt string) error {
	t, err := c.terminal()
	if err != nil {
		return err
	}
	defer t.Close()
	c.view = t.View()
	c.out = wire.NewOutput(io.Discard, c.options.ID, c.format, false)
	ctx, work, stop := c.interrupts()
	defer stop()
	if err := c.open(ctx, c.questions); err != nil {
		return err
	}
	c.view.Note("", fmt.Sprintf("Session %s with %s, mode %s. Ctrl-D or /exit ends it, Ctrl-C stops what runs.",
		c.session.ID, c.session.Agent.Model(), c.session.Agent.Mode()))
	c.session.Agent.Start(ctx, c.session.Source)
	worked := c.session.Agent.Unfinished()
	c.recall(c.tell)
	if prompt == "" {
		work(func() { c.takeUp(ctx) })
	}
	for ctx.Err() == nil {
		if prompt == "" {
			if prompt, err = c.nextPrompt(ctx, t); err != nil {
				break
			}
		}
		worked = true
		c.recall(c.questions.Observe) // a person has seen them
		work(func() { c.session.Agent.Prompt(ctx, agent.TextPrompt(prompt)) })
		prompt = ""
		if c.session.Agent.Broken() != nil {
			break // the result says that nothing can be recorded any more
		}
	}
	return c.leave(worked)
}

// leave ends a session on the terminal, and says how to go on with it.
func (c *conversation) leave(worked bool) error {
	if worked && !c.options.Forget {
		c.view.Note("", "Go on with: assent --resume "+c.session.ID)
	}
	broken := c.session.Agent.Broken()
	return errors.Join(c.close(), broken)
}

// nextPrompt reads what the person wants next: a line, or several when they end with a
// backslash.
func (c *conversation) nextPrompt(ctx context.Context, t *terminal.Terminal) (string, error) {
	var text strings.Builder
	sign := "\n> "
	for {
		line, err := t.Line(ctx, sign)
		if err != nil {
			return "", err
		}
		begun, more := strings.CutSuffix(line, `\`)
		text.WriteString(begun)
		if more {
			text.WriteString("\n")
			sign = ". "
			continue
		}
		prompt, err := legible(strings.TrimSpace(text.String()))
		switch {
		case err != nil:
			c.view.Note("warning", err.Error())
		case prompt == "/exit":
			return "", io.EOF
		case prompt != "":
			return prompt, nil
		}
		text.Reset()
		sign = "\n> "
	}
}
