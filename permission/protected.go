package permission

import (
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/shell"
)

// Place is a file or a directory that is protected although its name does not say so:
// writing it, or anything below it, needs a person in every mode. Reading it does not.
type Place struct {
	// Path is absolute and clean. What is reached through links is listed under all its
	// names.
	Path string
	// Why is for a person: "assent keeps its state there".
	Why string
}

// place finds the protected place in which a path lies. Letters count in either case:
// whether the file system tells them apart cannot be seen from here.
func (c *Context) place(path string) *Place {
	for i := range c.config.Protected {
		if p := &c.config.Protected[i]; withinFold(path, p.Path) {
			return p
		}
	}
	return nil
}

// placeBelow finds a protected place that lies below a directory, or is it.
func (c *Context) placeBelow(dir string) *Place {
	for i := range c.config.Protected {
		if p := &c.config.Protected[i]; withinFold(p.Path, dir) {
			return p
		}
	}
	return nil
}

// placeMay is place for a path with marks: a protected place that it may lie in.
func (c *Context) placeMay(path string) *Place {
	if path == "" || path[0] != '/' { // it may be anywhere
		return nil
	}
	for i := range c.config.Protected {
		if p := &c.config.Protected[i]; mayLieIn(lower(path), lower(p.Path)) {
			return p
		}
	}
	return nil
}

// lower is a text with small letters; the marks, which are no letters, stay.
func lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if c >= 'A' && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return string(out)
}

// mayLieIn: with names instead of its marks the path may be the place or lie below it.
func mayLieIn(path, place string) bool {
	for place != "" && place != "/" {
		if path == "" || path == "/" {
			return false
		}
		var pattern, name string
		pattern, path = firstName(path)
		name, place = firstName(place)
		if !fits(pattern, name) {
			return false
		}
	}
	return true
}

// firstName takes the first name off an absolute path.
func firstName(path string) (name, rest string) {
	path = path[1:]
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

// withinFold is [within] in any letter case.
func withinFold(path, dir string) bool {
	if dir == "/" {
		return path != ""
	}
	if len(path) >= len(dir) && strings.EqualFold(path[:len(dir)], dir) {
		return len(path) == len(dir) || path[len(dir)] == '/'
	}
	if isPlain(path) && isPlain(dir) {
		return false
	}
	// Other letters can be longer or shorter in another case, so names are compared.
	for dir != "" && dir != "/" {
		if path == "" || path == "/" {
			return false
		}
		var have, want string
		have, path = firstName(path)
		want, dir = firstName(dir)
		if !strings.EqualFold(have, want) {
			return false
		}
	}
	return true
}

func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Protects says why writing a file needs a person, under either of its names; "" if
// it does not.
func (c *Context) Protects(p Path) string {
	if shell.Protected(p.Given) || p.Real != p.Given && shell.Protected(p.Real) {
		return "a protected path"
	}
	place := c.place(p.Given)
	if place == nil && p.Real != p.Given {
		place = c.place(p.Real)
	}
	return place.reason()
}

// reason is the place as a reason has it; "" for no place.
func (p *Place) reason() string {
	if p == nil {
		return ""
	}
	return "a protected path, " + p.Why
}
