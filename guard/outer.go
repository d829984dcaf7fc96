package guard

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

// What a project restricts holds in everything below it, also where something there
// is a project of its own: a submodule, or a package that the agent takes for the
// project. It grants nothing there.

// around is the strictest decision by the settings of the directories around an event, which
// was decided so far by those of its projects.
func (g *guard) around(event *dialect.Event, d *decided) (worst verdict, err error) {
	w, inner := &d.where, d.worst.judge
	if g.Settings.Dir != "" { // the person has named the project
		return worst, nil
	}
	dirs, err := outer(w)
	if err != nil || len(dirs) == 0 {
		return worst, err
	}
	calls := slices.Clone(event.Calls)
	for i := range calls {
		calls[i].Guess, calls[i].Doubt = true, "" // only a rule or a safety check counts
	}
	limited, plain := g.restricting(), *event
	plain.Mode = permission.Default
	if inner != nil && inner.context.Mode() == permission.DontAsk {
		plain.Mode = permission.DontAsk
	}
	for _, dir := range dirs {
		j, err := limited.judge(&plain, dir, nil)
		if err != nil {
			return worst, err
		}
		d.settings = append(d.settings, j.settings)
		v, err := j.strictest(calls, w.dirs)
		if err != nil {
			return worst, err
		}
		worst = stricter(worst, v)
	}
	return worst, nil
}

// restricting is the guard for a directory around the project: it reads that
// directory's own settings and no others. Rules of other files have been judged, and a
// "./x" in them is not about this directory.
func (g *guard) restricting() *guard {
	var limited guard
	limited.Options = g.Options
	o := &limited.Settings
	o.Sources = []rule.Source{rule.ProjectSettings, rule.LocalSettings}
	o.ManagedFiles, o.Flag, o.TrustWorkspace = []string{}, "", false
	return &limited
}

// outer are the directories with settings at and above the projects and the working
// directories, without the projects themselves. As with the search for the project,
// it ends before the home directory.
func outer(w *where) ([]string, error) {
	var projects []string
	for _, project := range w.projects {
		isReal := slices.ContainsFunc(w.dirs, func(dir string) bool { return dir == project || strings.HasPrefix(dir, project+"/") })
		if !isReal {
			if real, err := filepath.EvalSymlinks(project); err == nil {
				project = real
			}
		}
		projects = append(projects, project)
	}
	var all, seen []string
	for _, start := range slices.Concat(projects, w.dirs) {
		for at := start; at != w.homes[0] && at != w.homes[1] && !slices.Contains(seen, at); at = filepath.Dir(at) {
			seen = append(seen, at)
			if slices.Contains(projects, at) || slices.Contains(w.plain, at) {
				continue
			}
			found, err := hasSettings(at)
			if err != nil {
				return nil, err
			}
			if found {
				all = append(all, at)
			}
		}
	}
	return all, nil
}
