package policy

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/shell"
)

// Explanation is a judgement with everything that a person may want to know about
// it, as data.
type Explanation struct {
	Tool  string         `json:"tool"`
	Input strictjson.Raw `json:"input"`
	Cwd   string         `json:"cwd"`
	Reply
	// Stages are the four stages in order, also those that did not run.
	Stages []StageSaid `json:"stages"`
	// Command is the source that the spans of the parts are about.
	Command string     `json:"command,omitempty"`
	Parts   []Part     `json:"parts,omitempty"`
	Paths   []PathView `json:"paths,omitempty"`
	// Classifier is set in auto mode.
	Classifier *ClassifierView `json:"classifier,omitempty"`
	// Approvals is set where settings say what a person's yes to the call needs.
	Approvals *ApprovalsView `json:"approvals,omitempty"`
	Flips     []FlipView     `json:"flips"`
	Notes     []string       `json:"notes,omitempty"`
}

// StageSaid is what one stage of the pipeline said.
type StageSaid struct {
	Stage   string `json:"stage"`
	Outcome string `json:"outcome"` // "not reached" for a stage that did not run
	Why     string `json:"why,omitempty"`
}

// FlipView is a flip as text and as data.
type FlipView struct {
	To      string       `json:"to"`
	Text    string       `json:"text"`
	Changes []wireChange `json:"changes"`
}

// PathView is a file that the call names.
type PathView struct {
	Access string `json:"access"` // reads, writes, deletes
	PathReply
	// Inside: it lies in a working directory under both its names.
	Inside    bool `json:"inside"`
	Protected bool `json:"protected,omitzero"`
	// Possible: nobody knows the program, and the word may be a file that it reads.
	Possible bool `json:"possible,omitzero"`
	// Tree: everything below it is deleted as well, if it is a directory.
	Tree bool `json:"tree,omitzero"`
}

// Explain gathers the explanation, and tries the flips out.
func (j *Judgement) Explain() Explanation {
	x := Explanation{
		Tool: j.Request.Tool, Input: j.Request.Input, Cwd: WellFormed(j.env.context.Cwd()), Reply: j.Reply(),
		Stages: j.stages(), Parts: j.parts(), Paths: j.paths(), Classifier: j.classified(), Approvals: j.approvalsView(), Flips: []FlipView{}, Notes: allWellFormed(j.notes()),
	}
	x.Reply.Parts, x.Reply.Path, x.Reply.Notes = nil, nil, nil
	if j.Call != nil && j.Call.Script() != nil {
		x.Command = j.Call.Script().Source
	}
	if strictjson.Valid(x.Input) != nil { // it is shown as the text that it is
		x.Input, _ = strictjson.Marshal(WellFormed(string(j.Request.Input)))
	}
	for _, f := range j.Flips() {
		view := FlipView{To: f.To.String(), Text: WellFormed(f.String())}
		for _, c := range f.Changes {
			view.Changes = append(view.Changes, c.wire())
		}
		x.Flips = append(x.Flips, view)
	}
	return x
}

func (j *Judgement) stages() []StageSaid {
	all := make([]StageSaid, 0, len(j.Decision.Trace))
	for i, step := range j.Decision.Trace {
		stage := permission.Stage(i + 1)
		said := StageSaid{Stage: stage.String(), Outcome: "not reached"}
		switch {
		case step.Stage == 0 && stage == permission.StageResolve && j.Decision.Behavior == permission.Ask:
			said.Outcome, said.Why = "ask", "somebody is asked"
			if j.Decision.Classify {
				said.Why = "a classifier is asked, and a person where it has no answer"
			}
		case step.Stage == 0:
		case step.Outcome == permission.Pass && step.Reason.Kind == 0:
			said.Outcome = stagePassed(stage)
		default:
			said.Outcome, said.Why = step.Outcome.String(), PartText(alone(step.Reason).String())
		}
		all = append(all, said)
	}
	return all
}

func stagePassed(s permission.Stage) string {
	switch s {
	case permission.StageValidate:
		return "valid"
	case permission.StageRules:
		return "no rule"
	case permission.StageCheck, permission.StageResolve:
	}
	return "passthrough"
}

// NeverAsItIs is the note to an input that its tool refuses. It holds for the agent of this
// program; another one does what it wants with such an input.
const NeverAsItIs = "an input that the tool's schema refuses can be mended by an answer, never run as it is"

func (j *Judgement) notes() []string {
	notes := slices.Clone(j.env.notes)
	switch {
	case j.Call == nil:
		notes = append(notes, NeverAsItIs)
	case j.Decision.NeedsPerson:
		notes = append(notes, "no rule, hook or mode can allow this: it needs a person every time")
	}
	return notes
}

// paths lists the files that the call names, as the engine sees them.
func (j *Judgement) paths() []PathView {
	if j.Call == nil {
		return nil
	}
	if p := j.Call.Path(); p.Given != "" || p.Problem != "" {
		access := shell.Reads
		if j.Call.Kind == permission.Edit {
			access = shell.Writes
		}
		return []PathView{j.path(access, p)}
	}
	script := j.Call.Script()
	if script == nil {
		return nil
	}
	var all []PathView
	for _, access := range script.Accesses() {
		if script.Commands[access.Command].Link == shell.Guess {
			continue
		}
		for _, name := range script.Paths(access) {
			v := j.accessed(access.Mode, name)
			v.Possible, v.Tree = access.Possible, access.Mode == shell.Deletes && script.DeletesTree(access)
			if !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
	}
	return all
}

func (j *Judgement) accessed(mode shell.AccessMode, name string) PathView {
	if strings.IndexByte(name, shell.Unknown) >= 0 || strings.IndexByte(name, shell.Glob) >= 0 {
		return PathView{Access: mode.String(), PathReply: PathReply{Given: PartText(name), Problem: "only known when it runs"}}
	}
	context := j.env.context
	return j.path(mode, permission.ResolvePath(j.resolver(), name, context.Cwd(), context.Home()))
}

func (j *Judgement) resolver() permission.Links {
	if j.links == nil {
		return permission.NoLinks{}
	}
	return j.links
}

func (j *Judgement) path(access shell.AccessMode, p permission.Path) PathView {
	return PathView{
		Access:    access.String(),
		PathReply: pathReply(p),
		Inside:    p.Problem == "" && j.env.inside(p.Given) && j.env.inside(p.Real),
		Protected: access != shell.Reads && j.env.context.Protects(p) != "",
	}
}

func (e *environment) inside(path string) bool {
	dirs := []string{e.context.Cwd()}
	for _, d := range e.context.Directories() {
		dirs = append(dirs, d.Path)
	}
	return slices.ContainsFunc(dirs, func(dir string) bool {
		return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
	})
}
