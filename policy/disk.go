package policy

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/settings"
)

// fromDisk reads the settings of a place, or reads them again: then a file that
// has broken in the meantime keeps its last good content, and what is new about
// them is told.
func (c *Checker) fromDisk(q Query) (kept, error) {
	o := c.Settings
	if o.Dir = q.Cwd; o.Home != q.Home {
		o.Home, o.ConfigDir = q.Home, "" // which belongs to the other user
	}
	if q.Mode != 0 {
		o.Mode = q.Mode
	}
	// Looking before reading: what changes in between is noticed the next time.
	files := append(take(settingsFiles(o)), takeManaged(o.ManagedFiles)...)
	where := q.Cwd + "\x00" + q.Home
	s, news, err := c.load(o, c.loaded[where])
	if err != nil {
		return kept{}, err
	}
	c.notice(news)
	if c.loaded == nil || len(c.loaded) >= maxEnvironments {
		c.loaded = make(map[string]*settings.Settings)
	}
	c.loaded[where] = s
	files = append(files, take(workingDirectories(s))...)
	env, err := fromSettings(s, q.Cwd, c.Rules)
	return kept{env, files}, err
}

func (c *Checker) load(o settings.Options, last *settings.Settings) (s *settings.Settings, news []settings.Report, err error) {
	if last != nil {
		s, news = settings.Reload(o, last)
		return s, news, nil
	}
	if s, err = settings.Load(o); err != nil {
		return nil, nil, err
	}
	return s, s.Reports, nil
}

// workingDirectories are the additional directories, which may be links and lead
// elsewhere one day.
func workingDirectories(s *settings.Settings) []string {
	var all []string
	for _, d := range slices.Concat(s.Config().Directories, s.HeldBack.Directories) {
		all = append(all, d.Path)
	}
	return all
}

// settingsFiles are the files that have a say about a place besides the administrator's: settings, what
// else the workspace would be given, and the records of trust.
func settingsFiles(o settings.Options) []string {
	dir := o.Dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	state := o.StateDir
	if state == "" {
		state = filepath.Join(o.Home, ".assent")
	}
	all := []string{
		o.Dir, o.Home, // which may be links
		o.File(rule.ProjectSettings), o.File(rule.LocalSettings), o.File(rule.UserSettings),
		filepath.Dir(o.File(rule.UserSettings)), // which may be a link, too
		filepath.Join(o.Dir, ".mcp.json"),
		o.VendorFile(),
		filepath.Join(state, "trust.json"),
	}
	switch flag := strings.TrimSpace(o.Flag); {
	case flag == "" || strings.HasPrefix(flag, "{"):
	case strings.HasPrefix(o.Flag, "~/"):
		all = append(all, filepath.Join(o.Home, o.Flag[2:]))
	case filepath.IsAbs(o.Flag):
		all = append(all, o.Flag)
	default:
		all = append(all, filepath.Join(dir, o.Flag))
	}
	return all
}
