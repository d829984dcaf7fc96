package builtin

import (
	"fmt"
	"slices"
	"strings"
)

// picker says which files of a tree Grep reads. Hidden ones and those that git ignores
// are passed over, as people who look for something in their code want it, unless the
// glob names them: "*.log" is a name, "*" and "**" are none.
type picker struct {
	include, exclude []pathPattern
	types            []string
	// lead is the way from the working directory to the start of the search, so that a
	// glob may start at either. It is nil when the search does not start below.
	lead []string
}

func newPicker(glob, typeName string, start scope, cwd string) (*picker, error) {
	p := &picker{}
	if len(glob) > mostPattern {
		return nil, fmt.Errorf("the glob has more than %d characters", mostPattern)
	}
	for _, text := range splitGlobs(glob) {
		if err := p.add(text); err != nil {
			return nil, fmt.Errorf("the glob %q cannot be used: %w", text, err)
		}
	}
	if typeName != "" {
		var err error
		if p.types, err = filesOfType(typeName); err != nil {
			return nil, err
		}
	}
	if below, ok := strings.CutPrefix(start.given, strings.TrimSuffix(cwd, "/")+"/"); ok {
		p.lead = strings.Split(below, "/")
	}
	return p, nil
}

func (p *picker) add(text string) error {
	text, excluded := strings.CutPrefix(text, "!")
	switch inner := strings.TrimSuffix(text, "/"); {
	case inner == "":
		return nil
	case !strings.Contains(inner, "/"):
		text = "**/" + text // a bare name is one at any depth
	}
	if strings.HasSuffix(text, "/") && !excluded {
		text += span
	}
	patterns, err := parsePatterns(strings.TrimSuffix(text, "/"))
	if excluded {
		p.exclude = append(p.exclude, patterns...)
	} else {
		p.include = append(p.include, patterns...)
	}
	return err
}

// splitGlobs takes a list of globs apart. A comma in braces belongs to a glob.
func splitGlobs(text string) []string {
	var globs []string
	begin, depth := 0, 0
	take := func(end int) {
		if end > begin {
			globs = append(globs, text[begin:end])
		}
		begin = end + 1
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case (c == ' ' || c == ',') && depth <= 0:
			take(i)
		}
	}
	take(len(text))
	return globs
}

// enters says whether to look into a directory.
func (p *picker) enters(d *found) bool {
	if p.any(p.exclude, d.below, pathPattern.fitsPath) {
		return false
	}
	if d.ignored || strings.HasPrefix(d.name, ".") {
		return slices.ContainsFunc(p.include, func(g pathPattern) bool { return g.names(d.name) })
	}
	return len(p.include) == 0 || p.any(p.include, d.below, pathPattern.mayFitBelow)
}

// reads says whether to look into a file.
func (p *picker) reads(f *found) bool {
	if p.any(p.exclude, f.below, pathPattern.fitsPath) {
		return false
	}
	switch hidden := f.ignored || strings.HasPrefix(f.name, "."); {
	case hidden && !p.any(p.include, f.below, pathPattern.fitsNamed),
		len(p.include) > 0 && !p.any(p.include, f.below, pathPattern.fitsPath):
		return false
	}
	return p.types == nil || slices.ContainsFunc(p.types, func(t string) bool { return ofRunes.fits(t, f.name) })
}

// any tries the patterns from the start of the search and from the working directory.
func (p *picker) any(patterns []pathPattern, below []string, fits func(pathPattern, []string) bool) bool {
	for _, g := range patterns {
		if fits(g, below) || p.lead != nil && fits(g, slices.Concat(p.lead, below)) {
			return true
		}
	}
	return false
}

func (p pathPattern) fitsPath(path []string) bool { return p.match(path, ofRunes) }

func (p pathPattern) mayFitBelow(path []string) bool { return p.mayMatchBelow(path, ofRunes) }

// fitsNamed: it fits, and the name is more than anything.
func (p pathPattern) fitsNamed(path []string) bool {
	return len(p) > 0 && strings.Trim(p[len(p)-1], "*") != "" && p.match(path, ofRunes)
}

// names: a component of it that is more than anything fits the name.
func (p pathPattern) names(name string) bool {
	return slices.ContainsFunc(p, func(part string) bool { return strings.Trim(part, "*") != "" && ofRunes.fits(part, name) })
}
