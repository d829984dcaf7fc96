package builtin

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// The limits of one search.
const (
	// mostVisited is how many names are looked at.
	mostVisited = 1_000_000
	// mostDepth is how deep a search goes, which is also how many directories it holds
	// open.
	mostDepth = 200
	// searchTime is how long it may take.
	searchTime = time.Minute
	// batch is how many names of a directory are held at a time.
	batch = 1024
)

// found is a name in a tree.
type found struct {
	dir  *os.File // the directory it is in, open while it is being looked at
	name string
	// path has all components from the root of the file system, links followed.
	path []string
	// below is the part of it that lies below the start of the search.
	below []string
	kind  fs.FileMode
	// ignored: git would not look at it.
	ignored bool
}

// visitor says what a search wants of a tree.
type visitor interface {
	// enter reports whether to look into a directory.
	enter(d *found) bool
	// file is called for what is no directory. It ends the search with an error.
	file(f *found) error
}

// walk goes through a tree: in the order of the names, into no link, and never into
// the directory that git keeps.
type walk struct {
	ctx     context.Context
	visitor visitor
	tally   *tally
	limit   int // of names; a test sets it lower
	view    view
}

// view is whether a search asks what git ignores, which costs time at every name.
type view uint8

const (
	// asGitSees: every name is compared with the rules in .gitignore files.
	asGitSees view = iota
	// allNames: nobody asks, and found.ignored is never set.
	allNames
)

// errEnough ends a search that has found all it wants, or must not go on.
var errEnough = errors.New("enough")

func (w *walk) tree(root string) error {
	dir, err := openDir(root)
	if err != nil {
		return err
	}
	defer dir.Close()
	var path []string
	if root != "/" {
		path = strings.Split(root[1:], "/")
	}
	var above *ignoreLevel
	if w.view == asGitSees {
		above = ignoreAbove(root)
		w.tally.unheeded += above.cutSince(nil)
	}
	err = w.directory(dir, path, len(path), above)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// directory looks at the names in a directory. The first components of the path, up to
// start, are those of the search's root.
func (w *walk) directory(dir *os.File, path []string, start int, above *ignoreLevel) error {
	level := above
	if w.view == asGitSees {
		level = above.enter(dir, len(path))
		w.tally.unheeded += level.cutSince(above)
	}
	for {
		entries, err := dir.ReadDir(batch)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
		for _, entry := range entries {
			if err := w.entry(dir, entry, path, start, level); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF, err == nil && len(entries) == 0:
			return nil
		case err != nil:
			w.tally.unreadable++
			return nil
		}
	}
}

func (w *walk) entry(dir *os.File, entry fs.DirEntry, path []string, start int, level *ignoreLevel) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.tally.visited++; w.tally.visited > w.limit {
		w.tally.stopped = stoppedByVisits
		return errEnough
	}
	if entry.Name() == ".git" {
		return nil
	}
	path = append(path[:len(path):len(path)], entry.Name())
	f := &found{
		dir: dir, name: entry.Name(), path: path, below: path[start:], kind: entry.Type(),
		ignored: level.ignores(path, entry.IsDir()),
	}
	if !entry.IsDir() {
		return w.visitor.file(f)
	}
	if !w.visitor.enter(f) {
		return nil
	}
	if len(f.below) >= mostDepth {
		w.tally.tooDeep++
		return nil
	}
	sub, err := openDirAt(dir, entry.Name())
	if err != nil {
		w.tally.unreadable++ // also when it has become a link meanwhile
		return nil
	}
	defer sub.Close()
	return w.directory(sub, path, start, level)
}
