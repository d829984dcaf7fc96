package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects reads redirections and notes what they make of standard input.
func (w *walker) redirects(list []*syntax.Redirect) []Redirect {
	if len(list) == 0 {
		return nil
	}
	out := make([]Redirect, 0, len(list))
	for _, r := range list {
		out = append(out, w.redirect(r))
	}
	return out
}

// endsInDash: the dash that moves a descriptor stands there without quotes, behind all else. bash looks
// at the word as it is written.
func endsInDash(word *syntax.Word) bool {
	last, ok := word.Parts[len(word.Parts)-1].(*syntax.Lit)
	return ok && strings.HasSuffix(last.Value, "-")
}

func (w *walker) redirect(r *syntax.Redirect) Redirect {
	out := Redirect{Span: w.spanOf(r)}
	if r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc && r.Op != syntax.WordHdoc && braces(r.Word) > 0 { // {x,} is one word
		w.problem(Unparseable, "braces in the target of a redirection", out.Span.Start)
	}
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		if w.language() == Zsh { // for which {make} is a block
			w.problem(Unparseable, "zsh may read a block where bash reads the name of a variable", out.Span.Start)
		}
		w.assignedName(strings.Trim(r.N.Value, "{}"), out.Span) // {fd}> assigns fd
		w.again = true
	}
	input := r.N == nil || r.N.Value == "0"
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		out.Kind = RedirectText
		before := w.folded
		w.folded = false
		stdin := w.hereText(r)
		w.inputFolded = w.inputFolded || w.folded
		w.folded = w.folded || before
		if input {
			w.stdin = stdin
		}
		return out
	case syntax.DplIn, syntax.DplOut:
		out.Target = w.word(r.Word)
		w.again = w.again || input
		if input && w.bound != nil {
			w.stdin = Stdin{Kind: StdinFile}
		}
		moves := out.Target.Text != "-" && strings.HasSuffix(out.Target.Text, "-")
		if descriptor(out.Target) && (!moves || w.language() != Zsh && endsInDash(r.Word)) { // otherwise it is the file 2-
			out.Kind, out.Target = RedirectDescriptor, Word{}
			return out
		}
		w.expandedTwice(out.Target)
		out.Kind = RedirectWrite // ">& file" writes it
		if r.Op == syntax.DplIn {
			out.Kind = RedirectRead
		}
	case syntax.RdrIn:
		out.Target, out.Kind = w.word(r.Word), RedirectRead
		if input {
			w.stdin = Stdin{Kind: StdinFile}
		}
	default:
		out.Target, out.Kind = w.word(r.Word), RedirectWrite
	}
	out.Kind = byTarget(out)
	if reopens(r, out) {
		out.Kind = RedirectWrite
	}
	return out
}

// reopens: writing to /dev/fd/0 opens the file again from which the descriptor reads. Behind 1 and 2
// is what is written to anyway, and behind the path of a process substitution a command.
func reopens(r *syntax.Redirect, out Redirect) bool {
	if r.Op == syntax.RdrIn || !descriptorPath(out.Target.Text) || out.Target.Text == "/dev/fd/1" || out.Target.Text == "/dev/fd/2" {
		return false
	}
	if r.Word == nil || len(r.Word.Parts) == 0 {
		return true
	}
	_, process := r.Word.Parts[0].(*syntax.ProcSubst)
	return !process
}

// expandedTwice: bash expands the word behind >& again when it turns out to be no
// descriptor.
func (w *walker) expandedTwice(target Word) {
	for i := range len(target.Text) {
		if !plainBytes[target.Text[i]] {
			w.problem(Unparseable, "the word behind >& is expanded twice", target.Span.Start)
			w.evaluatedText(target)
			return
		}
	}
}

// descriptor: "1", "-", "2-" are descriptors, anything else is a file name.
func descriptor(target Word) bool {
	if !target.Known() {
		return false
	}
	text := strings.TrimSuffix(target.Text, "-")
	if text == "" {
		return target.Text == "-"
	}
	return strings.Trim(text, "0123456789") == ""
}

// byTarget: some paths are no files.
func byTarget(r Redirect) RedirectKind {
	text := r.Target.Text
	switch {
	case text == "/dev/null":
		return RedirectNull
	case text == "/dev/stdout" || text == "/dev/stderr" || descriptorPath(text):
		return RedirectDescriptor
	case strings.HasPrefix(text, "/dev/tcp/") || strings.HasPrefix(text, "/dev/udp/"):
		return RedirectNetwork
	}
	return r.Kind
}

// descriptorPath: /dev/fd/ and a number, nothing behind it.
func descriptorPath(path string) bool {
	number, ok := strings.CutPrefix(path, "/dev/fd/")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

func (w *walker) hereText(r *syntax.Redirect) Stdin {
	if r.Op == syntax.WordHdoc {
		word := atHome(w.assignedWord(r.Word))
		if !word.Known() {
			return Stdin{Kind: StdinUnknown, Text: word.Text}
		}
		return Stdin{Kind: StdinText, Text: word.Text + "\n"}
	}
	if r.Hdoc == nil {
		return Stdin{Kind: StdinText}
	}
	var text string
	known := true
	if quotedDelimiter(r.Word) {
		for _, part := range r.Hdoc.Parts {
			if lit, ok := part.(*syntax.Lit); ok {
				text += lit.Value
			}
		}
	} else {
		b := w.builder()
		b.quoted(r.Hdoc.Parts, false)
		text, known = b.text(), b.known()
		b.done()
	}
	if r.Op == syntax.DashHdoc {
		text = strings.ReplaceAll("\n"+text, "\n\t", "\n")[1:]
	}
	if !known {
		return Stdin{Kind: StdinUnknown, Text: text}
	}
	return Stdin{Kind: StdinText, Text: text}
}

// quotedDelimiter: with any quoting in the delimiter the body is not expanded.
func quotedDelimiter(word *syntax.Word) bool {
	for _, part := range word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok || strings.Contains(lit.Value, `\`) {
			return true
		}
	}
	return false
}
