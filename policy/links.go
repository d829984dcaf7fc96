package policy

import (
	"slices"
	"strings"

	"github.com/assent-dev/assent/permission"
)

// mapLinks is a file system whose only symbolic links are those of the map, link
// to target. A relative target is relative to the directory of the link.
type mapLinks map[string]string

var (
	_ permission.Links  = mapLinks(nil)
	_ permission.Lister = mapLinks(nil)
)

// newMapLinks takes links as people write them: a final slash or "." does not
// matter.
func newMapLinks(links map[string]string) mapLinks {
	m := make(mapLinks, len(links))
	for link, target := range links {
		m[permission.ResolvePath(permission.NoLinks{}, link, "/", "/").Given] = target
	}
	return m
}

// Readlink returns the target of a link, "" for every other path.
func (m mapLinks) Readlink(path string) (string, error) { return m[path], nil }

// List finds the links in a directory, and the directories on the way to others.
func (m mapLinks) List(dir string, _ int) (permission.Listing, error) {
	var found permission.Listing
	for link := range m {
		below, ok := strings.CutPrefix(link, strings.TrimSuffix(dir, "/")+"/")
		if !ok {
			continue
		}
		found.Read++
		switch name, rest, _ := strings.Cut(below, "/"); {
		case rest == "":
			found.Links = append(found.Links, name)
		case !slices.Contains(found.Dirs, name):
			found.Dirs = append(found.Dirs, name)
		}
	}
	slices.Sort(found.Links)
	slices.Sort(found.Dirs)
	return found, nil
}
