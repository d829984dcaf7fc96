package policy

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// Test is one expectation of a policy.
type Test struct {
	Name string
	Line int // where it stands in its file
	Query
	Expect permission.Behavior
	// Rule is the text of the rule that must decide; empty: any, or none.
	Rule string
	// Reason is a part of the sentence that must be given; empty: any.
	Reason string
}

// testDefaults hold for every test of a file that does not say otherwise.
type testDefaults struct {
	Permissions *Permissions       `json:"permissions"`
	Cwd         string             `json:"cwd"`
	Home        string             `json:"home"`
	Mode        string             `json:"mode"`
	Symlinks    *map[string]string `json:"symlinks"`
}

// wireTest is a test as it is written.
type wireTest struct {
	Name   string         `json:"name"`
	Call   string         `json:"call"`
	Tool   string         `json:"tool"`
	Input  strictjson.Raw `json:"input"`
	Expect string         `json:"expect"`
	Rule   string         `json:"rule"`
	Reason string         `json:"reason"`
	testDefaults
}

type wireTestFile struct {
	Comment string     `json:"$schema"`
	Tests   []wireTest `json:"tests"`
	testDefaults
}

// TestFileError says what is wrong with a test file, and where.
type TestFileError struct {
	File         string
	Line, Column int
	Problem      string
}

func (e *TestFileError) Error() string {
	if e.Column == 0 {
		return fileLine(e.File, e.Line) + ": " + e.Problem
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// ReadTests reads a file of tests: JSON with comments, or one test a line when
// its name ends in .jsonl. Keys that are not known are refused, because a test
// that checks less than it says is worse than none.
func ReadTests(file string, text []byte) ([]Test, error) {
	if strings.EqualFold(filepath.Ext(file), ".jsonl") {
		return readTestLines(file, text)
	}
	text = blankComments(text)
	var w wireTestFile
	if err := strictjson.UnmarshalKnown(text, &w); err != nil {
		return nil, testFault(file, 0, err)
	}
	start, end := member(text, "tests")
	if start < 0 || len(w.Tests) == 0 {
		return nil, &TestFileError{File: file, Problem: `there are no tests: write {"tests": [{"call": "Bash(git push)", "expect": "deny"}]}`}
	}
	lines := linesOf(text, start, elements(text[start:end]))
	var all []Test
	for i, t := range w.Tests {
		test, err := t.test(w.testDefaults)
		if err != nil {
			return nil, &TestFileError{File: file, Line: lines[i], Problem: err.Error()}
		}
		test.Line = lines[i]
		all = append(all, test)
	}
	return all, nil
}

func linesOf(text []byte, base int, offsets []int) []int {
	lines := make([]int, len(offsets))
	for i, offset := range offsets {
		lines[i] = 1 + bytes.Count(text[:base+offset], []byte{'\n'})
	}
	return lines
}

func readTestLines(file string, text []byte) ([]Test, error) {
	var all []Test
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var w wireTest
		if err := strictjson.UnmarshalKnown(line, &w); err != nil {
			return nil, testFault(file, number-1, err)
		}
		test, err := w.test(testDefaults{})
		if err != nil {
			return nil, &TestFileError{File: file, Line: number, Problem: err.Error()}
		}
		test.Line = number
		all = append(all, test)
	}
	if len(all) == 0 {
		return nil, &TestFileError{File: file, Problem: "there are no tests"}
	}
	return all, nil
}

func testFault(file string, above int, err error) error {
	fault, ok := errors.AsType[*strictjson.Error](err)
	if !ok {
		return &TestFileError{File: file, Problem: err.Error()}
	}
	problem := fault.Message
	if fault.Pointer != "" {
		problem += ", at " + fault.Pointer
	}
	return &TestFileError{File: file, Line: above + fault.Line, Column: fault.Column, Problem: problem}
}

// test fills in the defaults and reads the words.
func (w wireTest) test(d testDefaults) (Test, error) {
	d.fill(&w.testDefaults)
	t := Test{Name: w.Name, Rule: w.Rule, Reason: w.Reason}
	t.Cwd, t.Home, t.Permissions = w.Cwd, w.Home, w.Permissions
	if w.Symlinks != nil {
		t.Symlinks = *w.Symlinks
	}
	if err := w.call(&t); err != nil {
		return t, err
	}
	if err := w.expected(&t); err != nil {
		return t, err
	}
	var err error
	if w.Mode != "" {
		t.Mode, err = permission.ParseMode(w.Mode)
	}
	return t, err
}

func (w wireTest) expected(t *Test) error {
	for _, b := range []permission.Behavior{permission.Allow, permission.Ask, permission.Deny} {
		if w.Expect == b.String() {
			t.Expect = b
			return nil
		}
	}
	return fmt.Errorf("expect %q: want allow, ask or deny", w.Expect)
}

func (d testDefaults) fill(w *testDefaults) {
	if w.Permissions == nil {
		w.Permissions = d.Permissions
	}
	if w.Symlinks == nil {
		w.Symlinks = d.Symlinks
	}
	w.Cwd = either(w.Cwd, d.Cwd)
	w.Home = either(w.Home, d.Home)
	w.Mode = either(w.Mode, d.Mode)
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (w wireTest) call(t *Test) error {
	switch {
	case w.Call != "" && (w.Tool != "" || w.Input != nil):
		return errors.New("a test has either call or tool and input, not both")
	case w.Call != "":
		call, err := ParseCall(w.Call)
		if err != nil {
			return err
		}
		t.Tool, t.Input = call.Tool, call.Input
		t.Name = either(t.Name, w.Call)
	case w.Tool == "" || w.Input == nil:
		return errors.New("what is to be judged is missing: write call, or tool and input")
	default:
		t.Tool, t.Input = w.Tool, w.Input
		t.Name = either(t.Name, w.Tool+" "+w.Input.String())
	}
	return nil
}
