package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assent-dev/assent/policy"
)

const testHelp = `Test the policy: judge the calls of one or more files and compare with what they expect. Nothing
is run.

  {
    // permissions may stand here; without them the settings on disk are tested
    "tests": [
      {"call": "Bash(npm test)", "expect": "allow"},
      {"call": "Bash(git push --force)", "expect": "deny", "rule": "Bash(git push:*)"},
      {"tool": "Write", "input": {"file_path": ".env", "content": ""}, "expect": "deny"}
    ]
  }

A file whose name ends in .jsonl has one test a line; - is standard input. The exit status is 1 when a
test fails, 2 when a file cannot be read or a call cannot be judged.`

func newTest(a *app) *cobra.Command {
	var (
		policyOf        policyFlags
		asJSON, verbose bool
	)
	cmd := &cobra.Command{
		Use:   "test FILE…",
		Short: "Test the policy against expected decisions",
		Long:  testHelp,
		RunE: func(cmd *cobra.Command, files []string) error {
			if len(files) == 0 {
				return usage(cmd, "the file with the tests is missing")
			}
			results, err := a.runTests(&policyOf, files)
			if err != nil {
				return err
			}
			return a.reportTests(results, asJSON, verbose)
		},
	}
	policyOf.bind(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the results as JSON")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "name the tests that passed, too")
	return cmd
}

// runTests reads every file before it runs the first test: half a result would
// look like a whole one.
func (a *app) runTests(f *policyFlags, files []string) ([]policy.TestResult, error) {
	checker, err := a.checker(f)
	if err != nil {
		return nil, err
	}
	var tests [][]policy.Test
	for _, file := range files {
		read, err := a.readTests(file)
		if err != nil {
			return nil, err
		}
		tests = append(tests, read)
	}
	var results []policy.TestResult
	for i, file := range files {
		done, err := policy.RunTests(checker, testName(file), tests[i])
		if err != nil {
			return nil, err
		}
		results = append(results, done...)
	}
	return results, nil
}

// readTests reads one file; "-" is standard input.
func (a *app) readTests(file string) ([]policy.Test, error) {
	var text []byte
	var err error
	if file == "-" {
		text, err = readBounded(a.in)
	} else {
		text, err = readFile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", testName(file), err)
	}
	return policy.ReadTests(testName(file), text)
}

// testName is what reports call a file.
func testName(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

type testSummary struct {
	Passed int                 `json:"passed"`
	Failed int                 `json:"failed"`
	Errors int                 `json:"errors"` // tests that could not be judged
	Tests  []policy.TestResult `json:"tests"`
}

func (s testSummary) String() string {
	text := fmt.Sprintf("%s, %d passed, %d failed", plural(len(s.Tests), "test"), s.Passed, s.Failed)
	if s.Errors > 0 {
		text += fmt.Sprintf(", %d not judged", s.Errors)
	}
	return text
}

func (a *app) reportTests(results []policy.TestResult, asJSON, verbose bool) error {
	s := testSummary{Tests: results}
	p := &page{painter: a.painter(a.out)}
	for _, r := range results {
		switch r.Status {
		case policy.Passed:
			s.Passed++
		case policy.Failed:
			s.Failed++
		case policy.Undecided:
			s.Errors++
		}
		if verbose || r.Status != policy.Passed {
			p.test(r)
		}
	}
	var err error
	if asJSON {
		err = a.printJSON(s)
	} else {
		p.line(s.String())
		err = p.flush(a.out)
	}
	switch {
	case err != nil:
		return err
	case s.Errors > 0:
		return fmt.Errorf("%d of %s could not be judged", s.Errors, plural(len(results), "test"))
	case s.Failed > 0:
		return errNo
	}
	return nil
}

func (p *page) test(r policy.TestResult) {
	p.line(fmt.Sprintf("%s %s:%d: %s", p.outcome(string(r.Status)), policy.Visible(r.File), r.Line, policy.Visible(r.Name)))
	for _, d := range r.Differences {
		p.line("    " + policy.Visible(d))
	}
	if r.Status == policy.Failed {
		p.line("    because " + policy.Visible(r.Reason))
	}
}
