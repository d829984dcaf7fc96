package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An error in an expansion, such as a division by zero or a value for a variable that is
// readonly, ends the line on which it stands, and bash goes on with the next one. Whoever
// gets further on the same line has passed its assignments; whoever gets to the next line
// may not have.

// lines are those of a script, as far as errors end them.
type lines struct {
	found []line
	// fails: any of them may end early.
	fails bool
}

// line is one of them, with everything that a compound command on it holds.
type line struct {
	from, to int32
	fails    bool
	unclear  bool            // it may be several
	names    []evaluatedName // variables whose values are evaluated
}

// line starts the next one, and says how many statements are on it.
func (l *lines) line(src string, stmts []*syntax.Stmt) int {
	n, unclear := 1, false
	for ; n < len(stmts); n++ {
		from, to := int(offset(stmts[n-1].End())), int(offset(stmts[n].Pos()))
		if from >= to || to > len(src) { // in a here-document, whose line goes on
			continue
		}
		between := src[from:to]
		if strings.Contains(between, "\\\n") { // the line goes on, unless that is in a comment
			unclear = true
		} else if strings.IndexByte(between, '\n') >= 0 {
			break
		}
	}
	l.found = append(l.found, line{from: offset(stmts[0].Pos()), to: offset(stmts[n-1].End()), unclear: unclear})
	return n
}

func (l *lines) current() *line {
	if len(l.found) == 0 {
		return nil
	}
	return &l.found[len(l.found)-1]
}

// mayFail notes an error that may end the current line.
func (l *lines) mayFail(may bool) {
	if line := l.current(); may && line != nil {
		line.fails = true
	}
}

// failures takes back what is only sure if no line ends early.
func (c *collector) failures() {
	for _, name := range c.readonly {
		c.fails = c.fails || len(c.assigned[name]) > 1 || c.loose[name]
	}
	for _, name := range [...]string{"UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO"} {
		c.fails = c.fails || c.assigned[name] != nil
	}
	if len(c.found) == 1 && !c.found[0].unclear || !c.fails && !slices.ContainsFunc(c.found, func(l line) bool { return l.fails }) {
		return
	}
	for _, all := range c.assigned {
		for i := range all {
			at := slices.IndexFunc(c.found, func(l line) bool { return all[i].at <= l.to })
			switch {
			case at < 0 || !c.fails && !c.found[at].fails:
			case c.found[at].unclear:
				all[i].until = 0
			default:
				all[i].until = min(all[i].until, c.found[at].to)
			}
		}
	}
}
