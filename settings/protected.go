package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// Protected are the places that decide over later calls and that nobody would know by
// their names: where the settings files, commands, agents and records really are, and
// each name that links give them. A permission context of these settings has them.
func (s *Settings) Protected() []permission.Place { return slices.Clone(s.config.Protected) }

// protected finds the places. What is protected by its name is left out.
func (p *places) protected(texts []text) []permission.Place {
	n := namer{known: map[string][]string{}, missing: map[string]bool{}}
	for _, dir := range [...]string{p.realDir, p.realHome} {
		n.known[dir] = []string{dir} // no link is on the way to it
	}
	if p.StateDir != "" {
		n.why = "assent keeps its state there"
		n.add(p.StateDir)
		for _, part := range [...]string{"sessions", "audit", "trust.json", "trusted-commands.json"} {
			n.add(filepath.Join(p.StateDir, part))
		}
	}
	n.why = "settings are read from there"
	for _, file := range p.ManagedFiles {
		n.add(dropInDir(file))
	}
	for _, t := range texts {
		if t.source == rule.PolicySettings {
			n.add(t.path)
		}
	}
	if p.Flag != "" {
		n.add(p.flagSlot().path)
	}
	n.add(p.ConfigDir)
	// What was moved stays protected where it is by default as well: other programs of the
	// same person may read it there.
	unmoved := Options{Home: p.Home}
	for _, dir := range [...]string{filepath.Join(p.Dir, ".claude"), unmoved.userDir(), p.ConfigDir} {
		for _, part := range [...]string{"settings.json", "settings.local.json", "commands", "agents"} {
			n.add(filepath.Join(dir, part))
		}
	}
	n.add(p.mcpPath())
	n.add(unmoved.VendorFile())
	n.add(p.VendorFile())
	return n.places
}

// namer finds all names of files on the way from a path to where it really is: the path
// itself, and what comes of it with each link that is followed.
type namer struct {
	known map[string][]string
	// missing are paths where there is nothing: then nothing is in them either.
	missing map[string]bool
	places  []permission.Place
	why     string
}

func (n *namer) add(path string) {
	if !filepath.IsAbs(path) { // JSON on the command line
		return
	}
	for _, name := range n.names(filepath.Clean(path), maxLinks) {
		have := func(p permission.Place) bool { return within(p.Path, name) }
		if !shell.Protected(name) && !slices.ContainsFunc(n.places, have) {
			n.places = append(n.places, permission.Place{Path: name, Why: n.why})
		}
	}
}

// names are those of a path, of which at most so many links are followed.
func (n *namer) names(path string, links int) []string {
	if names, done := n.known[path]; done {
		return names
	}
	dir := filepath.Dir(path)
	if dir == path || links == 0 {
		return []string{path}
	}
	n.known[path] = []string{path} // a link that leads to itself has no other name
	var all []string
	add := func(name string) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	for _, above := range n.names(dir, links) {
		name := filepath.Join(above, filepath.Base(path))
		add(name)
		if n.missing[above] {
			n.missing[name] = true
			continue
		}
		target, err := os.Readlink(name)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				n.missing[name] = true
			}
			continue
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(above, target)
		}
		for _, other := range n.names(filepath.Clean(target), links-1) {
			add(other)
		}
	}
	n.known[path] = all
	return all
}
