package guard

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/assent-dev/assent/dialect"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// maxNames bounds how many names are read to find out where a pattern leads.
const maxNames = 1 << 13

// patternWalk follows a pattern to the links that it finds.
type patternWalk struct {
	links  permission.Lister
	follow permission.Links
	root   string                             // as the kernel names it
	may    func(name string, isDir bool) bool // what links lead to outside of root may be read
	budget int
	doubt  string
}

// leaves is why what a pattern finds through links may not be read like the rest of a directory; empty if
// it may.
func (j *judge) leaves(dir, pattern, cwd string) string {
	links := j.links
	if links == nil {
		links = permission.NoLinks{}
	}
	lister, ok := links.(permission.Lister)
	if !ok {
		return "its pattern may find a link to anywhere"
	}
	root := permission.ResolvePath(links, dir, cwd, j.context.Home())
	if root.Problem != "" {
		return root.Problem
	}
	may := func(name string, isDir bool) bool {
		one := dialect.Call{Tool: "Read", Input: object("file_path", name)}
		if isDir {
			one = dialect.Call{Tool: "Grep", Input: object("pattern", ".", "path", name, "glob", ".*")}
		}
		v, err := j.decide(one, cwd)
		return err == nil && v.strictness() == 1
	}
	w := patternWalk{links: lister, follow: links, root: root.Real, may: may, budget: maxNames}
	w.walk([]string{root.Real}, strings.Split(pattern, "/"))
	return w.doubt
}

// object is an input of texts, name and value in turn.
func object(pairs ...string) []byte {
	input := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		input[pairs[i]] = pairs[i+1]
	}
	text, err := strictjson.Marshal(input)
	if err != nil {
		return nil // which is no valid input
	}
	return text
}

// walk follows the parts of a pattern through directories.
func (w *patternWalk) walk(dirs, parts []string) {
	for i, part := range parts {
		if part == "" || part == "." {
			continue
		}
		var next []string
		deep := strings.Contains(part, "**")
		for at := 0; at < len(dirs) && w.doubt == ""; at++ {
			found := w.step(dirs[at], part, parts[i+1:])
			if next = append(next, found...); deep {
				dirs = append(dirs, found...)
			}
		}
		if deep {
			next = dirs
		}
		dirs = next
	}
}

// step are the directories in one that a part of a pattern finds.
func (w *patternWalk) step(dir, part string, more []string) (found []string) {
	listing, err := w.links.List(dir, w.budget)
	w.budget -= listing.Read
	if err != nil || listing.Partial || w.budget <= 0 {
		w.doubt = "its pattern finds too much to follow it through links"
		return nil
	}
	deep := strings.Contains(part, "**")
	for _, name := range listing.Links {
		at := dir + "/" + name
		leadsOn := isDir(at)
		if !finds(part, name) || deep && !leadsOn && len(more) > 0 { // the next part finds it
			continue
		}
		real := permission.ResolvePath(w.follow, at, "/", "")
		if real.Problem != "" || !below(w.root, real.Real) && !w.may(real.Real, leadsOn) {
			w.doubt = "its pattern finds the link " + at + ", and where that leads is not read unasked"
			return nil
		}
		if !deep || !below(w.root, real.Real) { // else it is found there
			found = append(found, real.Real)
		}
	}
	for _, name := range listing.Dirs {
		if (len(more) > 0 || deep) && finds(part, name) {
			found = append(found, dir+"/"+name)
		}
	}
	return found
}

func below(root, name string) bool {
	return name == root || strings.HasPrefix(name, strings.TrimSuffix(root, "/")+"/")
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir() || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// finds: a part of a pattern matches a name, or may do so. Letter case does not matter to some agents.
func finds(part, name string) bool {
	if strings.Contains(part, "**") || strings.ContainsAny(part, `[({\!+@`) {
		return true
	}
	ok, err := path.Match(strings.ToLower(part), strings.ToLower(name))
	return ok || err != nil
}
