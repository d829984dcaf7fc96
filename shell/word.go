package shell

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// word reads a word that brace expansion does not apply to.
func (w *walker) word(word *syntax.Word) Word {
	if word == nil {
		return Word{}
	}
	if text, ok := plain(word); ok {
		return Word{Text: text, Span: w.wordSpan(word)}
	}
	b := w.builder()
	b.unquoted(word.Parts)
	return b.word(w.spanOf(word))
}

// assignedWord reads a word in which bash looks for no files: the value of a variable, or
// the text of a here-string. A pattern in the value of another one is text there.
func (w *walker) assignedWord(word *syntax.Word) Word {
	if text, ok := plain(word); ok {
		return Word{Text: text, Span: w.wordSpan(word)}
	}
	b := w.builder()
	b.asText = true
	b.unquoted(word.Parts)
	return b.word(w.spanOf(word))
}

// words reads a word of a command: braces may turn it into several, an array
// that is folded too.
func (w *walker) words(word *syntax.Word) []Word {
	return w.appendWords(nil, word)
}

func (w *walker) appendWords(out []Word, word *syntax.Word) []Word {
	if text, ok := plain(word); ok {
		out = append(out, Word{})
		last := &out[len(out)-1] // written where it is: a copy of what was just written takes longer
		last.Text, last.Span = text, w.wordSpan(word)
		return out
	}
	if n := braces(word); n > 0 {
		span := w.spanOf(word)
		switch {
		case n > maxOpened:
			return w.appendUnread(out, word, span)
		case !wasSplit(word) && uneven(word.Parts):
			w.problem(Unparseable, "its braces can be taken together in several ways (quote those that stand for themselves)", span.Start)
			return w.appendUnread(out, word, span)
		case splitBraces(word):
			w.split = true
			return w.appendBraces(out, word, span)
		}
	}
	return w.appendFields(out, word)
}

// appendFields reads one word after brace expansion.
func (w *walker) appendFields(out []Word, word *syntax.Word) []Word {
	if w.folding {
		return w.appendFolded(out, word)
	}
	return append(out, w.word(word))
}

// plain is the fast path: one constant without anything special in it.
func plain(word *syntax.Word) (string, bool) {
	if len(word.Parts) != 1 {
		return "", false
	}
	switch part := word.Parts[0].(type) {
	case *syntax.Lit:
		return part.Value, !special(part.Value)
	case *syntax.SglQuoted:
		return part.Value, !part.Dollar
	case *syntax.DblQuoted:
		if len(part.Parts) == 1 && !part.Dollar {
			lit, ok := part.Parts[0].(*syntax.Lit)
			if ok && strings.IndexByte(lit.Value, '\\') < 0 {
				return lit.Value, true
			}
		}
	}
	return "", false
}

// special: something in unquoted text does not stand for itself.
func special(text string) bool {
	for i := range len(text) {
		if specialBytes[text[i]] {
			return true
		}
	}
	return false
}

var specialBytes = [256]bool{'\\': true, '*': true, '?': true, '[': true, '{': true, '~': true, '`': true, '<': true, '>': true}

// builder puts the text of a word together part by part.
type builder struct {
	w     *walker
	buf   []byte
	tilde bool
	home  bool
	split bool
	// Brackets stand in it that may begin a pattern, that surely were one; a pattern in it
	// may find several names.
	open, closed, several bool
	valued                bool // some of that stood in a value
	asText                bool // what stands in one is no pattern
	// Of a second reading: see Word.
	loose  bool
	empty  bool
	named  bool
	listed uint8
	state  wordState
	hollow bool // something unknown in it may be empty
	dot    int  // where the name of a directory ends that is written as "."
}

// builder starts a word. The buffer is used again from word to word; a word inside
// another, in a substitution, gets one of its own.
func (w *walker) builder() builder {
	b := builder{w: w, buf: w.scratch[:0]}
	w.scratch = nil
	return b
}

// done gives the buffer back.
func (b *builder) done() { b.w.scratch = b.buf }

func (b *builder) text() string { return string(b.buf) }

func (b *builder) known() bool {
	return Word{Text: string(b.buf)}.Known()
}

func (b *builder) word(span Span) Word {
	defer b.done()
	b.closeBrackets()
	b.withoutBackslashes()
	b.spread()
	word := Word{Text: string(b.buf), Span: span, Tilde: b.tilde, Home: b.home, Split: b.split, Loose: b.loose, Listed: b.listed, Empty: b.empty, Named: b.named, state: b.state, filled: !b.hollow}
	if b.several && (b.state == noNumber || b.w.bound == nil) {
		word.state = severalNames
	}
	word.Loose = word.Loose || word.Listed > 0 && !settles(word.Text) || b.empty && strings.ContainsAny(word.Text, "/.~") || b.dot > 0 && b.dot < len(b.buf) && b.buf[b.dot] != '/'
	return word
}

