package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/wire"
)

// agentFlags are the flags of the agent itself: those that the Agent SDKs pass.
type agentFlags struct {
	print                       bool
	output, input               string
	verbose                     bool
	promptTool                  string
	mcpConfig                   []string
	strictMCP                   bool
	mode                        string
	skip, allowSkip             bool
	allowed, disallowed         []string
	tools                       []string
	addDirs                     []string
	settings, sources           string
	trust                       bool
	model                       string
	classifier                  string
	maxTurns                    int
	resume                      string
	last, fork                  bool
	sessionID                   string
	forget                      bool
	deferBatch                  bool
	replay, hookEvents, partial bool
	system, appendSystem        string
	agents                      string
	joining                     joining
}

func (f *agentFlags) bind(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.BoolVarP(&f.print, "print", "p", false, "work off one prompt without a terminal; it is an argument or comes on stdin")
	flags.StringVar(&f.output, "output-format", "text", "text, json or stream-json")
	flags.StringVar(&f.input, "input-format", "text", "text or stream-json")
	flags.BoolVar(&f.verbose, "verbose", false, "print all messages, not only the result")
	flags.Var((*something)(&f.model), "model", "the model: a name, an alias, openai:NAME or script:FILE")
	flags.Var((*something)(&f.classifier), "classifier", "who judges calls in auto mode: builtin, or a model as for --model")
	flags.StringVar(&f.system, "system-prompt", "", "instructions in place of assent's own")
	flags.StringVar(&f.appendSystem, "append-system-prompt", "", "instructions in addition to assent's own")
	flags.Var((*something)(&f.agents), "agents", "kinds of sub-agents, as JSON")
	flags.Var((*count)(&f.maxTurns), "max-turns", "ask the model at most so often (default: without limit)")

	flags.Var((*something)(&f.mode), "permission-mode", "the permission mode: "+strings.Join(permission.Modes, ", "))
	flags.StringArrayVar(&f.allowed, "allowedTools", nil, "allow rules, separated by commas or blanks")
	flags.StringArrayVar(&f.disallowed, "disallowedTools", nil, "deny rules; a bare name removes the tool")
	flags.StringArrayVar(&f.tools, "tools", nil, "the built-in tools that the model is offered (default: all)")
	flags.StringArrayVar(&f.addDirs, "add-dir", nil, "further working directories")
	flags.Var((*something)(&f.settings), "settings", "further settings: a file, or JSON")
	flags.StringVar(&f.sources, "setting-sources", "user,project,local", "which settings count; managed ones always do")
	flags.BoolVar(&f.trust, "trust-workspace", false, "let the workspace grant what its settings say")
	flags.Var((*something)(&f.promptTool), "permission-prompt-tool", "who answers questions: stdio asks the host, terminal the person there, mcp__SERVER__TOOL a tool")
	flags.StringArrayVar(&f.mcpConfig, "mcp-config", nil, "MCP servers: JSON, or files")
	flags.BoolVar(&f.strictMCP, "strict-mcp-config", false, "only the servers of --mcp-config")
	flags.BoolVar(&f.skip, "dangerously-skip-permissions", false, "the mode bypassPermissions; deny rules still hold")
	flags.BoolVar(&f.allowSkip, "allow-dangerously-skip-permissions", false, "let the session switch to bypassPermissions later")

	flags.VarP((*something)(&f.resume), "resume", "r", "go on with the session of this id")
	flags.BoolVarP(&f.last, "continue", "c", false, "go on with the last session of this directory")
	flags.BoolVar(&f.fork, "fork-session", false, "with --resume or --continue: in a copy of the session")
	flags.Var((*something)(&f.sessionID), "session-id", "the id of the new session, a UUID")
	flags.BoolVar(&f.forget, "no-session-persistence", false, "keep no transcript; decisions are recorded all the same")
	flags.BoolVar(&f.deferBatch, "defer-batch", false, "also calls that are not alone in their turn can be deferred")
	flags.BoolVar(&f.replay, "replay-user-messages", false, "print the prompts of stdin again")
	flags.BoolVar(&f.hookEvents, "include-hook-events", false, "print a message for every hook that runs")
	flags.BoolVar(&f.partial, "include-partial-messages", false, "print the answer of the model piece by piece")
	f.joining.bind(flags)
	f.joining.bindLabels(flags)
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		switch name {
		case "allowed-tools":
			name = "allowedTools"
		case "disallowed-tools":
			name = "disallowedTools"
		}
		return pflag.NormalizedName(name)
	})
	f.bindIgnored(flags)
}

