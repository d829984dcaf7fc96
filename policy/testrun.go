package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/settings"
)

// TestStatus says how a test went.
type TestStatus string

// The ways a test can go.
const (
	Passed TestStatus = "passed"
	Failed TestStatus = "failed"
	// Undecided: the call could not be judged.
	Undecided TestStatus = "error"
)

// TestResult is how one test went.
type TestResult struct {
	File   string     `json:"file"`
	Line   int        `json:"line"`
	Name   string     `json:"name"`
	Status TestStatus `json:"status"`
	Expect string     `json:"expect"`
	Got    string     `json:"got,omitempty"`
	Reason string     `json:"reason,omitempty"`
	Rule   *RuleRef   `json:"rule,omitempty"`
	// Differences say what is not as expected.
	Differences []string `json:"differences,omitempty"`
}

// RunTests judges the call of every test and compares. A call that cannot be
// judged is Undecided, with the reason as its difference. The error is a settings
// file that cannot be read: then there is no policy to be tested.
func RunTests(c *Checker, file string, tests []Test) ([]TestResult, error) {
	results := make([]TestResult, 0, len(tests))
	for _, t := range tests {
		r, err := c.runTest(file, t)
		if broken, ok := errors.AsType[*settings.BrokenError](err); ok {
			return nil, broken
		}
		results = append(results, r)
	}
	return results, nil
}

func (c *Checker) runTest(file string, t Test) (TestResult, error) {
	r := TestResult{File: WellFormed(file), Line: t.Line, Name: t.Name, Expect: t.Expect.String(), Status: Passed}
	q := t.Query
	if q.Cwd != "" && !filepath.IsAbs(q.Cwd) {
		q.Cwd = filepath.Join(c.Settings.Dir, q.Cwd)
	}
	j, err := c.Judge(q)
	if err != nil {
		r.Status, r.Differences = Undecided, []string{WellFormed(c.undecided(q, err))}
		return r, err
	}
	r.Got, r.Reason, r.Rule = j.Decision.Behavior.String(), PartText(j.Decision.Message()), refer(j.reason().Rule)
	r.Differences = t.compare(j)
	if len(r.Differences) > 0 {
		r.Status = Failed
	}
	return r, nil
}

// undecided is why a call could not be judged, and what to do about it.
func (c *Checker) undecided(q Query, err error) string {
	if errors.Is(err, permission.ErrNoSuchTool) && c.ToolNames != nil {
		return NoSuchTool(q.Tool, c.ToolNames).Error()
	}
	if q.Permissions == nil && errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("cwd %s does not exist (make it, or give the test permissions of its own)", Visible(q.Cwd))
	}
	return err.Error()
}

// NoSuchTool is the error for the name of a tool that does not exist, with the one
// that was probably meant.
func NoSuchTool(name string, names []string) error {
	hint := "MCP tools are called mcp__server__tool"
	if near := Nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Errorf("there is no tool %q (%s)", name, hint)
}

func (t Test) compare(j *Judgement) []string {
	var all []string
	if got := j.Decision.Behavior; got != t.Expect {
		all = append(all, fmt.Sprintf("expected %s, got %s", t.Expect, got))
	}
	if t.Rule != "" {
		decided := "no rule"
		if r := j.reason().Rule; r != nil {
			decided = "rule " + r.Text
		}
		if decided != "rule "+t.Rule {
			all = append(all, fmt.Sprintf("expected rule %s to decide, got %s", t.Rule, decided))
		}
	}
	if reason := j.Decision.Message(); !strings.Contains(reason, t.Reason) {
		all = append(all, fmt.Sprintf("expected a reason with %q, got %q", t.Reason, reason))
	}
	return all
}
