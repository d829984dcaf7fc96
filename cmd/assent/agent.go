package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

// maxPrompt is how long a prompt on stdin may be.
const maxPrompt = 10 << 20

// runAgent is the root command: the agent itself.
func (a *app) runAgent(cmd *cobra.Command, f *agentFlags, args []string) error {
	for _, n := range notes(cmd.Flags()) {
		a.warn(n)
	}
	format, streamed, err := f.formats()
	if err != nil {
		return err
	}
	if !f.print && !streamed {
		return errors.New("there is no session on the terminal yet (pass -p and a prompt)")
	}
	prompt, err := a.prompt(args, streamed)
	if err != nil {
		return err
	}
	options, err := f.launch()
	if err != nil {
		return err
	}
	if !streamed && prompt == "" && (f.resume != "" || f.last) {
		return errors.New("there is nothing to go on with: no call of the session waits for an answer (pass a prompt)")
	}
	c := &conversation{app: a, flags: f, options: options, format: format}
	if streamed {
		return c.hosted()
	}
	return c.single(prompt)
}

// prompt is what was asked for: the arguments, or what comes on stdin.
func (a *app) prompt(args []string, streamed bool) (string, error) {
	switch {
	case streamed && len(args) > 0:
		return "", errors.New("with --input-format stream-json prompts come on stdin, not as arguments")
	case streamed:
		return "", nil
	case len(args) > 0:
		return legible(strings.Join(args, " "))
	}
	text, err := io.ReadAll(io.LimitReader(a.in, maxPrompt+1))
	if err != nil {
		return "", fmt.Errorf("the prompt on stdin cannot be read: %w", err)
	}
	if len(text) > maxPrompt {
		return "", fmt.Errorf("the prompt on stdin is longer than %d MB", maxPrompt>>20)
	}
	return legible(strings.TrimSpace(string(text)))
}

// legible refuses a prompt that no record could hold as it is.
func legible(prompt string) (string, error) {
	if !utf8.ValidString(prompt) {
		return "", errors.New("the prompt is not valid UTF-8 (convert it, or name a file that the agent is to read)")
	}
	return prompt, nil
}

// launch is the session that the flags describe.
func (f *agentFlags) launch() (launch.Options, error) {
	o := launch.Options{
		Links: osLinks{}, Model: f.model, System: f.system, Append: f.appendSystem, Resume: f.resume, Last: f.last, Fork: f.fork,
		ID: f.sessionID, Forget: f.forget, MaxTurns: f.maxTurns, MCPConfig: f.mcpConfig, StrictMCP: f.strictMCP, HookEvents: f.hookEvents, Partial: f.partial, Version: version,
	}
	if err := errors.Join(validUTF8("system-prompt", []string{f.system}), validUTF8("append-system-prompt", []string{f.appendSystem})); err != nil {
		return o, err
	}
	policy := policyFlags{settings: f.settings, allowed: f.allowed, disallowed: f.disallowed, addDirs: f.addDirs, sources: f.sources, trust: f.trust}
	var err error
	if o.Settings, err = policy.options(); err != nil {
		return o, err
	}
	if isMCP(f.promptTool) {
		o.PromptTool = f.promptTool
	}
	o.Settings.AllowBypass = f.skip || f.allowSkip
	switch {
	case f.mode != "":
		if o.Settings.Mode, err = permission.ParseMode(f.mode); err != nil {
			return o, fmt.Errorf("--permission-mode: %w", err)
		}
	case f.skip:
		o.Settings.Mode = permission.BypassPermissions
	}
	switch {
	case f.resume != "" && f.last:
		return o, errors.New("--resume and --continue name two sessions (use one of them)")
	case f.fork && f.resume == "" && !f.last:
		return o, errors.New("--fork-session needs --resume ID or --continue")
	case f.sessionID != "" && (f.resume != "" || f.last) && !f.fork:
		return o, errors.New("--session-id is for new sessions (add --fork-session to go on in a copy)")
	case f.forget && (f.resume != "" || f.last):
		return o, errors.New("--no-session-persistence is for new sessions: one that goes on is kept (leave the flag out)")
	}
	if f.sessionID != "" {
		if err := session.CheckID(f.sessionID); err != nil {
			return o, fmt.Errorf("--session-id: %w", err)
		}
	}
	return o, nil
}
