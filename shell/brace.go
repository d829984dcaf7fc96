package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces bounds how many words one brace expansion may become; past it the
// word is unknown.
const maxBraces = 256

// maxOpened bounds the braces in one word, because it takes the square of their number to split
// them. A word with more is unknown.
const maxOpened = 64

// braces is how many braces open in a word.
func braces(word *syntax.Word) int {
	n := 0
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			n += strings.Count(lit.Value, "{")
		}
	}
	return n
}

// uneven reports whether bash may take other braces of a word together than [splitBraces] does: it looks at
// characters, before it knows what they are. Where more are closed than opened, or fewer, it looks for an
// end with a choice before it: {x},y} is x} and y. Where a comma stands deeper than "..", it leaves the
// outer ones out: {{a,b}..c} is a..c and b..c. And it counts the braces of expansions: {m,${a-{}}}ake is make.
func uneven(parts []syntax.WordPart) bool {
	const most = maxOpened - 1
	depth, opened, choices, closed := 0, 0, false, false
	var deeper, dots [most + 1]bool // of the braces that are open
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			deeper[depth] = deeper[depth] || holdsComma(part)
			if misread(part) {
				return true
			}
			continue
		}
		for i := 0; i < len(lit.Value); i++ {
			switch lit.Value[i] {
			case '\\':
				i++
			case ',':
				choices = true
			case '.':
				if strings.HasPrefix(lit.Value[i:], "..") {
					choices, dots[depth] = true, true
				}
			case '{':
				deeper[depth] = true
				opened++
				depth = min(depth+1, most)
				deeper[depth], dots[depth] = false, false
			case '}':
				switch {
				case depth > 0 && deeper[depth] && dots[depth]:
					return true
				case depth > 0:
					depth--
				default:
					closed = closed || opened > 0
				}
			}
		}
	}
	return choices && (closed || depth > 0 && opened > 1)
}

// misread: to bash, while it looks for braces, a quote or a brace in the part is another one than it is.
func misread(part syntax.WordPart) bool {
	switch part := part.(type) {
	case *syntax.SglQuoted:
		return part.Dollar && strings.Contains(part.Value, `\'`)
	case *syntax.DblQuoted:
		return slices.ContainsFunc(part.Parts, func(inner syntax.WordPart) bool {
			command, ok := inner.(*syntax.CmdSubst)
			return (!ok || command.Backquotes) && holds(inner, func(node syntax.Node) bool {
				_, quotes := node.(*syntax.DblQuoted)
				return quotes
			})
		})
	case *syntax.ParamExp:
		return holds(part, func(node syntax.Node) bool {
			lit, ok := node.(*syntax.Lit)
			return ok && strings.ContainsAny(lit.Value, "{}")
		})
	}
	return false
}

// holdsComma: a comma stands in an expansion.
func holdsComma(part syntax.WordPart) bool {
	return holds(part, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Lit:
			return strings.IndexByte(node.Value, ',') >= 0
		case *syntax.SglQuoted:
			return strings.IndexByte(node.Value, ',') >= 0
		case *syntax.ArithmExp:
			return true
		}
		return false
	})
}

// holds: a node is one of these, or there is one in it. Of words whose braces have been split nobody can
// tell.
func holds(node syntax.Node, isOne func(syntax.Node) bool) bool {
	found := false
	syntax.Walk(node, func(node syntax.Node) bool {
		if node == nil {
			return false
		}
		word, ok := node.(*syntax.Word)
		found = found || isOne(node) || ok && wasSplit(word)
		return !found
	})
	return found
}

// splitBraces splits the braces of a word, if there are any. An empty choice, as the first of
// {,x}, gets a place then: it has none of its own, and whoever asks the parser's nodes for theirs
// when the word is read once more would find nothing to answer.
func splitBraces(word *syntax.Word) bool {
	at := word.Pos()
	if !syntax.SplitBraces(word) {
		return false
	}
	placeEmpty(word, at)
	return true
}

func placeEmpty(word *syntax.Word, at syntax.Pos) {
	if len(word.Parts) == 0 {
		word.Parts = []syntax.WordPart{&syntax.Lit{ValuePos: at, ValueEnd: at}}
	}
	for _, part := range word.Parts {
		if brace, ok := part.(*syntax.BraceExp); ok {
			for _, choice := range brace.Elems {
				placeEmpty(choice, at)
			}
		}
	}
}

// wasSplit: the braces of the word have been split, after which the parser's own walk
// does not bear it.
func wasSplit(word *syntax.Word) bool {
	for _, part := range word.Parts {
		if _, ok := part.(*syntax.BraceExp); ok {
			return true
		}
	}
	return false
}

// appendBraces reads a word whose braces have been split.
func (w *walker) appendBraces(out []Word, word *syntax.Word, span Span) []Word {
	var all [][]syntax.WordPart
	ok := w.affords(0, span.Start)
	if ok {
		all, ok = expandBraces(word.Parts)
	}
	if !ok || !w.affords(len(all)*(1+textLength(word.Parts)/16), span.Start) {
		return w.appendUnread(out, word, span)
	}
	for _, parts := range all {
		for len(parts) > 1 && isEmptyLit(parts[0]) { // {,a}~/x is ~/x
			parts = parts[1:]
		}
		b := w.builder()
		b.unquoted(parts)
		switch {
		case growsExpansion(parts):
			w.mayRun("braces make an expansion of this", span)
			fallthrough
		case growsName(parts):
			b.buf, b.split, b.home, b.loose = append(b.buf[:0], Unknown), true, false, true
		}
		if len(b.buf) == 0 && !quotes(parts) {
			b.done()
			continue // an empty choice is no word
		}
		out = append(out, b.word(span))
	}
	return out
}