func (b *builder) mark(mark byte) {
	if n := len(b.buf); n > 0 && b.buf[n-1] == mark {
		return
	}
	b.buf = append(b.buf, mark)
}

// constant appends a value that was written as such; bytes that are not UTF-8
// (from $'\xff') cannot be told from the marks and count as unknown.
func (b *builder) constant(text string) {
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		b.mark(Unknown)
		return
	}
	b.buf = append(b.buf, text...)
}

func (b *builder) unquoted(parts []syntax.WordPart) {
	for i, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.literal(part.Value, i == 0)
		case *syntax.SglQuoted:
			if part.Dollar {
				b.constant(ansi(part.Value))
			} else {
				b.constant(part.Value)
			}
		case *syntax.DblQuoted:
			if part.Dollar {
				b.translated(part)
				continue
			}
			b.quoted(part.Parts, i == 0)
		default:
			b.expansion(part, i == 0, false)
		}
	}
}

// translated reads $"…": bash puts in what a catalogue has for the text, and expands that.
func (b *builder) translated(part *syntax.DblQuoted) {
	before := len(b.buf)
	b.quoted(part.Parts, false)
	b.buf = b.buf[:before]
	b.mark(Unknown)
	b.loose = true
	span := b.w.spanOf(part)
	b.w.add(&Command{Words: []Word{{Text: unknownMark, Span: span}}, Span: span, Opaque: OpaqueShell, Taint: `the translation of $"…" may run commands`})
}

// quoted reads the inside of double quotes or of a here-document.
func (b *builder) quoted(parts []syntax.WordPart, first bool) {
	for i, part := range parts {
		if lit, ok := part.(*syntax.Lit); ok {
			b.constant(unescape(lit.Value, "\\\"$`\n"))
			continue
		}
		b.expansion(part, first && i == 0, true)
	}
}

// maxExpansions bounds how deeply expansions stand in each other: each is looked at more
// than once, so that the work doubles with each.
const maxExpansions = 10

func (b *builder) expansion(part syntax.WordPart, first, quoted bool) {
	b.hollow = b.hollow || !neverEmpty(part)
	if b.w.expansions++; b.w.expansions > maxExpansions {
		b.w.problem(TooDeep, "expansions are nested too deeply to be judged", b.w.here())
		b.mark(Unknown)
		b.loose = true
		b.w.expansions--
		return
	}
	defer func() { b.w.expansions-- }()
	if b.w.bound != nil && b.settled(part, first) {
		b.bounded(part, quoted)
		return
	}
	switch part := part.(type) {
	case *syntax.ParamExp:
		b.w.reads = true
		if value, ok := b.w.foldParam(part); ok {
			b.value(value, quoted)
			return
		}
		b.w.glued = b.w.glued || len(b.buf) > 0 || b.w.dirs != nil
		b.w.foldable = b.w.foldable || part.Param != nil && holdsDirectory(part.Param.Value) && !plainHome(part)
		b.home = b.home || first && plainHome(part)
		b.w.param(part)
		b.unsettledParam(part, first)
		quoted = quoted || numericParam(part) || b.holdsNumber(part) // a number is one word
	case *syntax.CmdSubst:
		if value, ok := b.w.foldSubst(part); ok {
			if utf8.ValidString(value) && strings.IndexByte(value, 0) < 0 {
				b.value(value, quoted)
			} else {
				b.constant(value)
			}
			return
		}
		if part.Backquotes {
			b.w.backquotes(part)
		}
		from := len(b.w.s.Commands)
		b.w.substituted(part)
		b.unsettledOutput(part.Stmts, from)
	case *syntax.ArithmExp:
		b.w.arithmetic(part.X)
		b.w.again = true
		b.mark(Unknown)
		return
	case *syntax.ProcSubst:
		b.w.substitution(part.Stmts)
		if source := constantOutput(part.Stmts); source.call != nil {
			b.w.printed, _ = b.w.output(source)
		}
		b.constant(processMark)
		return
	case *syntax.ExtGlob:
		b.w.problem(Unparseable, "an extended pattern, which bash refuses unless told otherwise", offset(part.Pos()))
	}
	b.mark(Unknown)
	b.split = b.split || !quoted
}

// neverEmpty reports whether an expansion is some text, or ends the script: ${x:-y}, ${x:?}.
func neverEmpty(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	if !ok || p.Exp == nil || p.Param == nil || p.Param.Value == "@" || p.Param.Value == "*" || p.Index != nil || p.Excl || p.Length {
		return false
	}
	switch p.Exp.Op {
	case syntax.ErrorUnsetOrNull:
		return true
	case syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull:
		return p.Exp.Word != nil && p.Exp.Word.Lit() != ""
	}
	return false
}

// processMark is the name that a process substitution expands to.
const processMark = "/dev/fd/63"

