package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker goes through the tree once and lists the commands. It carries what the
// surroundings mean for a command: the constructs above it, the directories it may
// run in, its input.
type walker struct {
	s     *Script
	depth int
	via   []string
	stdin Stdin
	// reader is the shell that reads the code that is walked now.
	reader codeReader

	// dirs is where the next command may run; failDirs is where it may run if the
	// one just walked fails (set by cd only).
	dirs, failDirs []string
	testing        int    // the command that is the [[ whose inside is walked
	listed         []Word // of the next command: see there

	// parent and link are given to commands that are found now.
	parent int
	link   Link
	// span replaces the positions of code that was read from inside a word.
	span *Span

	vars     map[string]*variable
	foldable bool // something is worth folding wherever it stands
	constant bool // some variable has a constant value
	reads    bool // some variable is read
	patterns bool // some variable is a pattern for files below here
	glued    bool // some variable is read behind something else, or elsewhere
	tildes   bool // the home directory is named without a variable
	folding  bool
	inner    int  // how many substitutions deep a folded value is
	pass     int  // which values of variables a folding pass takes
	folded   bool // something was folded while the current words were read
	// In a folding pass: what all of them know, and what was chosen for the current pipeline.
	passes  *passes
	choices []choice
	chosen  int // in how many pipelines
	// emptiesAny: a variable is unset whose name is not known.
	emptiesAny bool
	// In a folding pass: which commands it changed, whether a directory was folded,
	// and whether the current input was.
	changed                  []bool
	movedByFold, inputFolded bool

	bodies   map[string]*syntax.Stmt // of functions
	rebound  map[string]string
	aliases  map[string]string // with constant bodies
	trusted  map[string]bool   // programs whose output was taken for a number
	taintAll string
	exported []Assign // variables that are not known to be harmless to every program
	// exportedNames are the variables that other programs get; exportsAll: they get all.
	exportedNames []string
	exportsAll    bool
	// miscounted: a variable was taken for a number that is none; references: names may
	// stand for other variables.
	miscounted, references bool
	// assignedExpression: the text of an assignment to a variable that holds numbers is
	// evaluated; environs: env gives variables values that are no numbers.
	assignedExpression, environs bool
	guessed                      map[*Word]struct{}

	work int // see affords
	// expansions are those around the current one, see maxExpansions.
	expansions int
	stays      bool // the code that is read next runs in this shell
	lastPiped  pipedText
	printed    string               // what a process substitution among the current words prints
	scratch    []byte               // for the word that is being read
	slab       []Word               // room for the words of the commands to come
	varRoom    map[string]*variable // an empty map for vars, or nil

	// For code that may run again, and elsewhere: how many such constructs are above, the
	// code that does not run where it stands, how many functions change the directory and
	// where they lead to, whether there are traps and where they may run.
	turns   int
	behind  bool // nothing waits for the commands that are walked now
	laters  []laterRun
	moving  int
	wanders []string
	traps   bool
	places  []string
	astray  stray
	// pipeMoves: the last part of a pipe changes the directory; anyCall: each command may
	// call a function, the one that handles names which are not found.
	pipeMoves, anyCall bool

	bound   *bounds  // of a second reading
	visited []string // in it: where the script has been
	been    []string // where it has been, for guesses: see stood
	working bool     // in it: the name of the working directory was expanded
	// In the first one: a second one would say more, and words that are no longer whole.
	again, split bool
}

func (w *walker) problem(kind ProblemKind, text string, at int32) {
	if w.s.Problem == nil {
		w.s.Problem = &Problem{Kind: kind, Text: text, At: at}
	}
}

// within is a way with one more construct at its end. Most commands are below a single one, and
// those ways are made once: nobody changes them.
func within(way []string, via string) []string {
	if len(way) == 0 {
		if i := slices.Index(frequent[:], via); i >= 0 {
			return frequent[i : i+1 : i+1]
		}
	}
	return append(slices.Clip(way), via)
}

var frequent = [...]string{"for", "if", "xargs", "$(…)", "( )", "while", "env", "timeout", "sudo"}

// inside runs walk one construct deeper.
func (w *walker) inside(via string, walk func()) {
	if w.enter() {
		outer := w.via
		if via != "" {
			w.via = within(w.via, via)
		}
		walk()
		w.via = outer
	}
	w.depth--
}