// ignored are flags of the vendor's command line that change nothing here. They are
// accepted, with a note, so that programs which pass them work.
var ignored = []struct{ name, why string }{
	{"fallback-model", "a model that is overloaded is asked again instead"},
	{"max-thinking-tokens", "the provider decides how much a model thinks"},
	{"thinking", "the provider decides how much a model thinks"},
	{"effort", "the provider decides how much a model thinks"},
	{"betas", "there are no beta features to switch on"},
	{"plugin-dir", "there are no plugins"},
	{"debug", "the transcript and `assent audit log` say what happened"},
	{"debug-file", "the transcript and `assent audit log` say what happened"},
}

var ignoredSwitches = []struct{ name, why string }{
	{"ide", "there is no editor to connect to"},
	{"chrome", "there is no browser to connect to"},
	{"disable-slash-commands", "there are no skills"},
}

func (f *agentFlags) bindIgnored(flags *pflag.FlagSet) {
	for _, x := range ignored {
		flags.String(x.name, "", "")
		flags.Lookup(x.name).Hidden = true
	}
	flags.Lookup("debug").NoOptDefVal = "true"
	for _, x := range ignoredSwitches {
		flags.Bool(x.name, false, "")
		flags.Lookup(x.name).Hidden = true
	}
}

// notes are what to say about flags that change nothing.
func notes(flags *pflag.FlagSet) []string {
	var list []string
	for _, x := range append(ignored, ignoredSwitches...) {
		if flags.Changed(x.name) {
			list = append(list, fmt.Sprintf("--%s changes nothing here: %s", x.name, x.why))
		}
	}
	return list
}

// formats checks the formats, and what flags need of each other.
func (f *agentFlags) formats() (output wire.Format, streamed bool, err error) {
	if output, err = wire.ParseFormat(f.output); err != nil {
		return 0, false, fmt.Errorf("--output-format: %w", err)
	}
	switch f.input {
	case "text":
	case "stream-json":
		streamed = true
	default:
		return 0, false, fmt.Errorf("--input-format: unknown format %q (use text or stream-json)", f.input)
	}
	if err := f.checkPromptTool(); err != nil {
		return 0, false, err
	}
	switch {
	case output == wire.StreamJSON && !f.verbose:
		return 0, false, errors.New("--output-format stream-json needs --verbose: it prints all messages")
	case streamed && output != wire.StreamJSON:
		return 0, false, errors.New("--input-format stream-json needs --output-format stream-json: answers are lines, too")
	case f.promptTool == "stdio" && !streamed:
		return 0, false, errors.New("--permission-prompt-tool stdio needs --input-format stream-json: the answers come on stdin")
	case f.promptTool == onTerminal && streamed:
		return 0, false, errors.New("--permission-prompt-tool terminal is for a person, not for --input-format stream-json (use stdio)")
	case f.replay && !streamed:
		return 0, false, errors.New("--replay-user-messages needs --input-format stream-json")
	case len(f.joining.labels) > 0 && !f.joining.shared():
		return 0, false, errors.New("--labels are for workers, which find sessions in a database: without one the session stays on this machine (name it with --database or ASSENT_DATABASE, or leave the labels out)")
	}
	return output, streamed, nil
}

// checkPromptTool refuses who cannot be asked: whoever names somebody counts on it.
func (f *agentFlags) checkPromptTool() error {
	switch {
	case f.promptTool == "" || f.promptTool == "stdio":
		return nil
	case isMCP(f.promptTool) || f.promptTool == onTerminal:
		return nil
	}
	return fmt.Errorf("--permission-prompt-tool: nobody is called %q (use stdio, terminal, or mcp__SERVER__TOOL)", f.promptTool)
}

// count is the value of a flag that is a number above 0; 0 means that it was not given.
type count int

func (c *count) String() string {
	if *c == 0 {
		return ""
	}
	return strconv.Itoa(int(*c))
}

func (*count) Type() string { return "number" }

func (c *count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return errors.New("want a number above 0")
	}
	*c = count(n)
	return nil
}
