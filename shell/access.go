package shell

import (
	"slices"
	"sort"
	"strings"
)

// Access is a path that a command names and what it would do with it.
type Access struct {
	// Path is as in the command, with Unknown and Glob marks; a leading "~" is the
	// home directory (a file really called "~" is given as "./~"). Relative paths
	// are relative to one of the command's Dirs.
	Path     string
	Span     Span
	Command  int // index in Script.Commands
	Mode     AccessMode
	Redirect bool // by a redirection
	// Possible: the program is not known, and the word may be a file it reads.
	Possible bool
	// Reach: how far below the path the command goes.
	Reach Reach
	// Follows: on its way below the path it follows links.
	Follows bool
	// Replaces: what is in the directory and does not come with it is deleted.
	Replaces bool
	// Pathspec: the path is one that git looks for, if it is.
	Pathspec Pathspec
	// Tree: Path ends with this, which is a name in a tree of git. It is seen from the top
	// of the repository to which the directory before it belongs.
	Tree string
	// Loose and Listed are those of the word, in a script of Bounded.
	Loose  bool
	Listed uint8
	// Splits: the word falls apart at blanks, those in names that a pattern finds
	// included; in a script of Bounded only.
	Splits bool
	// Number: the name is a number, in a script of Bounded.
	Number bool
	// Hidden: nobody sees the file, which is named by a word that may be an option or
	// several words.
	Hidden bool
	// Names: it is a directory that no word names, and only the names in it are shown.
	Names bool
	// AnyFile: git reads it wherever it lies, so it is no branch and the like.
	AnyFile bool
}

// AccessMode is what is done with a path.
type AccessMode uint8

// The modes of access.
const (
	Reads AccessMode = iota + 1
	Writes
	Deletes
)

func (m AccessMode) String() string {
	switch m {
	case Reads:
		return "reads"
	case Writes:
		return "writes"
	case Deletes:
		return "deletes"
	}
	return "none"
}

// Accesses lists the paths that the script names, by redirections, operands and
// option values, in the order of its commands. What a well-known program does with
// each of them comes from a table; for any other program every operand and option
// value is taken as a path that may be read. Standard streams and /dev/null are
// left out.
func (s *Script) Accesses() []Access {
	list := accessList{everything: true}
	list.of(s)
	return s.seen(list.all)
}

// SureAccesses is Accesses without what programs that are not known only may read,
// unless the name looks like a protected one. It is what most questions need, and
// costs nothing unless files are Hidden.
func (s *Script) SureAccesses() []Access {
	if s.unsettled {
		return s.seen(slices.Clone(s.accesses))
	}
	return s.accesses
}

// FirstAccesses is SureAccesses, or a longer list that costs nothing: it may hold Hidden
// files that are read and that Seen finds out to be none.
func (s *Script) FirstAccesses() (list []Access, longer bool) { return s.accesses, s.unsettled }

// NamesPossible reports whether Accesses may list more than SureAccesses.
func (s *Script) NamesPossible() bool {
	for i := range s.Commands {
		c := &s.Commands[i]
		if len(c.Words) < 2 {
			continue
		}
		if operands := c.knowledge().spec.operands; operands == mayRead || operands == container || operands == scriptFirst {
			return true
		}
	}
	return false
}

// accessesOf are those of command i.
func (s *Script) accessesOf(i int) []Access {
	from := sort.Search(len(s.accesses), func(k int) bool { return s.accesses[k].Command >= i })
	to := from
	for to < len(s.accesses) && s.accesses[to].Command == i {
		to++
	}
	return s.accesses[from:to]
}

// of makes the list, when all commands are known.
func (l *accessList) of(s *Script) {
	posix := s.posix || s.anyName || strings.Contains(s.Source, posixVariable)
	for i := range s.Commands {
		if s.Commands[i].repeats {
			continue
		}
		l.command(s, i)
		if posix {
			l.strictly(s, i)
		}
	}
}

// posixVariable makes the GNU programs end their options at the first operand.
const posixVariable = "POSIXLY_CORRECT"

// strictly adds what a command names if its options end at the first operand: what looks
// like an option behind it is a file, and so is the value.
func (l *accessList) strictly(s *Script, i int) {
	strict := s.Commands[i]
	strict.posix = true
	l.c, l.kept = &strict, notAsked
	l.arguments()
}

