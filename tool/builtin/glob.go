package builtin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/tool"
)

// mostNames is how many files Glob lists.
const mostNames = 100

// mostPattern bounds the length of a name pattern.
const mostPattern = 4096

// globTool finds files by their names. Hidden files and those that git ignores are
// found like any other: who asks for a name means that name.
type globTool struct {
	base
	home  string
	limit int // of names to look at
	time  time.Duration
}

func newGlob(o Options) *globTool {
	return &globTool{base: newBase("Glob"), home: o.Home, limit: mostVisited, time: searchTime}
}

func (*globTool) Order(*permission.Call) tool.Order { return tool.Beside }

func (t *globTool) Run(parent context.Context, job tool.Job) tool.Result {
	began := time.Now()
	ctx, cancel := context.WithTimeout(parent, t.time)
	defer cancel()
	g, err := t.prepare(&job)
	if err != nil {
		return tool.Fail(err.Error())
	}
	if g.patterns == nil {
		err = g.single()
	} else {
		w := walk{ctx: ctx, visitor: g, tally: &g.tally, limit: t.limit, view: allNames}
		err = w.tree(g.scope.real)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		g.tally.stopped, err = stoppedByTime, nil
	}
	return g.result(parent, err, time.Since(began))
}

// globbing is one run of the tool.
type globbing struct {
	job      *tool.Job
	scope    scope
	patterns []pathPattern // nil: the place is itself the file
	files    newest
	tally    tally
}

func (t *globTool) prepare(job *tool.Job) (*globbing, error) {
	in := arguments(job.Call.Input)
	pattern := in.text("pattern")
	if len(pattern) > mostPattern {
		return nil, fmt.Errorf("the pattern has more than %d characters", mostPattern)
	}
	start, err := judgedScope(job.Call)
	if err != nil {
		return nil, err
	}
	g := &globbing{job: job, scope: start, files: newest{most: mostNames}}
	literal, rest := cutLiteral(pattern)
	if start.given == "/" {
		// The engine has looked at everything: because the pattern could lead anywhere
		// or because it starts there. This one only goes down from where it starts.
		if g.scope, err = t.startOf(job, in.text("path"), literal); err != nil {
			return nil, err
		}
	}
	if rest == "" {
		return g, nil
	}
	if g.patterns, err = parsePatterns(rest); err != nil {
		return nil, fmt.Errorf("the pattern %q cannot be used: %w", pattern, err)
	}
	return g, nil
}

// cutLiteral splits a pattern where its wildcards begin: the directories in front of
// them, and the rest.
func cutLiteral(pattern string) (literal, rest string) {
	i := strings.IndexAny(pattern, "*?[{")
	if i < 0 {
		return pattern, ""
	}
	cut := strings.LastIndexByte(pattern[:i], '/') + 1
	return pattern[:cut], pattern[cut:]
}

func (t *globTool) startOf(job *tool.Job, dir, literal string) (scope, error) {
	path := literal
	if !strings.HasPrefix(literal, "/") && !strings.HasPrefix(literal, "~") {
		if dir == "" {
			dir = "."
		}
		path = dir + "/" + literal
	}
	p := permission.ResolvePath(diskLinks{}, path, job.Cwd, t.home)
	if p.Problem != "" {
		return scope{}, errors.New(p.Problem)
	}
	return scope{p.Given, p.Real}, nil
}

func (g *globbing) enter(d *found) bool {
	for _, p := range g.patterns {
		if p.mayMatchBelow(d.below, ofRunes) {
			return g.scope.mayRead(g.job, d.below, &g.tally)
		}
	}
	return false
}

func (g *globbing) file(f *found) error {
	for _, p := range g.patterns {
		if p.match(f.below, ofRunes) {
			g.list(f)
			break
		}
	}
	return nil
}

// list notes a file that matches. A link is listed when a file is behind it; it may
// only be read if what it leads to may.
func (g *globbing) list(f *found) {
	info, err := statAt(f.dir, f.name, linkTarget)
	if err != nil || !info.mode.IsRegular() {
		return
	}
	if g.scope.mayRead(g.job, f.below, &g.tally) {
		g.files.add(dated{path: g.scope.shown(f.below), modified: info.modified})
	}
}

// single is a pattern without wildcards: the name of one file.
func (g *globbing) single() error {
	parent, name := splitLast(g.scope.real)
	dir, err := openDir(parent)
	if err != nil {
		return err
	}
	defer dir.Close()
	if name != "" {
		g.list(&found{dir: dir, name: name})
	}
	return nil
}

func (g *globbing) result(ctx context.Context, err error, took time.Duration) tool.Result {
	if ctx.Err() != nil {
		return tool.Result{Text: "The search was interrupted.", Outcome: tool.NothingDone}
	}
	if err != nil && (g.patterns != nil || !errors.Is(err, fs.ErrNotExist)) {
		return tool.Fail(notSearched(g.scope, err))
	}
	paths := g.files.paths()
	notes := g.tally.notes()
	if more := g.files.total - len(paths); more > 0 {
		notes = append([]string{fmt.Sprintf("%d more files match: these are the newest. Narrow the pattern or the path.", more)}, notes...)
	}
	text := strings.Join(paths, "\n")
	if len(paths) == 0 {
		text = "No files found"
	}
	result := tool.Succeed(withNotes(text, notes))
	result.Data = data(struct {
		Files     []string `json:"filenames"`
		Milli     int64    `json:"durationMs"`
		Count     int      `json:"numFiles"`
		Truncated bool     `json:"truncated"`
	}{paths, took.Milliseconds(), len(paths), g.files.total > len(paths) || g.tally.stopped != notStopped})
	return result
}

// notSearched explains why a search could not start.
func notSearched(p scope, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.shown(nil) + " does not exist."
	case errors.Is(err, fs.ErrPermission):
		return p.shown(nil) + " cannot be opened: the system does not permit it."
	}
	return p.shown(nil) + " cannot be searched: " + err.Error()
}
