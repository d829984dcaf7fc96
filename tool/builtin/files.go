package builtin

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Files remembers what the model has seen of files, so that an edit of a file
// that has changed since is refused. It is safe for concurrent use.
type Files struct {
	mu   sync.Mutex
	seen map[string]Sight
	// Saw is told about every new sight, so that somebody can keep it; nil means nobody.
	// It is set before the first tool runs.
	Saw func(Sight)
	// writing is held from the check of a file to its replacement, so that two edits
	// of one session never start from the same content.
	writing sync.Mutex
}

// Sight is the state in which the model has seen a file.
type Sight struct {
	Path string `json:"path"` // absolute, links followed; quoted where it is no text
	// Digest is that of the whole content.
	Digest string `json:"digest"`
	// Partial: only a part was shown.
	Partial bool `json:"partial,omitzero"`
}

// NewFiles is an empty memory.
func NewFiles() *Files { return &Files{seen: map[string]Sight{}} }

// Digest is the SHA-256 sum of a file's content, in hexadecimal digits.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// See remembers a sight. A part of a file that was seen as a whole, and has not changed
// since, takes nothing away.
func (f *Files) See(s Sight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.Path = plainName(s.Path) // a sight is kept as JSON, and a path can be any bytes
	old, ok := f.seen[s.Path]
	if ok && old.Digest == s.Digest && !old.Partial {
		s.Partial = false
	}
	f.seen[s.Path] = s
	if f.Saw != nil && s != old {
		f.Saw(s)
	}
}

// Freshness is how what the model knows of a file stands to what the file is.
type Freshness uint8

// The answers of [Files.Check]. The zero value is the safe one.
const (
	Unseen  Freshness = iota // the model has never seen it
	Changed                  // it is not what the model has seen
	Current                  // it is
)

// Check compares a file's digest with the last sight of it.
func (f *Files) Check(path, digest string) Freshness {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch s, ok := f.seen[plainName(path)]; {
	case !ok:
		return Unseen
	case s.Digest != digest:
		return Changed
	}
	return Current
}

// partly: the last sight was only of a part.
func (f *Files) partly(path string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[plainName(path)].Partial
}

// All returns the sights, sorted by path, for a session to keep.
func (f *Files) All() []Sight {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.SortedFunc(maps.Values(f.seen), func(a, b Sight) int { return strings.Compare(a.Path, b.Path) })
}

// Restore adds sights that [Files.All] has returned before, in a session that goes on.
func (f *Files) Restore(sights []Sight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range sights {
		f.seen[plainName(s.Path)] = s
	}
}
