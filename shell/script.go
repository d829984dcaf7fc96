package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Two bytes that cannot occur in valid UTF-8 stand in the text of a word for
// what only bash will know.
const (
	// Unknown is any run of characters: a parameter, a substitution. It may be
	// empty, and unless the word was quoted it may hold blanks.
	Unknown = '\xff'
	// Glob is what a file name pattern expands to: characters other than "/",
	// and no leading dot.
	Glob = '\xfe'
)

// Script is what a command text means. It is immutable once parsed and safe for
// concurrent use.
type Script struct {
	// Source is the text that was parsed.
	Source string
	// Problem is set when the text was refused or not understood to its end.
	Problem *Problem
	// Commands lists every simple command in the order in which it was found:
	// what a wrapper runs follows the wrapper.
	Commands []Command
	// Functions are the functions it defines.
	Functions []Function

	language Language
	accesses []Access
	// globs: patterns stand in it; patterns: what it makes of them.
	globs    bool
	endless  int // the first command of a loop without end that starts processes, and 1; else 0
	patterns patternOptions
	// For Bounded: the first reading has settled all that can be known, or the tree is
	// kept for a second one, which finds the listings.
	settled bool
	bounded bool // it is one that Bounded gives
	posix   bool // options may end at the first operand
	history bool // bash may run other commands than are written
	anyName bool // a variable whose name is not known gets a value
	stmts   []*syntax.Stmt
	loops   []loop
	// moves are the changes to directories that are not known.
	moves    []move
	exports  []string // the variables that other programs get, "" among them for all
	listings [][]string
	// Where files are Hidden: a second reading that is only done once, when somebody asks;
	// until then accesses may list more of them than there are.
	second    *secondReading
	unsettled bool
}

// loop is a for loop over words: the variable and its values.
type loop struct {
	name  string
	words []Word
	all   bool // of the parameters of the script
	// Its body is the commands from up to to.
	from, to int
}

// Function is a function definition: its body is the commands From up to To.
type Function struct {
	Name     string
	From, To int
}

// Problem says why a text is never allowed.
type Problem struct {
	Kind ProblemKind
	Text string // for a person: "reached EOF without closing quote"
	At   int32  // byte offset in the source
}

// In is the text, with the line if the source has several.
func (p *Problem) In(src string) string {
	if !strings.Contains(strings.TrimSpace(src), "\n") {
		return p.Text
	}
	line := 1 + strings.Count(src[:min(max(int(p.At), 0), len(src))], "\n")
	return p.Text + " (line " + strconv.Itoa(line) + ")"
}

// ProblemKind tells the reasons apart.
type ProblemKind uint8

// The kinds of problem.
const (
	Empty       ProblemKind = iota + 1 // nothing to run
	TooLarge                           // more than MaxSize bytes
	BadText                            // NUL, control characters, invalid UTF-8
	Unparseable                        // bash would report a syntax error
	TooDeep                            // nested deeper than MaxDepth
)

// Span is a byte range of the source. For code inside a string (`sh -c '…'`)
// it is the span of the word that holds the code.
type Span struct{ Start, End int32 }

// Word is one word of a command after quote removal.
type Word struct {
	// Text is the value; Unknown and Glob stand for what is not known.
	Text string
	Span Span
	// Tilde: Text starts with an unquoted "~", so it names a home directory.
	Tilde bool
	// Home: the word starts with $HOME or ${HOME}; Text starts with Unknown.
	Home bool
	// Split: an unquoted expansion, which may turn into no word or several.
	Split bool
	// Loose and Listed are set by Bounded. Loose: something in it may be anything.
	// Listed: the unknown part is a name that a listing prints.
	// Empty: a number in it may be missing. Named: a Glob in it is one of several names.
	Loose, Empty, Named bool
	Listed              uint8
	state               wordState
	filled              bool // the unknown parts of it are not empty
}

// wordState is what is known besides about the value of a word.
type wordState uint8

const (
	noNumber     wordState = iota
	movedHome              // the script gives HOME another value (first reading)
	heldNumber             // a variable in it holds one as far as the script was read (first reading)
	plainNumber            // it begins with one that is not negative (Bounded)
	signedNumber           // it begins with one that may be negative (Bounded)
	severalNames           // a pattern in it may find several names
)

// Known reports whether the value is a constant.
func (w Word) Known() bool {
	return firstMark(w.Text) < 0
}

// Link says how a command comes to run.
type Link uint8

// The links, from the one that bash runs itself to mere guesses.
const (
	// Direct: bash runs it, at the top, in a substitution or a function body.
	Direct Link = iota
	// Transparent: run by timeout, time, nice, nohup, stdbuf or command with
	// options that are understood. An allow rule looks through these.
	Transparent
	// Wrapped: run by another program that runs its arguments (env, sudo, find
	// -exec, xargs). Only deny and ask rules look through.
	Wrapped
	// Code: from a constant string that a shell, eval or trap will run.
	Code
	// Guess: a reading that may be right: a variable folded to its only value, a
	// suffix of a wrapper whose syntax is not known, a git alias. It only ever
	// makes an answer stricter.
	Guess
)

