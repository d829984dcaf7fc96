package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/agent/launch"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/session"
)

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
		return a.atTerminal(f, format, args)
	}
	prompt, err := a.prompt(args, streamed, f.resume != "" || f.last)
	if err != nil {
		return err
	}
	options, err := f.launch()
	if err != nil {
		return err
	}
	options.OnlyPending = !streamed && prompt == "" && (f.resume != "" || f.last)
	options.Parking = f.parking()
	options.TakesUp = takesUp(launch.StateDir(options.Settings))
	c := &conversation{app: a, flags: f, format: format}
	if !options.Forget {
		tickets, leave, err := f.openDesk(context.Background(), &options)
		if err != nil {
			return err
		}
		defer leave()
		options.Desk, tickets.Warn = tickets, c.caution
	}
	c.options = options
	if streamed {
		return c.hosted()
	}
	return c.single(prompt)
}

// launch is the session that the flags describe.
func (f *agentFlags) launch() (launch.Options, error) {
	o := launch.Options{
		Links: osLinks{}, Model: f.model, Classifier: f.classifier, System: f.system, Append: f.appendSystem, Resume: f.resume, Last: f.last, Fork: f.fork,
		ID: f.sessionID, Forget: f.forget, MaxTurns: f.maxTurns, MCPConfig: f.mcpConfig, StrictMCP: f.strictMCP, HookEvents: f.hookEvents, Partial: f.partial, Version: thisBuild().Version, Requester: whoami(), Withhold: withhold,
	}
	if err := errors.Join(validUTF8("system-prompt", []string{f.system}), validUTF8("append-system-prompt", []string{f.appendSystem})); err != nil {
		return o, err
	}
	o.Agents = f.agents
	policy := policyFlags{settings: f.settings, allowed: f.allowed, disallowed: f.disallowed, addDirs: f.addDirs, sources: f.sources, trust: f.trust}
	var err error
	o.Settings, err = policy.options()
	o.Settings.LoginShell = "" // its own tool runs bash
	o.Settings.KeepsLimits = false
	switch {
	case errors.Is(err, errNoCwd):
		return o, errors.New("the current directory does not exist any more (change to another one with cd)")
	case err != nil:
		return o, err
	}
	if f.tools != nil {
		if o.Tools, err = launch.ReadTools(f.tools); err != nil {
			return o, fmt.Errorf("--tools: %w", err)
		}
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
