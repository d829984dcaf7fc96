package shell

import (
	"slices"
	"strings"
)

// writtenFile is a file that the script itself writes.
type writtenFile struct {
	text   string // as far as it is constant
	known  bool
	copied Word     // the program of which it is a copy, or a link to it
	read   bool     // as code, by a command that runs it
	dirs   []string // in these directories
}

// runsWhatItWrites: a script that the command itself writes and then runs may hold
// anything: printf … > x.sh; sh x.sh. Where its text is constant it is read as code.
func (w *walker) runsWhatItWrites() {
	if len(w.s.Commands) < 2 {
		return
	}
	var written map[string]*writtenFile
	for i := range len(w.s.Commands) { // not those that are found on the way
		written = w.notesWritten(written, i)
		if written == nil {
			continue
		}
		file := w.runsOneOf(written, i)
		if file == nil {
			continue
		}
		if file.copied.Text != "" {
			w.child(i, Guess, append([]Word{file.copied}, w.s.Commands[i].Args()...))
			continue
		}
		if c := &w.s.Commands[i]; c.Taint == "" {
			c.Taint = "it runs a file that this command writes"
		}
		again := file.read && slices.Equal(file.dirs, w.s.Commands[i].Dirs)
		if file.known && !again && w.affords(len(file.text)/2, w.s.Commands[i].Span.Start) {
			file.read, file.dirs = true, w.s.Commands[i].Dirs
			w.writtenCode(i, file.text)
		}
	}
}

// fileKey is the name of a file with which two words are compared.
func fileKey(word Word) string {
	if !word.Known() {
		return ""
	}
	return strings.TrimPrefix(word.Text, "./")
}

// notesWritten adds the files that command i writes.
func (w *walker) notesWritten(written map[string]*writtenFile, i int) map[string]*writtenFile {
	c := &w.s.Commands[i]
	note := func(word Word, file writtenFile) {
		key := fileKey(word)
		if key == "" {
			return
		}
		if written == nil {
			written = make(map[string]*writtenFile)
		}
		if before, again := written[key]; again && len(before.text) < maxNested { // it may be appended
			file = writtenFile{text: before.text + "\n" + file.text, known: before.known || file.known}
		}
		written[key] = &file
	}
	for _, r := range c.Redirects {
		if r.Kind == RedirectWrite {
			text, ok := w.outputOf(i)
			note(r.Target, writtenFile{text: text, known: ok})
		}
	}
	switch c.Program() {
	case "tee", "sponge":
		text, ok := w.piped(i)
		for _, word := range c.Args() {
			note(word, writtenFile{text: text, known: ok})
		}
	case "dd":
		text, ok := w.piped(i)
		for _, word := range c.Args() {
			if path, found := strings.CutPrefix(word.Text, "of="); found {
				note(Word{Text: path}, writtenFile{text: text, known: ok})
			}
		}
	case "cp", "mv", "ln", "install":
		n := len(c.Words)
		if n < 3 {
			return written
		}
		from, to := c.Words[n-2], c.Words[n-1]
		switch file := written[fileKey(from)]; {
		case feeds(from):
			note(to, writtenFile{}) // cp <(echo …) x
		case file != nil:
			note(to, *file)
		case strings.Contains(from.Text, "/"): // cp /bin/rm x
			note(to, writtenFile{copied: from})
		}
	}
	return written
}

// outputOf is the constant text that command i prints.
func (w *walker) outputOf(i int) (string, bool) {
	c := &w.s.Commands[i]
	switch c.Program() {
	case "echo", "printf":
		return printed(c.Words)
	case "cat":
		if len(c.Words) == 1 || c.Words[1].Text == "-" {
			return w.piped(i)
		}
	}
	return "", false
}

// runsOneOf finds the written file that command i runs: as a program, as the script of
// a shell, or as what a shell reads.
func (w *walker) runsOneOf(written map[string]*writtenFile, i int) *writtenFile {
	c := &w.s.Commands[i]
	if len(c.Words) == 0 {
		return nil
	}
	if file := written[fileKey(c.Words[0])]; file != nil && strings.Contains(c.Words[0].Text, "/") {
		return file
	}
	switch name := c.Program(); {
	case runsFile(name):
	case name == "make" || name == "gmake":
		for _, usual := range [...]string{"Makefile", "makefile", "GNUmakefile"} {
			if file := written[usual]; file != nil {
				return file
			}
		}
	default:
		return nil
	}
	for _, word := range c.Args() {
		if file := written[fileKey(word)]; file != nil {
			return file
		}
	}
	for _, r := range c.Redirects {
		if file := written[fileKey(r.Target)]; file != nil && r.Kind == RedirectRead {
			return file
		}
	}
	if in := c.Stdin; in.Kind == StdinPipe && in.To > in.From && in.To <= len(w.s.Commands) {
		if last := &w.s.Commands[in.To-1]; last.Program() == "cat" && len(last.Words) == 2 {
			return written[fileKey(last.Words[1])]
		}
	}
	return nil
}

// writtenCode reads the text of a file that command i runs, as the language that the
// command or the first line of the file says.
func (w *walker) writtenCode(i int, text string) {
	c := &w.s.Commands[i]
	if name := c.Program(); name == "make" || name == "gmake" {
		w.recipes(i, text)
		return
	}
	_, other := interpreterFlags(c.Program())
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#!") && !strings.Contains(first, "sh") {
		other = true
	}
	if other {
		for _, code := range startedBy(text) {
			w.code(i, Guess, "the program", code, c.Span)
		}
		return
	}
	dirs, via := w.dirs, w.via
	w.dirs, w.via = c.Dirs, c.Via
	w.code(i, Guess, "file written here", text, c.Span)
	w.dirs, w.via = dirs, via
}

// runsFile: the program runs the script it is given.
func runsFile(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "ash", "source", ".", "fish":
		return true
	}
	_, ok := interpreterFlags(name)
	return ok
}
