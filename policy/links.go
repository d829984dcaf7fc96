package policy

import "github.com/assent-dev/assent/permission"

// mapLinks is a file system whose only symbolic links are those of the map, link
// to target. A relative target is relative to the directory of the link.
type mapLinks map[string]string

var _ permission.Links = mapLinks(nil)

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
