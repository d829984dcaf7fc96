//go:build linux

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/permission"
)

// finding is a script that was allowed and did what it may not do, or that broke the judgement.
type finding struct {
	kind   string // crash, ran, opened or changed
	what   string
	regime string
	shell  *shell
	script string
	source string
}

func (f finding) String() string {
	if f.kind == "crash" {
		return fmt.Sprintf("crash %s | %s\n    %s", f.what, f.source, shown(f.script))
	}
	return fmt.Sprintf("%s %s | allowed by: %s | %s | %s\n    %s", f.kind, f.what, f.regime, f.shell.name, f.source, shown(f.script))
}

// shown is a script as a Go string. What is long is so by repetition, and its source says of what.
func shown(script string) string {
	const most = 2000
	if len(script) <= most {
		return strconv.Quote(script)
	}
	return fmt.Sprintf("%q … %q (%d bytes)", script[:most/2], script[len(script)-most/2:], len(script))
}

// class is the finding without the words that could as well be others.
func (f finding) class() string {
	return f.kind + f.shell.sh + alike.Replace(f.script)
}

var alike = strings.NewReplacer(
	"make", "X", "npm publish", "X", "touch new", "X", "rm f", "X", "touch", "X", "npm", "X", "echo hi", "R", "echo", "R", "printf x", "R", "wc -l f", "R", "head -1 f", "R", "cat f", "R", "cat", "R", "ls", "R",
	"true", "R", ":", "R", "test -f f", "R", "foo a", "R", "'E'", "E", "\"E\"", "E", "\\E", "E",
)

// lookout judges and runs scripts, and finds what went wrong.
type lookout struct {
	*judge
	*sandbox
}

// broken is what a script did against the rules of a regime that allowed it; nil when all is well.
func (l *lookout) broken(v verdict, o outcome) *finding {
	for i, r := range regimes {
		if v[i] != permission.Allow {
			continue
		}
		for _, argv := range o.calls {
			if l.forbidden(i, argv) {
				return &finding{kind: "ran", what: strings.Join(argv, " "), regime: r.name}
			}
		}
		for _, e := range o.events {
			secret := e.path == ".env"
			outside := strings.HasPrefix(e.path, "../") && len(r.forbidden) == 0 // Bash(*) lets programs write there
			guarded := strings.HasPrefix(e.path, ".git/") || strings.HasPrefix(e.path, ".claude/")
			switch {
			case e.changed && (r.reads || outside || guarded || r.secret && secret):
				return &finding{kind: "changed", what: e.path, regime: r.name}
			case !e.changed && r.secret && secret:
				return &finding{kind: "opened", what: e.path, regime: r.name}
			}
		}
	}
	return nil
}

// forbidden reports whether a stub should not have been started. Where all is allowed but a few
// commands it is those: what other programs do with their words cannot be known.
func (l *lookout) forbidden(regime int, argv []string) bool {
	if list := regimes[regime].forbidden; len(list) > 0 {
		return slices.ContainsFunc(list, func(c string) bool { return strings.HasPrefix(strings.Join(argv, " ")+" ", c+" ") })
	}
	for _, words := range [][]string{argv, argv[:1]} { // a program may be allowed whatever its words are
		if alone, err := l.judge.call(words); err == nil && alone != nil && alone[regime] == permission.Allow {
			return false
		}
	}
	return true
}

// try judges a script and, if it is allowed, runs it.
func (l *lookout) try(sh *shell, script string) (v verdict, ran bool, f *finding, err error) {
	v, crash := l.judge.script(script, sh)
	if crash != nil {
		return v, false, &finding{kind: "crash", what: crash.Error(), shell: sh, script: script}, nil
	}
	if v == nil || !v.allowed() || !harmless(script) || l.sandbox == nil {
		return v, false, nil, nil
	}
	o, err := l.sandbox.run(sh, script)
	if err != nil {
		return v, true, nil, fmt.Errorf("%w (while %s ran %q)", err, sh.name, script)
	}
	if f = l.broken(v, o); f != nil {
		f.shell, f.script = sh, script
	}
	return v, true, f, nil
}

// minimise takes away whatever can go while the same kind of thing still happens.
func (l *lookout) minimise(f finding) (finding, error) {
	for size := max(1, len(f.script)/2); size > 0; size /= 2 {
		for at := 0; at < len(f.script); {
			less := f.script[:at] + f.script[min(len(f.script), at+size):]
			_, _, still, err := l.try(f.shell, less)
			if err != nil {
				return f, err
			}
			if still == nil || still.kind != f.kind {
				at += size
				continue
			}
			f.script, f.what, f.regime = less, still.what, still.regime
		}
	}
	return f, nil
}

// report keeps one finding of each class.
type report struct {
	classes map[string]int
	first   []finding
}

func (r *report) add(f finding) (fresh bool) {
	if r.classes == nil {
		r.classes = map[string]int{}
	}
	class := f.class()
	r.classes[class]++
	if r.classes[class] > 1 {
		return false
	}
	r.first = append(r.first, f)
	return true
}