// Paths are the places that an access may mean: its path behind each of the
// directories its command may run in. The result is text: ".." and links are left
// for the caller, who resolves them as the kernel does.
func (s *Script) Paths(a Access) []string {
	dirs := s.Commands[a.Command].Dirs
	if len(dirs) == 0 || rooted(a.Path) {
		return []string{s.seenFromStart(a, a.Path)}
	}
	paths := make([]string, 0, len(dirs))
	for _, dir := range dirs {
		paths = append(paths, s.seenFromStart(a, behind(dir, a.Path)))
	}
	return paths
}

// seenFromStart is a path of an access as the caller sees it.
func (s *Script) seenFromStart(a Access, path string) string {
	if s.Commands[a.Command].Link == Guess && !s.bounded {
		return fromStart(path)
	}
	return path
}

// Path is the place that an access means if there is only one.
func (s *Script) Path(a Access) (string, bool) {
	dirs := s.Commands[a.Command].Dirs
	switch {
	case len(dirs) == 0 || rooted(a.Path):
		return s.seenFromStart(a, a.Path), true
	case len(dirs) == 1:
		return s.seenFromStart(a, behind(dirs[0], a.Path)), true
	}
	return "", false
}

// rooted: the path does not depend on the working directory.
func rooted(path string) bool {
	return path != "" && (path[0] == '/' || path[0] == '~')
}

// behind puts a path behind a directory.
func behind(dir, path string) string {
	switch {
	case dir == "" || rooted(path):
		return path
	case path == "":
		return dir
	case strings.HasSuffix(dir, "/"):
		return grown(dir, path)
	case len(dir)+len(path) > maxValue: // without making the text
		return unknownMark
	}
	return dir + "/" + path
}

// accessList collects the accesses of a script.
type accessList struct {
	all []Access

	script *Script
	c      *Command
	index  int
	reach  Reach // of the current command
	// follows: the current command follows links on its way through a tree.
	follows bool
	// walks: it only looks at names, but follows links on its way.
	walks bool
	// possible: the current program is not in the table.
	possible bool
	// everything: what is only possible is listed too.
	everything bool
	// anyFile: what git names now is read wherever it lies.
	anyFile bool
	// tilde: a name starts with a quoted one, which is the home directory in a guess.
	tilde bool
	// What the script makes of patterns; what the current command does with its operands;
	// and a pattern before this word may have become several.
	patterns patternOptions
	files    AccessMode
	textAt   int // the word that is searched for
	shifted  bool
	kept     keptDirectories
	// input is what a command reads, which inputBy have written into a pipe, and inputNames the
	// protected path in it. Many commands may read the same.
	input, inputNames string
	inputBy           [2]int
	// packed is the protected name that the commands before a pipe pack, which are packedBy.
	packed   string
	packedBy [2]int
	// far are the directories of patterns that lead away from where the script starts; nil until
	// a word asks.
	far []string
	// readsCode: the script reads code that is not known, once that was asked for.
	readsCode, codeKnown bool
}

// keptDirectories says whether a copy keeps the directories in the names of its sources.
type keptDirectories uint8

const (
	notAsked keptDirectories = iota
	keepsNone
	keepsAll
)

// keeps reports whether the current command has an option that keeps the directories. It looks
// once for all sources.
func (l *accessList) keeps(g *grammar, short byte, long string) bool {
	if l.kept == notAsked {
		l.kept = keepsNone
		if l.c.has(g, short, long) {
			l.kept = keepsAll
		}
	}
	return l.kept == keepsAll
}

func (l *accessList) command(s *Script, i int) {
	l.script, l.c, l.index, l.patterns, l.files, l.shifted, l.kept, l.textAt = s, &s.Commands[i], i, s.patterns, Reads, false, notAsked, 0
	l.reach, l.follows, l.walks, l.possible, l.anyFile = OnlyPath, false, false, false, false
	l.redirects()
	l.walks = l.c.walksLinks()
	if l.reach = l.c.reach(); l.reach != OnlyPath {
		l.follows = l.c.followsLinks()
	}
	before := len(l.all)
	l.arguments()
	switch l.c.Program() {
	case "cpio", "split", "gsplit", "csplit", "gcsplit", "aria2c", "axel": // they name their files themselves
		l.unpacksHere("")
	}
	l.strayVariables()
	l.searchesHere(before)
	l.listings(before)
}

