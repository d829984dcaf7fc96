package policy

import "github.com/assent-dev/assent/permission"

// MapLinks is a file system whose only symbolic links are those of the map, link
// to target. A relative target is relative to the directory of the link.
type MapLinks map[string]string

var _ permission.Links = MapLinks(nil)

// NewMapLinks takes links as people write them: a final slash or "." does not
// matter.
func NewMapLinks(links map[string]string) MapLinks {
	m := make(MapLinks, len(links))
	for link, target := range links {
		m[permission.ResolvePath(permission.NoLinks{}, link, "/", "/").Given] = target
	}
	return m
}

// Readlink returns the target of a link, "" for every other path.
func (m MapLinks) Readlink(path string) (string, error) { return m[path], nil }