// enter goes one construct deeper, and reports whether the walk goes on there.
func (w *walker) enter() bool {
	w.depth++
	if w.depth > MaxDepth {
		w.problem(TooDeep, "nested too deeply to be judged", w.here())
	}
	return w.depth <= stopDepth
}

func (w *walker) here() int32 {
	if w.span != nil {
		return w.span.Start
	}
	return 0
}

// subshell runs walk so that a cd inside does not outlive it.
func (w *walker) subshell(via string, walk func()) {
	dirs, fail, stdin := w.dirs, w.failDirs, w.stdin
	w.inside(via, walk)
	w.dirs, w.failDirs, w.stdin = dirs, fail, stdin
}

func (w *walker) list(stmts []*syntax.Stmt) {
	for _, stmt := range stmts {
		if w.folding && w.exhausted() {
			return // what it says besides cannot be told
		}
		if decl, ok := stmt.Cmd.(*syntax.DeclClause); ok && w.depth == 0 && !stmt.Background {
			w.declaresKeyed(decl)
		}
		w.background(stmt, func() { w.apart(stmt) })
		w.either()
	}
}

// either joins the directories after success and after failure.
func (w *walker) either() {
	w.dirs = union(w.dirs, w.failDirs)
	w.failDirs = nil
}

// followedDirs bounds the directories that are followed; past it a command may run
// anywhere.
const followedDirs = 8

// startDir is the directory where the script starts. It is never changed.
var startDir = []string{""}

// union of two sets of directories; nil stands for {""} on the left and for
// nothing on the right.
func union(a, b []string) []string {
	if b == nil {
		return a
	}
	if a == nil {
		a = startDir
	}
	if len(a) < len(b) && slices.Equal(a, b[:len(a)]) {
		return b
	}
	out := slices.Clip(a)
	for _, dir := range b {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	if len(out) > followedDirs {
		return []string{string([]byte{Unknown})}
	}
	return out
}

func (w *walker) stmt(stmt *syntax.Stmt) {
	if call, ok := stmt.Cmd.(*syntax.CallExpr); ok {
		w.simple(call, stmt)
		w.negated(stmt)
		return
	}
	stdin := w.stdin
	redirects := w.redirects(stmt.Redirs)
	if len(redirects) > 0 || stmt.Cmd == nil {
		w.add(&Command{Redirects: redirects, Span: w.spanOf(stmt)})
	}
	from := len(w.s.Commands)
	w.command(stmt.Cmd)
	if loop, ok := stmt.Cmd.(*syntax.WhileClause); ok {
		w.endless(readsDevice(redirects), loop.Do, from)
	}
	w.negated(stmt)
	w.stdin = stdin
}

// negated: behind "! cd x &&" the script is where it was.
func (w *walker) negated(stmt *syntax.Stmt) {
	if !stmt.Negated || w.failDirs == nil {
		return
	}
	ok := w.dirs
	if ok == nil {
		ok = startDir
	}
	w.dirs, w.failDirs = w.failDirs, ok
}

// command walks everything but a simple command.
func (w *walker) command(cmd syntax.Command) {
	switch cmd := cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		w.simple(cmd, nil)
	case *syntax.BinaryCmd:
		w.binary(cmd)
	case *syntax.Subshell:
		w.subshell("( )", func() { w.list(cmd.Stmts) })
	case *syntax.Block:
		w.inside("{ }", func() { w.list(cmd.Stmts) })
	case *syntax.IfClause:
		w.branches("if", func() { w.ifClause(cmd) })
	case *syntax.WhileClause:
		w.inside(whileName(cmd), func() { w.whileClause(cmd) })
	case *syntax.ForClause:
		w.inside(loopName(cmd.Loop), func() { w.forClause(cmd) })
	case *syntax.CaseClause:
		w.branches("case", func() { w.caseClause(cmd) })
	case *syntax.FuncDecl:
		w.function(cmd)
	case *syntax.TimeClause:
		w.timed(cmd)
	case *syntax.CoprocClause:
		w.coprocess(cmd)
	case *syntax.DeclClause:
		w.declaration(cmd)
	case *syntax.TestClause:
		outer := w.testing
		w.testing = w.add(&Command{Words: []Word{{Text: "[[", Span: w.spanOf(cmd)}}, Span: w.spanOf(cmd)})
		w.test(cmd.X)
		w.testing = outer
	case *syntax.ArithmCmd:
		w.add(&Command{Words: []Word{{Text: "((", Span: w.spanOf(cmd)}}, Span: w.spanOf(cmd)})
		w.arithmetic(cmd.X)
	case *syntax.LetClause:
		w.let(cmd)
	default:
		w.problem(Unparseable, "a construct that bash does not have", offset(cmd.Pos()))
	}
}

