package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

const lintHelp = `Look for rules that do not mean what they seem to: dead, shadowed or misspelt ones, paths with the
wrong anchor, regular expressions, rules that are broader than they look; and for hooks that do not
do what they seem to. Each finding has its file, its line and a fix.

With --run-hooks every hook of the settings is run once with a harmless event, which shows what
only running can: that it is broken, slow, or answers what does not count. Hooks may have effects;
those of a workspace that nobody has trusted do not run.

The exit status is 0 when there is nothing, or only information; 1 when there are findings (with
--strict information counts, too); 2 when a file cannot be read.`

func newLint(a *app) *cobra.Command {
	var (
		policyOf                 policyFlags
		asJSON, strict, resolved bool
		runHooks                 bool
	)
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Find rules that do not mean what they seem to",
		Long:  lintHelp,
		Args:  atMost(0, "lint takes none; use --cwd for another project"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := policyOf.options()
			if err != nil {
				return err
			}
			for flag, rules := range map[string][]string{"allow": policyOf.allow, "ask": policyOf.ask, "deny": policyOf.deny} {
				if err := validUTF8(flag, rules); err != nil {
					return err
				}
			}
			o.AllowedTools = append(o.AllowedTools, policyOf.allow...)
			o.AskTools = append(o.AskTools, policyOf.ask...)
			o.DisallowedTools = append(o.DisallowedTools, policyOf.deny...)
			s, err := settings.Load(o)
			if err != nil {
				return err
			}
			r := lintReport{Findings: policy.Lint(s, policy.LintOptions{Tools: toolNames(), Exists: exists, ReadFile: settingsReader(o.Flag), Script: scriptReader(o.Dir)})}
			if runHooks {
				r.Findings = append(r.Findings, policy.RunHooks(cmd.Context(), s, o.Dir)...)
			}
			if resolved {
				r.Resolved = resolveRules(s)
			}
			if asJSON {
				err = a.printJSON(r)
			} else {
				err = a.printLint(r)
			}
			if err == nil && r.fails(strict) {
				return errNo
			}
			return err
		},
	}
	policyOf.bind(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on information as well")
	cmd.Flags().BoolVar(&runHooks, "run-hooks", false, "run every hook once with a harmless event")
	cmd.Flags().BoolVar(&resolved, "resolved", false, "list the absolute pattern of every path rule")
	return cmd
}

type lintReport struct {
	Findings []policy.Finding `json:"findings"`
	Resolved []resolvedRule   `json:"resolved,omitempty"`
}

type resolvedRule struct {
	Place    string `json:"place"`
	Behavior string `json:"behavior"`
	Rule     string `json:"rule"`
	Pattern  string `json:"pattern"`
}

func (r lintReport) fails(strict bool) bool {
	for _, f := range r.Findings {
		if strict || f.Severity != policy.Info {
			return true
		}
	}
	return false
}

// settingsReader reads settings files again; those of --settings may be no file.
func settingsReader(flag string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if strings.HasPrefix(strings.TrimSpace(flag), "{") && path == "--settings" {
			return []byte(flag), nil
		}
		return readFile(path)
	}
}

// scriptReader reads the programs of hooks, relative to the project.
func scriptReader(dir string) func(string) (policy.Script, error) {
	return func(path string) (policy.Script, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		info, err := os.Stat(path)
		if err != nil {
			return policy.Script{}, cause(err)
		}
		if !info.Mode().IsRegular() {
			return policy.Script{}, errors.New("it is not a regular file")
		}
		text, err := readFile(path)
		if err != nil || !utf8.Valid(text) {
			text = nil // a binary, or not for us to read
		}
		return policy.Script{Text: text, Executable: info.Mode()&0o111 != 0}, nil
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func resolveRules(s *settings.Settings) []resolvedRule {
	roots := policy.RootsOf(s.Config())
	all := []resolvedRule{}
	for _, r := range append(s.Config().Rules, s.HeldBack.Rules...) {
		if pattern := roots.Resolve(r); pattern != "" {
			all = append(all, resolvedRule{
				Place: policy.WellFormed(rulePlace(r.Origin)), Behavior: r.Behavior.String(),
				Rule: policy.WellFormed(r.Text), Pattern: policy.WellFormed(pattern),
			})
		}
	}
	return all
}

func rulePlace(o rule.Origin) string {
	if o.File == "" {
		return "command line"
	}
	return fmt.Sprintf("%s:%d", o.File, o.Line)
}

func (a *app) printLint(r lintReport) error {
	p := &page{painter: a.painter(a.out)}
	counts := map[policy.Severity]int{}
	for _, f := range r.Findings {
		counts[f.Severity]++
		p.line(fmt.Sprintf("%s: %s: %s %s", policy.Visible(f.Place()), p.outcome(f.Severity.String()), policy.Visible(f.Text), p.text(faint, "["+f.Code+"]")))
		if f.Fix != "" {
			p.line("    fix: " + policy.Visible(f.Fix))
		}
	}
	if len(r.Findings) == 0 {
		p.line("nothing to complain about")
	} else {
		p.line(fmt.Sprintf("%s, %s, %d for information", plural(counts[policy.Error], "error"), plural(counts[policy.Warning], "warning"), counts[policy.Info]))
	}
	if r.Resolved != nil {
		p.heading("Path rules as absolute patterns")
		var rows [][]string
		for _, rule := range r.Resolved {
			rows = append(rows, []string{rule.Behavior, policy.Visible(rule.Rule), policy.Visible(rule.Pattern), policy.Visible(rule.Place)})
		}
		p.columns(rows)
	}
	return p.flush(a.out)
}