func (l *accessList) redirects() {
	for i := range l.c.Redirects {
		r := &l.c.Redirects[i]
		mode := Writes
		switch r.Kind {
		case RedirectRead:
			mode = Reads
		case RedirectWrite:
		case RedirectDescriptor, RedirectText, RedirectNull, RedirectNetwork:
			continue
		default:
			continue
		}
		l.put(&Access{Path: l.path(r.Target), Mode: mode, Span: r.Target.Span, Redirect: true, Loose: r.Target.Loose, Listed: r.Target.Listed})
	}
}

// word adds the path that a whole word stands for.
func (l *accessList) word(mode AccessMode, at int) {
	word := l.c.Words[at]
	number := word.Text == globMark && !word.Named && (word.state == plainNumber || word.state == signedNumber)
	l.put(&Access{Path: l.path(word), Mode: mode, Span: word.Span, Loose: word.Loose, Listed: word.Listed, Splits: word.Split, Number: number})
}

// part adds a path that is a part of a word: the value of --file=x or of=x.
func (l *accessList) part(mode AccessMode, at int, path string) {
	word := &l.c.Words[at]
	l.put(&Access{Path: path, Mode: mode, Span: word.Span, Loose: word.Loose, Listed: word.Listed, Splits: word.Split})
}

// namedInFiles: some options make a program read files whose names stand in a file.
func (l *accessList) namedInFiles(s *spec, program string) {
	short, long := byte(0), ""
	switch {
	case program == "wc" || program == "du" || program == "sort":
		long = "files0-from"
	case program == "file":
		short, long = 'f', "files-from"
	case strings.HasSuffix(program, "sum"):
		short, long = 'c', "check"
	default:
		return
	}
	a := l.c.arguments(&s.grammar)
	for a.next() {
		if !a.is(short, long) {
			continue
		}
		file := a.value
		if file == "" && a.at+1 < len(a.words) { // a shortened name is not known to take a value
			file = a.words[a.at+1].Text
		}
		l.listed(max(a.valueAt, a.at), file)
		return
	}
}

// listed adds the files whose names stand in a file. They may be any, unless a listing
// has printed them.
func (l *accessList) listed(at int, file string) {
	a := Access{Path: unknownMark, Mode: Reads, Span: l.c.Words[at].Span, Loose: true}
	if file == "-" && l.c.Stdin.Listed > 0 {
		a.Loose, a.Listed = false, l.c.Stdin.Listed
	}
	l.put(&a)
}

// value adds what the arguments have just found: an operand or an option value.
func (l *accessList) value(mode AccessMode, a *arguments) {
	switch {
	case a.valueAt == 0:
	case a.whole():
		l.word(mode, a.valueAt)
	default:
		l.part(mode, a.valueAt, a.value)
	}
}

func (l *accessList) put(a *Access) {
	if a.Mode == 0 || noFile(a.Path) || l.possible && !l.everything && l.harmless(a.Path) {
		return
	}
	a.AnyFile = l.anyFile
	a.Command, a.Reach, a.Follows, a.Possible = l.index, l.reach, l.walks || l.follows && l.reach != OnlyPath, l.possible
	l.all = append(l.all, *a)
}

// harmless: the path is not a protected one, from wherever the command runs.
func (l *accessList) harmless(path string) bool {
	if !harmless(path) {
		return false
	}
	return rooted(path) || !slices.ContainsFunc(l.c.Dirs, func(dir string) bool { return !harmless(dir) })
}

// noFile: standard streams are not files of their own.
func noFile(path string) bool {
	switch path {
	case "", "-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty":
		return true
	}
	if path[0] != '/' {
		return false
	}
	return descriptorPath(path) || strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/")
}

// path is the normal form of a word that names a file.
func (l *accessList) path(word Word) string {
	l.tilde = l.tilde || !word.Tilde && !word.Home && word.Text != "" && word.Text[0] == '~'
	return pathOf(word, l.c.Link == Guess)
}

// pathOf is the normal form of a word that names a file. In a guess the word may
// come from an assignment, where bash has expanded the tilde, so it counts there.
func pathOf(word Word, guess bool) string {
	text := word.Text
	switch {
	case word.Home:
		if rest := text[1:]; rest == "" || rest[0] == '/' || rest[0] >= Glob {
			return "~" + rest
		}
	case text == "" || text[0] != '~':
	case text == "~+" || strings.HasPrefix(text, "~+/"): // the working directory
		return "." + text[2:]
	case !word.Tilde && !guess:
		return "./" + text
	}
	return text
}
