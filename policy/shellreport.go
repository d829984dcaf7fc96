package policy

import (
	"bytes"
	"cmp"
	"errors"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/shell"
)

// ShellReport is how a command is understood, without any rules. The names of its
// keys are part of the interface.
type ShellReport struct {
	Command   string `json:"command"`
	ReadOnly  bool   `json:"readonly"`
	Dangerous bool   `json:"dangerous"`
	// Doubt is why it is not known to only read.
	Doubt    *ShellDoubt    `json:"doubt,omitempty"`
	Parts    []ShellPart    `json:"parts"`
	Reads    []ShellAccess  `json:"reads"`
	Writes   []ShellAccess  `json:"writes"`
	Findings []ShellFinding `json:"findings"`
	// Problem is why the text is never allowed: bash would not understand it either,
	// or nobody could review it.
	Problem *ShellProblem `json:"problem,omitempty"`
}

// ShellPart is one simple command that would run.
type ShellPart struct {
	Text string   `json:"text"`
	Span [2]int   `json:"span"`
	Via  []string `json:"via,omitempty"`
	// Unknown says what about it is not known before it runs.
	Unknown string `json:"unknown,omitempty"`
	// Redefined says why the words do not mean what they seem to.
	Redefined string `json:"redefined,omitempty"`
}

// ShellAccess is a file that it names.
type ShellAccess struct {
	Path     string `json:"path"`
	Span     [2]int `json:"span"`
	Redirect bool   `json:"redirect,omitzero"`
	Deletes  bool   `json:"deletes,omitzero"`
}

// ShellFinding is something dangerous about it.
type ShellFinding struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Span [2]int `json:"span"`
	// Floor: it needs a person in every mode, whatever the rules say.
	Floor bool `json:"floor,omitzero"`
}

// ShellDoubt names the part that is not known to only read.
type ShellDoubt struct {
	Text string `json:"text"`
	Span [2]int `json:"span"`
}

// ShellProblem is why a text cannot be judged.
type ShellProblem struct {
	Text string `json:"text"`
	At   int    `json:"at"`
}

// DescribeShell says how a command is understood.
func DescribeShell(command string) ShellReport {
	script := shell.Parse(command)
	r := ShellReport{Command: PartText(command), Parts: []ShellPart{}, Reads: []ShellAccess{}, Writes: []ShellAccess{}, Findings: []ShellFinding{}}
	if doubt := script.ReadOnly(); doubt.Text != "" {
		r.Doubt = &ShellDoubt{Text: PartText(doubt.Text), Span: pair(doubt.Span)}
	}
	r.ReadOnly = r.Doubt == nil
	if p := script.Problem; p != nil {
		r.Problem = &ShellProblem{Text: PartText(p.Text), At: int(p.At)}
	}
	for _, f := range script.Danger() {
		r.Findings = append(r.Findings, ShellFinding{Kind: f.Kind, Text: PartText(f.Text), Span: pair(f.Span), Floor: f.Floor})
	}
	r.Dangerous = len(r.Findings) > 0
	r.addParts(script)
	r.addAccesses(script)
	return r
}

func pair(s shell.Span) [2]int { return [2]int{int(s.Start), int(s.End)} }

func (r *ShellReport) addParts(script *shell.Script) {
	for i := range script.Commands {
		c := &script.Commands[i]
		if c.Link == shell.Guess {
			continue
		}
		part := ShellPart{Text: PartText(c.Text()), Span: pair(c.Span), Via: c.Via, Redefined: PartText(cmp.Or(c.Taint, c.Unlisted))}
		switch c.Opaque {
		case shell.OpaqueShell:
			part.Unknown = "runs shell commands that are only known when it runs"
		case shell.OpaqueCode:
			part.Unknown = "runs a program text that is not understood"
		case shell.Clear:
		}
		r.Parts = append(r.Parts, part)
	}
}

func (r *ShellReport) addAccesses(script *shell.Script) {
	for _, a := range script.Accesses() {
		if script.Commands[a.Command].Link == shell.Guess {
			continue
		}
		for _, path := range script.Paths(a) {
			access := ShellAccess{Path: PartText(path), Span: pair(a.Span), Redirect: a.Redirect, Deletes: a.Mode == shell.Deletes}
			if a.Mode == shell.Reads {
				r.Reads = append(r.Reads, access)
			} else {
				r.Writes = append(r.Writes, access)
			}
		}
	}
}

// ShellLineReply answers one line of `assent shell --jsonl`.
type ShellLineReply struct {
	ID strictjson.Raw `json:"id"`
	*ShellReport
	Error string `json:"error,omitempty"`
}

// ShellLine answers one line: `{"id", "command"}`.
func ShellLine(line []byte) ShellLineReply {
	if len(bytes.TrimSpace(line)) == 0 {
		return ShellLineReply{Error: "the line is empty"}
	}
	var q struct {
		ID      strictjson.Raw `json:"id"`
		Command *string        `json:"command"`
	}
	err := strictjson.UnmarshalKnown(line, &q)
	if err == nil && q.Command == nil {
		err = errors.New("command is missing")
	}
	if err != nil {
		return ShellLineReply{ID: LineID(line), Error: err.Error()}
	}
	report := DescribeShell(*q.Command)
	return ShellLineReply{ID: q.ID, ShellReport: &report}
}