// Opacity says how much of what a command runs cannot be known before it runs.
type Opacity uint8

// The degrees of opacity.
const (
	Clear       Opacity = iota
	OpaqueCode          // an interpreter's inline program: python -c, awk with system()
	OpaqueShell         // unknown shell commands: eval "$X", curl … | sh, "$CMD" x
)

// Command is one simple command.
type Command struct {
	Assigns   []Assign
	Words     []Word // the program and its arguments; none for a bare assignment or redirect
	Redirects []Redirect
	Span      Span

	// Parent is the index of the command that runs this one, or -1.
	Parent int
	// Via names the constructs above it, outermost first: "$(…)", "sudo", "bash -c".
	Via []string

	Link   Link
	Opaque Opacity
	// Evaluated: no command stands here, but bash evaluates text in which one may
	// hide: the index of an array, a variable in arithmetic.
	Evaluated bool
	// repeats: a reading of its parent with fewer words, which names no other files.
	repeats bool
	// folded: a Guess only because values of variables are put into it.
	folded bool
	// posix: read it so that its first operand ends the options.
	posix bool
	// behind: nothing waits for it.
	behind bool
	// Taint says why no allow rule and no read-only list holds for this command:
	// PATH was assigned, the name was redefined. Empty when none of that.
	Taint string
	// Unlisted says why no allow rule of words holds for it: a variable is set for it that
	// is not listed as harmless. It may still only read, unless suspect is set as well.
	Unlisted string
	suspect  bool
	// Dirs are the directories it may run in, relative to where the script
	// starts ("" is that directory; "~/x" and "/x" are absolute; Unknown is
	// anywhere). Nil means only the directory where the script starts.
	Dirs []string
	// Stdin says what is known about its standard input.
	Stdin Stdin

	fed     string     // the text on its standard input that may be code
	listed  []Word     // patterns that stand in a list of the shell: for x in …, a=(…)
	program string     // what Program returns, once it is known
	known   *knowledge // about the program
	text    string     // what Text returns, if it stands like that in the source
}

// Surmised reports whether it is not known that the command is one at all. One with the values of
// variables put in is known to be.
func (c *Command) Surmised() bool { return c.Link == Guess && !c.folded }

// Stdin is what a command reads on its standard input.
type Stdin struct {
	Kind StdinKind
	// Listed: it is the output of a listing (Bounded only).
	Listed uint8
	// Text is the text of a here-document or here-string: constant (Kind StdinText),
	// or with marks for what is expanded in it (Kind StdinUnknown).
	Text string
	// From, To is the range of commands on the left side of the pipe (StdinPipe).
	From, To int
}

// StdinKind tells the inputs apart.
type StdinKind uint8

// The kinds of standard input.
const (
	StdinInherited StdinKind = iota
	StdinText
	StdinPipe
	StdinFile    // < path; the path is among the redirects
	StdinUnknown // a here-document with expansions
)

// Assign is a variable assignment, leading a command or given to declare,
// export and the like.
type Assign struct {
	Name  string
	Value Word // Text "" when there is none
	Index bool // a[i]=v
	Array bool // a=(…)

	elements []Word // of the array
}

// Redirect is one redirection.
type Redirect struct {
	Kind   RedirectKind
	Target Word // the path; empty for descriptors and here-documents
	Span   Span
}

// RedirectKind tells redirections apart by what they do.
type RedirectKind uint8

// The kinds of redirection.
const (
	RedirectRead       RedirectKind = iota + 1 // < path
	RedirectWrite                              // > >> >| &> &>> >& path, and <> path
	RedirectDescriptor                         // 2>&1, >&2, 2>&-
	RedirectText                               // here-document, here-string
	RedirectNull                               // to or from /dev/null
	RedirectNetwork                            // /dev/tcp, /dev/udp
)

// Text is the command as rules see it: its words joined with one blank.
func (c *Command) Text() string {
	if c.text != "" {
		return c.text
	}
	switch len(c.Words) {
	case 0:
		return ""
	case 1:
		return c.Words[0].Text
	}
	n := len(c.Words) - 1
	for i := range c.Words {
		n += len(c.Words[i].Text)
	}
	var b strings.Builder
	b.Grow(n)
	for i := range c.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.Words[i].Text)
	}
	return b.String()
}

// Program is the base name of the program: "rm" for /bin/rm; "" when there is
// none or it is not known.
func (c *Command) Program() string {
	if c.program != "" {
		return c.program
	}
	return programOf(c.Words)
}

// first is the text of the first word, "" if there is none.
func (c *Command) first() string {
	if len(c.Words) == 0 {
		return ""
	}
	return c.Words[0].Text
}

// knowledge is what the tables say about its program.
func (c *Command) knowledge() *knowledge {
	if c.known != nil {
		return c.known
	}
	return about(c.Program())
}

func programOf(words []Word) string {
	if len(words) == 0 || !words[0].Known() {
		return ""
	}
	name := words[0].Text
	return name[strings.LastIndexByte(name, '/')+1:]
}

// Args are the words after the program.
func (c *Command) Args() []Word {
	if len(c.Words) == 0 {
		return nil
	}
	return c.Words[1:]
}
