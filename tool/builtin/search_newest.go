package builtin

import (
	"cmp"
	"slices"
	"time"
)

// dated is a file and when it was last changed.
type dated struct {
	path     string
	modified time.Time
}

// newest keeps the most recently changed of many files. Ties are in the order of the
// names, so that a search says the same twice.
type newest struct {
	most  int
	files []dated
	total int
}

func (n *newest) add(file dated) {
	n.total++
	n.files = append(n.files, file)
	if len(n.files) >= 2*n.most+batch {
		n.cut()
	}
}

func (n *newest) cut() {
	slices.SortFunc(n.files, func(a, b dated) int {
		return cmp.Or(b.modified.Compare(a.modified), cmp.Compare(a.path, b.path))
	})
	if len(n.files) > n.most {
		clear(n.files[n.most:])
		n.files = n.files[:n.most]
	}
}

// paths are the files that were kept, newest first.
func (n *newest) paths() []string {
	n.cut()
	paths := make([]string, len(n.files))
	for i, file := range n.files {
		paths[i] = file.path
	}
	return paths
}
