package custom

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assent-dev/assent/internal/durable"
)

// The limits are far more than people write, and little enough to read when a session
// starts.
const (
	maxFile    = 256 << 10 // bytes of one file
	maxBytes   = 8 << 20   // of all files of a directory
	maxEntries = 1000      // in one directory, and files in all
	maxDepth   = 8
	maxFaults  = 10 // that are told
)

const nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// file is a file that was found. Its text is empty where the fault says why.
type file struct {
	at    string // where people find it
	name  string // dir:name
	text  string
	fault *Fault
}

// walk reads the files of a directory.
type walk struct {
	root  *os.Root
	at    string // its name for people
	bytes int64
	files []file
	// faults are about files that are no command or agent at all.
	faults []Fault
}

// gather reads all Markdown files below a directory, in the order of their names. A
// directory that does not exist has none.
func gather(root *os.Root, at string) ([]file, []Fault) {
	w := &walk{root: root, at: at}
	w.dir(".", nil)
	return w.files, w.faults
}

// complain says what is left out. A directory full of such files is mentioned, not listed.
func (w *walk) complain(name, format string, args ...any) {
	switch {
	case len(w.faults) > maxFaults:
		return
	case len(w.faults) == maxFaults:
		name, format, args = ".", "more of it is left out for such reasons", nil
	}
	w.faults = append(w.faults, Fault{File: filepath.Join(w.at, filepath.FromSlash(name)), Text: fmt.Sprintf(format, args...)})
}

// dir reads one directory; parents are the names on the way to it.
func (w *walk) dir(name string, parents []string) {
	entries, err := w.entries(name)
	if err != nil {
		w.complain(name, "the directory cannot be read: %v", cause(err))
		return
	}
	for _, e := range entries {
		stem, isFile := strings.CutSuffix(e.Name(), ".md")
		below := path.Join(name, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case !isFile && e.Type()&fs.ModeSymlink != 0:
			if info, err := w.root.Stat(below); err != nil || info.IsDir() {
				w.complain(below, "it is left out: links to directories are not followed (put the files here)")
			}
		case !isFile && !e.IsDir():
		case !isKey(stem):
			w.complain(below, "it is left out: a name is made of letters, digits, - and _ (rename it)")
		case len(w.files) >= maxEntries:
			w.complain(below, "it and what follows is left out: there are more than %d files", maxEntries)
			return
		case isFile:
			w.file(below, append(slices.Clip(parents), stem))
		case len(parents) >= maxDepth:
			w.complain(below, "it is left out: directories are nested more than %d deep", maxDepth)
		default:
			w.dir(below, append(slices.Clip(parents), stem))
		}
	}
}

// entries lists a directory, sorted. One that holds too much is not read in part: which
// part would be chance.
func (w *walk) entries(name string) ([]fs.DirEntry, error) {
	d, err := w.open(name)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(maxEntries + 1)
	switch {
	case len(entries) > maxEntries:
		return nil, fmt.Errorf("it holds more than %d files", maxEntries)
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func (w *walk) file(name string, parts []string) {
	f := file{at: filepath.Join(w.at, filepath.FromSlash(name)), name: strings.Join(parts, ":")}
	text, err := w.read(name)
	switch {
	case err != nil:
		f.fault = &Fault{File: f.at, Text: "it cannot be read: " + cause(err).Error()}
	case !utf8.ValidString(text):
		f.fault = &Fault{File: f.at, Line: 1 + strings.Count(text[:invalidAt(text)], "\n"), Text: "the text is not valid UTF-8 (convert it)"}
	default:
		f.text = text
	}
	w.files = append(w.files, f)
}

func invalidAt(text string) int {
	for i, c := range text {
		if c == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(text)
}

// read reads a regular file. It never waits, as opening a named pipe would, and the root
// refuses a link that leads out of it.
func (w *walk) read(name string) (string, error) {
	if durable.Keeping() {
		if info, err := w.root.Stat(name); err == nil && durable.MayOpenThis(info) != nil {
			return "", durable.ErrKept
		}
	}
	f, err := w.open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", err
	}
	if len(data) > maxFile {
		return "", fmt.Errorf("it is larger than %d KiB", maxFile>>10)
	}
	if w.bytes += int64(len(data)); w.bytes > maxBytes {
		return "", fmt.Errorf("it and the files before it are larger than %d MiB together", maxBytes>>20)
	}
	return string(data), nil
}

// open opens what a name stands for at this moment, unless it belongs to the tickets that
// this process has open.
func (w *walk) open(name string) (*os.File, error) {
	f, err := w.root.OpenFile(name, os.O_RDONLY|durable.NoWait, 0)
	if err != nil {
		return nil, err
	}
	if err := durable.Opened(f); err != nil {
		return nil, err
	}
	return f, nil
}

// cause is what went wrong without the name of the file, which people are told first.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