// branches walks a construct of which not every part runs, so a cd in it may or
// may not have happened afterwards.
func (w *walker) branches(via string, walk func()) {
	before := w.dirs
	w.inside(via, walk)
	if !slices.Equal(before, w.dirs) {
		if before == nil {
			before = startDir
		}
		w.dirs = union(w.dirs, before)
	}
}

// whileName tells loops apart that end with their input: while read line.
func whileName(cmd *syntax.WhileClause) string {
	if !cmd.Until && len(cmd.Cond) == 1 && len(cmd.Cond[0].Redirs) == 0 && !cmd.Cond[0].Negated {
		if call, ok := cmd.Cond[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "read" {
			return "while read"
		}
	}
	return "while"
}

// loopName tells loops apart that may never end: they count nothing, or to no end.
func loopName(loop syntax.Loop) string {
	if counting, ok := loop.(*syntax.CStyleLoop); ok && (counting.Cond == nil || counting.Post == nil) {
		return "for ((;;))"
	}
	return "for"
}

func (w *walker) whileClause(cmd *syntax.WhileClause) {
	t := w.turn()
	w.list(cmd.Cond)
	w.list(cmd.Do)
	w.endless(w.forever(cmd), cmd.Do, t.from)
	w.looped(t)
}

func (w *walker) forClause(cmd *syntax.ForClause) {
	endless := countsForEver(cmd.Loop)
	_, once := cmd.Loop.(*syntax.WordIter) // the words of for are read once
	at := len(w.s.loops)
	if once {
		w.loop(cmd.Loop)
	}
	t := w.turn()
	if !once {
		w.loop(cmd.Loop)
	}
	from := len(w.s.Commands)
	w.list(cmd.Do)
	if once && at < len(w.s.loops) {
		w.s.loops[at].from, w.s.loops[at].to = from, len(w.s.Commands)
	}
	w.endless(endless, cmd.Do, t.from)
	w.looped(t)
}

func (w *walker) ifClause(cmd *syntax.IfClause) {
	for ; cmd != nil; cmd = cmd.Else {
		w.list(cmd.Cond)
		w.list(cmd.Then)
	}
}

func (w *walker) caseClause(cmd *syntax.CaseClause) {
	w.word(cmd.Word)
	for _, item := range cmd.Items {
		for _, pattern := range item.Patterns {
			w.word(pattern)
		}
		w.list(item.Stmts)
	}
}

func (w *walker) loop(each syntax.Loop) {
	w.again = true
	switch each := each.(type) {
	case *syntax.WordIter:
		items, numbers := w.room(len(each.Items)), len(each.Items) > 0
		for _, item := range each.Items {
			numbers = numbers && w.countsUp(item)
			items = w.appendWords(items, item)
		}
		if numbers {
			w.numeric(each.Name.Value)
			w.assigned(Assign{Name: each.Name.Value, Value: Word{Text: unknownMark}})
			return
		}
		w.s.loops = append(w.s.loops, loop{name: each.Name.Value, words: items, all: len(each.Items) == 0})
		if w.expands(items); len(w.listed) > 0 {
			w.add(&Command{Span: w.spanOf(each)})
		}
		w.assignEach(each.Name.Value, items)
	case *syntax.CStyleLoop:
		w.arithmetic(each.Init)
		w.arithmetic(each.Cond)
		w.arithmetic(each.Post)
	}
}

// expands notes the patterns among words for the next command.
func (w *walker) expands(words []Word) {
	for _, word := range words {
		if strings.IndexByte(word.Text, Glob) >= 0 && (w.dirs != nil || strings.IndexByte(word.Text, '/') >= 0) {
			if w.listed == nil {
				w.listed = w.room(len(words))
			}
			w.listed = append(w.listed, word)
		}
	}
}

func (w *walker) binary(cmd *syntax.BinaryCmd) {
	switch cmd.Op {
	case syntax.AndStmt:
		w.apart(cmd.X)
		fail := w.failDirs
		w.failDirs = nil
		w.apart(cmd.Y)
		if fail != nil && w.failDirs == nil { // the second may fail where the first has led to
			w.failDirs = w.dirs
		}
		if fail != nil || w.failDirs != nil {
			w.failDirs = union(w.failDirs, fail)
		}
	case syntax.OrStmt:
		w.apart(cmd.X)
		ok := w.dirs
		if w.failDirs != nil {
			w.dirs, w.failDirs = w.failDirs, nil
		}
		w.apart(cmd.Y)
		if !slices.Equal(ok, w.dirs) {
			if ok == nil {
				ok = startDir
			}
			w.dirs = union(w.dirs, ok)
		}
	default: // pipes
		w.pipe(cmd)
	}
}

func (w *walker) pipe(cmd *syntax.BinaryCmd) {
	dirs, fail, stdin := w.dirs, w.failDirs, w.stdin
	from := len(w.s.Commands)
	if w.enter() {
		w.stmt(cmd.X)
		w.dirs, w.failDirs = dirs, fail
		w.stdin = Stdin{Kind: StdinPipe, From: from, To: len(w.s.Commands)}
		if cmd.Op == syntax.Pipe {
			w.stdin.Listed = w.lists(cmd.X, from)
		}
		w.stmt(cmd.Y)
		w.either()
		if !slices.Equal(w.dirs, dirs) {
			w.pipeMoves = true
			if w.astray != 0 && w.dirs != nil {
				dirs = union(dirs, w.dirs)
			}
		}
		w.dirs, w.failDirs, w.stdin = dirs, fail, stdin
	}
	w.depth--
}

func (w *walker) function(cmd *syntax.FuncDecl) {
	name := ""
	if cmd.Name != nil {
		name = cmd.Name.Value
	}
	w.rebind(name, "is a function here")
	from := len(w.s.Commands)
	if cmd.Body != nil {
		if w.bodies == nil {
			w.bodies = make(map[string]*syntax.Stmt)
		}
		w.bodies[name] = cmd.Body
		end := w.later(false, func() {
			w.inside(name+"()", func() { w.stmt(cmd.Body) })
		})
		if end != nil {
			w.moving++
			w.wanders = union(end, w.wanders)
		}
	}
	w.s.Functions = append(w.s.Functions, Function{Name: name, From: from, To: len(w.s.Commands)})
}

func (w *walker) timed(cmd *syntax.TimeClause) {
	if cmd.Stmt != nil {
		if startsWithTest(cmd.Stmt) { // at the start of a substitution: $(time [[ a || make ]]) runs make
			w.problem(Unparseable, "bash may take the [[ behind time for a command", offset(cmd.Pos()))
		}
		w.inside("time", func() { w.stmt(cmd.Stmt) })
	}
}

// startsWithTest: the first command of a pipe is [[ ]].
func startsWithTest(stmt *syntax.Stmt) bool {
	for {
		switch cmd := stmt.Cmd.(type) {
		case *syntax.BinaryCmd:
			stmt = cmd.X
		case *syntax.TestClause:
			return true
		default:
			return false
		}
	}
}

func (w *walker) coprocess(cmd *syntax.CoprocClause) {
	if cmd.Name != nil {
		if name := w.word(cmd.Name); isName(name.Text) {
			w.assignedTo(name)
		} else { // coproc x=1 command: the grammar takes the wrong word for a name
			w.problem(Unparseable, "the name of a coprocess is not understood", offset(cmd.Pos()))
		}
	}
	w.subshell("coproc", func() { w.stmt(cmd.Stmt) })
}

// wordSpan is spanOf for a word. Most are one piece of text, which knows its place.
func (w *walker) wordSpan(word *syntax.Word) Span {
	if w.span == nil && len(word.Parts) == 1 {
		if lit, ok := word.Parts[0].(*syntax.Lit); ok {
			return Span{Start: offset(lit.ValuePos), End: offset(lit.ValueEnd)}
		}
	}
	return w.spanOf(word)
}

// spanOf is the place of a node in the source text.
func (w *walker) spanOf(node syntax.Node) Span {
	if w.span != nil {
		return *w.span
	}
	return Span{Start: offset(node.Pos()), End: offset(node.End())}
}

// offset is a position as spans have it; texts are far smaller than what it holds.
func offset(pos syntax.Pos) int32 { return int32(pos.Offset()) }