func plainHome(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Param.Value != "HOME" || p.Repl != nil || p.Slice != nil || p.Index != nil || p.Excl || p.Length || p.Names != 0 {
		return false
	}
	if p.Exp == nil {
		return true
	}
	switch p.Exp.Op { // ${HOME:?}, ${HOME:-/x}, ${HOME%/}
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return true
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		return p.Exp.Word == nil || len(p.Exp.Word.Parts) == 0 || startsWithRoot(p.Exp.Word.Parts[0])
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return p.Exp.Word != nil && p.Exp.Word.Lit() == "/"
	}
	return false
}

// startsWithRoot: the part is the beginning of an absolute path.
func startsWithRoot(part syntax.WordPart) bool {
	lit, ok := part.(*syntax.Lit)
	return ok && rooted(lit.Value)
}

// backquotes refuses nesting: how many backslashes each level takes is where bash
// and the grammar part ways.
func (w *walker) backquotes(subst *syntax.CmdSubst) {
	if w.span != nil {
		return
	}
	from, to := offset(subst.Left), offset(subst.Right)
	if from >= 0 && int(to) <= len(w.s.Source) && from+1 < to && strings.Contains(w.s.Source[from+1:to], "\\\\\\`") {
		w.problem(Unparseable, "backticks nested too deeply to be followed", from)
		text := w.s.Source[from+1 : to]
		for level := 0; level < 4 && strings.Contains(text, "\\`"); level++ {
			text = unescape(text, "\\`$") // one level of backslashes less
			w.hidden(text, Span{Start: from, End: to})
		}
	}
}

// hidden lists the commands of a text that bash may expand where the grammar sees none.
// The script is not understood, so they are guesses.
func (w *walker) hidden(text string, span Span) {
	if !w.affords(1+len(text)/16, span.Start) || refuse(text) != nil {
		return
	}
	stmts, _ := read(text)
	outer, link := w.span, w.link
	w.span, w.link = &span, Guess
	w.substitution(stmts)
	w.span, w.link = outer, link
}

// substituted walks the commands of $(…) and `…`, and of ${ …; }, which runs in this shell.
func (w *walker) substituted(part *syntax.CmdSubst) {
	if !part.TempFile && !part.ReplyVar {
		w.substitution(part.Stmts)
		return
	}
	folded, parent, link := w.folded, w.parent, w.link
	w.branches("$(…)", func() { w.list(part.Stmts) })
	w.folded, w.parent, w.link = folded, parent, link
}

// substitution walks the commands of $(…), `…`, <(…) and >(…).
func (w *walker) substitution(stmts []*syntax.Stmt) {
	folded, parent, link := w.folded, w.parent, w.link
	w.subshell("$(…)", func() { w.list(stmts) })
	w.folded, w.parent, w.link = folded, parent, link
}

// literal reads unquoted text: backslashes, file name patterns, a leading tilde.
func (b *builder) literal(text string, first bool) {
	if strings.IndexByte(text, '`') >= 0 && !strings.Contains(text, "\\`") {
		b.w.problem(Unparseable, "a backtick that is not understood", 0)
	}
	if first {
		text = b.leadingTilde(text)
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			i++
			if i < len(text) && text[i] != '\n' {
				b.buf = append(b.buf, text[i])
			}
		case '<', '>': // in the parentheses of an expression
			if i+1 < len(text) && text[i+1] == '(' {
				b.w.problem(Unparseable, hiddenProcess, 0)
			}
			b.buf = append(b.buf, c)
		case '*', '?':
			b.several = true
			b.glob()
		case '[':
			if end := plainBracket(text[i:]); end > 0 {
				b.glob()
				b.closed, b.several = true, b.several || end > 2 // [a] is one letter
				i += end
				continue
			}
			b.open = true
			b.buf = append(b.buf, c)
		default:
			b.buf = append(b.buf, c)
		}
	}
}

// leadingTilde reads the tilde with which a word begins, or what is assigned in it, and returns what
// is left of the text. It stands for what HOME holds.
func (b *builder) leadingTilde(text string) string {
	b.tilde = text != "" && text[0] == '~'
	at := 0
	if !b.tilde {
		if at = strings.Index(text, "=~") + 1; at == 0 || !isName(text[:at-1]) {
			return text
		}
	}
	rest := text[at+1:]
	if stackPlace(rest) {
		b.w.foldable = true
		if b.w.folding && b.w.bound == nil {
			_, below, _ := strings.Cut(rest, "/")
			b.tilde = false
			b.buf = append(append(b.buf, text[:at]...), b.w.earlier()...)
			return "/" + below
		}
	}
	if rest != "" && rest[0] != '/' {
		b.loose = b.loose || b.w.bound != nil && rest[0] == '+' && b.w.bound.gives("PWD")
		return text
	}
	b.loose = b.loose || b.w.bound != nil && b.w.bound.movesHome()
	if home, moved := b.w.foldHome(); moved {
		b.tilde = false
		b.buf = append(append(b.buf, text[:at]...), home...)
		return text[at+1:]
	}
	return text
}

// unescape removes backslashes before the characters in set; an escaped newline
// vanishes.
func unescape(text, set string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte(set, text[i+1]) >= 0 {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