// textLength is how long the constants in a word are.
func textLength(parts []syntax.WordPart) int {
	n := 0
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			n += len(part.Value)
		case *syntax.SglQuoted:
			n += len(part.Value)
		case *syntax.DblQuoted:
			n += textLength(part.Parts)
		case *syntax.BraceExp:
			for _, elem := range part.Elems {
				n += textLength(elem.Parts)
			}
		}
	}
	return n
}

// appendUnread takes a word for unknown. The commands in it are listed all the same.
func (w *walker) appendUnread(out []Word, word *syntax.Word, span Span) []Word {
	b := w.builder()
	b.unquoted(word.Parts)
	b.done()
	return append(out, Word{Text: string([]byte{Unknown}), Span: span, Split: true})
}

// growsName: braces come before variables, so $x{a,b} is $xa and $xb.
func growsName(parts []syntax.WordPart) bool {
	short := false // the part before is $x
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.ParamExp:
			short = part.Short
		case *syntax.Lit:
			if short && part.Value != "" && isWordByte(part.Value[0]) {
				return true
			}
			short = short && part.Value == "" // an empty choice
		default:
			short = false
		}
	}
	return false
}

// growsExpansion: braces also come before everything that a $ or a ~ begins, so {$,}{a} is ${a},
// {$,}[1] is arithmetic, and {~,}root a home directory.
func growsExpansion(parts []syntax.WordPart) bool {
	for i, part := range parts[:max(len(parts)-1, 0)] {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			continue
		}
		if endsInDollar(lit.Value) || i == 0 && strings.HasPrefix(lit.Value, "~") && strings.IndexByte(lit.Value, '/') < 0 && !startsWith(parts[1], '/') {
			return true
		}
	}
	return false
}

// endsInDollar: the last byte is a $ that no backslash quotes.
func endsInDollar(text string) bool {
	before, ok := strings.CutSuffix(text, "$")
	return ok && (len(before)-len(strings.TrimRight(before, `\`)))%2 == 0
}

func startsWith(part syntax.WordPart, first byte) bool {
	lit, ok := part.(*syntax.Lit)
	return ok && lit.Value != "" && lit.Value[0] == first
}

func isEmptyLit(part syntax.WordPart) bool {
	lit, ok := part.(*syntax.Lit)
	return ok && lit.Value == ""
}

func quotes(parts []syntax.WordPart) bool {
	for _, part := range parts {
		if _, plain := part.(*syntax.Lit); !plain {
			return true
		}
	}
	return false
}

// expandBraces multiplies the brace expressions out into lists of parts.
func expandBraces(parts []syntax.WordPart) ([][]syntax.WordPart, bool) {
	all := [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			for i := range all {
				all[i] = append(all[i], part) // the lists share no room to grow: see below
			}
			continue
		}
		choices, ok := braceChoices(brace)
		if !ok || len(all)*len(choices) > maxBraces {
			return nil, false
		}
		next := make([][]syntax.WordPart, 0, len(all)*len(choices))
		for _, head := range all {
			for _, choice := range choices {
				next = append(next, slices.Clip(slices.Concat(head, choice)))
			}
		}
		all = next
	}
	return all, true
}

func braceChoices(brace *syntax.BraceExp) ([][]syntax.WordPart, bool) {
	if brace.Sequence {
		return braceSequence(brace)
	}
	var choices [][]syntax.WordPart
	for _, elem := range brace.Elems {
		inner, ok := expandBraces(elem.Parts)
		if !ok || len(choices)+len(inner) > maxBraces {
			return nil, false
		}
		choices = append(choices, inner...)
	}
	return choices, true
}

// braceSequence expands {1..5}, {a..e} and {1..9..2}.
func braceSequence(brace *syntax.BraceExp) ([][]syntax.WordPart, bool) {
	from, to := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	step := 1
	if len(brace.Elems) > 2 {
		if n, err := strconv.Atoi(brace.Elems[2].Lit()); err == nil && n != 0 {
			step = max(n, -n)
		}
	}
	first, errFirst := strconv.Atoi(from)
	last, errLast := strconv.Atoi(to)
	show := strconv.Itoa
	if padded(from) || padded(to) || abs(first) > 1<<30 || abs(last) > 1<<30 {
		return nil, false
	}
	if errFirst != nil || errLast != nil {
		if len(from) != 1 || len(to) != 1 {
			return nil, false
		}
		first, last = int(from[0]), int(to[0])
		show = func(n int) string { return string(rune(n)) }
	}
	if step <= 0 || abs(last-first)/step >= maxBraces {
		return nil, false
	}
	if last < first {
		step = -step
	}
	var choices [][]syntax.WordPart
	for n := first; step > 0 && n <= last || step < 0 && n >= last; n += step {
		choices = append(choices, []syntax.WordPart{&syntax.Lit{Value: show(n)}})
	}
	return choices, true
}

// padded: {01..10} keeps the zeros, which is not worth following.
func padded(text string) bool {
	text = strings.TrimPrefix(text, "-")
	return len(text) > 1 && text[0] == '0'
}

func abs(n int) int { return max(n, -n) }
