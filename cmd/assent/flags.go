package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// policyFlags say which policy holds: where its files are, and what the command
// line adds.
type policyFlags struct {
	cwd, home, mode, settings string
	allow, ask, deny          []string
	allowed, disallowed       []string
	addDirs                   []string
	sources                   string
	trust                     bool
}

func (f *policyFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var((*something)(&f.cwd), "cwd", "the project directory (default: the current one)")
	flags.Var((*something)(&f.home), "home", "the home directory (default: $HOME)")
	flags.Var((*something)(&f.mode), "mode", "the permission mode: "+strings.Join(permission.Modes, ", "))
	flags.Var((*something)(&f.settings), "settings", "further settings: a file, or JSON")
	flags.StringArrayVar(&f.allow, "allow", nil, "a further allow rule (repeatable)")
	flags.StringArrayVar(&f.ask, "ask", nil, "a further ask rule (repeatable)")
	flags.StringArrayVar(&f.deny, "deny", nil, "a further deny rule (repeatable)")
	flags.StringArrayVar(&f.allowed, "allowedTools", nil, "a list of allow rules, as agents take it")
	flags.StringArrayVar(&f.disallowed, "disallowedTools", nil, "a list of deny rules, as agents take it")
	flags.StringArrayVar(&f.addDirs, "add-dir", nil, "a further working directory (repeatable)")
	flags.StringVar(&f.sources, "setting-sources", "user,project,local", "which settings count; managed ones always do")
	flags.BoolVar(&f.trust, "trust-workspace", false, "let the workspace grant what its settings say")
	must(cmd.RegisterFlagCompletionFunc("mode", words(permission.Modes...)))
	must(cmd.RegisterFlagCompletionFunc("setting-sources", completeSources))
	must(cmd.MarkFlagDirname("cwd"))
	must(cmd.MarkFlagDirname("add-dir"))
	must(cmd.MarkFlagFilename("settings", "json"))
}

// something is the value of a flag that cannot be empty: a script whose variable is
// not set must not get another policy than the one it names.
type something string

func (s *something) String() string { return string(*s) }
func (s *something) Type() string   { return "string" }

func (s *something) Set(text string) error {
	if text == "" {
		return errors.New("it is empty")
	}
	*s = something(text)
	return nil
}

// options are the flags as the settings package wants them.
func (f *policyFlags) options() (settings.Options, error) {
	o := settings.Options{
		Flag: f.settings, AllowedTools: f.allowed, DisallowedTools: f.disallowed,
		AddDirs: f.addDirs, TrustWorkspace: f.trust, StateDir: os.Getenv("ASSENT_HOME"), LoginShell: os.Getenv("SHELL"),
		KeepsLimits: true, // most commands only look
	}
	var err error
	if o.Dir, err = directory(f.cwd); err != nil {
		return o, err
	}
	if o.Home, err = homeDirectory(f.home); err != nil {
		return o, err
	}
	if f.home == "" { // somebody else's settings are not where this process has its own
		o.ConfigDir = os.Getenv(settings.ConfigDirVariable)
	}
	if err := validUTF8("allowedTools", f.allowed); err != nil {
		return o, err
	}
	if err := validUTF8("disallowedTools", f.disallowed); err != nil {
		return o, err
	}
	if f.mode != "" {
		if o.Mode, err = permission.ParseMode(f.mode); err != nil {
			return o, fmt.Errorf("--mode: %w", err)
		}
	}
	o.Sources, err = parseSources(f.sources)
	return o, err
}

// homeDirectory is the one of --home, or $HOME. A relative one would make the
// workspace the user: whatever lies in it would count as the user's own settings.
func homeDirectory(flag string) (string, error) {
	home := flag
	if home == "" {
		home = os.Getenv("HOME")
	}
	switch {
	case home == "":
		return "", errors.New("there is no home directory (set HOME, or pass --home)")
	case !filepath.IsAbs(home):
		return "", fmt.Errorf("the home directory must be an absolute path, not %q (set HOME, or pass --home)", home)
	}
	return filepath.Clean(home), nil
}

// validUTF8 refuses rules that no settings file could hold.
func validUTF8(flag string, rules []string) error {
	for _, text := range rules {
		if !utf8.ValidString(text) {
			return fmt.Errorf("--%s: %s is not valid UTF-8 (type it in a terminal that uses UTF-8)", flag, policy.Visible(text))
		}
	}
	return nil
}

// errNoCwd says that relative names mean nothing here.
var errNoCwd = errors.New("the current directory does not exist any more (change to another one with cd, or name the project: --cwd DIR)")

// absolute is a path of the command line from the root.
func absolute(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", errNoCwd
	}
	return path, nil
}

// directory is a directory of the command line, absolute; empty is the current one.
func directory(path string) (string, error) {
	path, err := absolute(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("the directory %s cannot be used: %w", path, cause(err))
	case !info.IsDir():
		return "", fmt.Errorf("%s is not a directory", path)
	}
	return path, nil
}

var sourceNames = []string{"user", "project", "local"}

func parseSources(list string) ([]rule.Source, error) {
	sources := []rule.Source{}
	for name := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		switch name {
		case "user":
			sources = append(sources, rule.UserSettings)
		case "project":
			sources = append(sources, rule.ProjectSettings)
		case "local":
			sources = append(sources, rule.LocalSettings)
		default:
			return nil, fmt.Errorf("--setting-sources: there is no source %q: want %s", name, strings.Join(sourceNames, ", "))
		}
	}
	return sources, nil
}

// rules are those of --allow, --ask and --deny. A malformed one is refused: whoever
// typed it is there to mend it.
func (f *policyFlags) rules() ([]rule.Rule, error) {
	var all []rule.Rule
	for _, list := range []struct {
		behavior rule.Behavior
		texts    []string
	}{{rule.Deny, f.deny}, {rule.Ask, f.ask}, {rule.Allow, f.allow}} {
		if err := validUTF8(list.behavior.String(), list.texts); err != nil {
			return nil, err
		}
		for _, text := range list.texts {
			r, _, err := rule.Read(text, list.behavior, rule.Origin{Source: rule.CLIArg})
			if err != nil {
				return nil, fmt.Errorf("--%s: %w", list.behavior, err)
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// checker is the policy that the flags name. What its settings have to say goes to
// standard error.
func (a *app) checker(f *policyFlags) (*policy.Checker, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	rules, err := f.rules()
	if err != nil {
		return nil, err
	}
	tools, err := newTools()
	if err != nil {
		return nil, err
	}
	return &policy.Checker{
		Tools: tools, ToolNames: toolNames(), Links: osLinks{}, Settings: o, Rules: rules, Notice: a.report,
	}, nil
}
