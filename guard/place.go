package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/assent-dev/assent/dialect"
)

// maxRoots bounds how many directories of one workspace are judged.
const maxRoots = 16

// where says by whose settings an event is judged, and where its calls run. All
// projects count, and so do all directories.
type where struct {
	projects []string
	dirs     []string // as the kernel names them
	// homes are the names of the home directory. Nothing at or above it is a project
	// that is looked for; what lies there are the person's own settings.
	homes [2]string
	// plain are directories that turned out to have no settings of a project.
	plain []string
	// real is where the directories and the home directory really are.
	real map[string]string
}

// places finds out where the event happens. The project is the one that the person
// names, else the one that the agent names to its hooks and the directories of its
// workspace, else the one that the working directory belongs to.
func (g *guard) places(event *dialect.Event) (where, error) {
	if len(event.Roots) > maxRoots {
		return where{}, fmt.Errorf("the workspace has %d directories, which is more than %d", len(event.Roots), maxRoots)
	}
	w := where{real: map[string]string{}}
	for _, dir := range g.workingDirs(event) {
		real, err := realDir(dir)
		if err != nil {
			return where{}, err
		}
		w.dirs = append(w.dirs, real)
		w.real[dir], w.real[real] = real, real
	}
	if g.Settings.Dir != "" {
		w.projects = []string{g.Settings.Dir}
		return w, nil
	}
	w.homes = [2]string{g.Settings.Home, g.Settings.Home}
	if real, err := filepath.EvalSymlinks(g.Settings.Home); err == nil {
		w.homes[1], w.real[g.Settings.Home] = real, real
	}
	if g.Project != "" {
		w.projects = append(w.projects, filepath.Clean(g.Project))
	}
	for _, root := range event.Roots {
		if root = filepath.Clean(root); !slices.Contains(w.projects, root) {
			w.projects = append(w.projects, root)
		}
	}
	if len(w.projects) > 0 {
		return w, nil
	}
	project, err := w.projectOf(w.dirs[0])
	w.projects = []string{project}
	w.real[project] = project // no link is on the way to it either
	return w, err
}

// workingDirs is where the agent works: the directory that the event names, else any
// of its workspace, else that of this process.
func (g *guard) workingDirs(event *dialect.Event) []string {
	switch {
	case event.Cwd != "":
		return []string{event.Cwd}
	case len(event.Roots) > 0:
		return event.Roots
	}
	return []string{g.Cwd}
}

func realDir(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("the working directory %q is not an absolute path", dir)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		err = wantDir(real)
	}
	if err != nil {
		return "", fmt.Errorf("the working directory %s cannot be used: %w", dir, cause(err))
	}
	return real, nil
}

func wantDir(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	return err
}

// projectOf is the nearest directory at or above dir that looks like a project, or
// dir itself if there is none. An agent may stand anywhere in its project, and what
// the project restricts must hold there. The home directory is none.
func (w *where) projectOf(dir string) (string, error) {
	for at := dir; at != w.homes[0] && at != w.homes[1]; at = filepath.Dir(at) {
		found, err := looksLikeProject(at)
		if found || err != nil {
			return at, err
		}
		w.plain = append(w.plain, at)
		if at == filepath.Dir(at) {
			break
		}
	}
	return dir, nil
}

func looksLikeProject(dir string) (bool, error) {
	found, err := exists(filepath.Join(dir, ".git"))
	if found || err != nil {
		return found, err
	}
	return hasSettings(dir)
}

// hasSettings: the directory has settings of a project, readable or not.
func hasSettings(dir string) (bool, error) {
	settings := filepath.Join(dir, ".claude")
	found, err := exists(settings)
	if !found || err != nil {
		return false, err
	}
	if found, err = exists(filepath.Join(settings, "settings.json")); found || err != nil {
		return found, err
	}
	return exists(filepath.Join(settings, "settings.local.json"))
}

func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return false, nil
	}
	return false, fmt.Errorf("cannot tell where the project begins: %s: %w (name it with --project)", path, cause(err))
}

// checkHome: without the home directory the person's own rules would be missing, and
// nobody would notice.
func checkHome(home string) error {
	if home == "" {
		return errors.New("there is no home directory (set HOME)")
	}
	if err := wantDir(home); err != nil {
		return fmt.Errorf("the home directory %s cannot be used, so your own rules cannot be found: %w (set HOME)", home, cause(err))
	}
	return nil
}

// cause is what the operating system said, without the path that stands before it.
func cause(err error) error {
	if pathErr, ok := errors.AsType[*os.PathError](err); ok {
		return pathErr.Err
	}
	return err
}

// isDir: a path that a call names may be a directory. What cannot be looked at may.
func (j *judge) isDir(path, dir string) bool {
	switch rest, below := strings.CutPrefix(path, "~/"); {
	case path == "~" || below:
		path = j.context.Home() + "/" + rest
	case !filepath.IsAbs(path):
		path = dir + "/" + path
	}
	for _, reading := range [...]string{path, filepath.Clean(path)} { // agents differ in what "x/.." is
		info, err := os.Stat(reading)
		gone := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
		if err == nil && info.IsDir() || err != nil && !gone {
			return true
		}
	}
	return false
}
