package inbox

import (
	"path"
	"strings"
)

// span is a part of a text.
type span struct{ from, to int }

// shellWord is one word of a command, with the marks of its quotation.
type shellWord struct {
	span
	text string // without the marks
}

// command is one command of a text.
type command struct {
	// program is the name of what runs, without its directory; empty when nobody can say.
	program string
	// before is what stands before it: assignments, and programs that run another one.
	before, args []shellWord
	// fedBy is the command whose output it reads; -1 when it is none.
	fedBy int
	// body is the text behind a <<.
	body span
}

// commandReader takes a text apart into commands and words.
type commandReader struct {
	text  string
	at    int
	all   []command
	depth int
	// bodies are the commands of this line that have a text behind it, and how it ends.
	bodies []awaited
	// bodyEnd is where the texts end that were found: what stands in them has none of its own.
	bodyEnd int
}

type awaited struct {
	command int
	end     string
}

// deepest is how many commands are read inside of others.
const deepest = 8

func commandsIn(text string) []command {
	r := &commandReader{text: text}
	for r.at < len(text) {
		r.list(0)
	}
	return r.all
}

// list reads commands up to a sign that ends them.
func (r *commandReader) list(end byte) {
	var words []shellWord
	fedBy := -1
	close := func(piped bool) {
		was := len(r.all)
		r.finish(words, fedBy)
		if fedBy = -1; piped && len(r.all) > was {
			fedBy = len(r.all) - 1
		}
		words = nil
	}
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			r.at++
		case end != 0 && c == end:
			close(false)
			r.at++
			return
		case c == '(' && r.at > 0 && strings.IndexByte("$<>", r.text[r.at-1]) >= 0 && r.depth < deepest: // the command goes on behind it
			r.inside(')')
		case c == '`' && end != '`' && r.depth < deepest:
			r.inside('`')
		case c == '{' && len(words) == 0, c == '}' && len(words) == 0, strings.IndexByte("|;&\n()`", c) >= 0 && !joins(r.text, r.at):
			close(c == '|' && !strings.HasPrefix(r.text[r.at:], "||"))
			if c == '\n' {
				r.skipBodies()
			}
			for r.at++; c != '\n' && r.at < len(r.text) && (r.text[r.at] == '|' || r.text[r.at] == '&' && !joins(r.text, r.at)); r.at++ {
			}
		default:
			w := wordAt(r.text, r.at)
			words = append(words, w)
			r.at = w.to
		}
	}
	close(false)
}

// inside reads the commands between two signs.
func (r *commandReader) inside(end byte) {
	r.depth++
	r.at++
	r.list(end)
	r.depth--
}

// finish keeps a command, and reads the ones that stand in its words.
func (r *commandReader) finish(words []shellWord, fedBy int) {
	if len(words) == 0 {
		return
	}
	if r.depth < deepest {
		for _, w := range scriptsIn(words) {
			r.script(w)
		}
		for _, w := range words {
			r.substitutions(w)
		}
	}
	for _, c := range commandsOf(words) {
		c.fedBy = fedBy
		r.all = append(r.all, c)
	}
	for i, w := range words {
		end, ok := strings.CutPrefix(w.text, "<<")
		if !ok || strings.HasPrefix(end, "<") || w.from < r.bodyEnd {
			continue
		}
		if end = strings.TrimPrefix(end, "-"); end == "" && i+1 < len(words) {
			end = words[i+1].text
		}
		if end != "" {
			r.bodies = append(r.bodies, awaited{len(r.all) - 1, end})
		}
	}
}

// skipBodies finds the texts that follow the line which ends here. They are read as commands
// all the same: a shell may be what reads them.
func (r *commandReader) skipBodies() {
	from := r.at + 1
	for _, b := range r.bodies {
		to, next := len(r.text), len(r.text)
		for line := from; line < len(r.text); {
			stop := len(r.text)
			if n := strings.IndexByte(r.text[line:], '\n'); n >= 0 {
				stop = line + n
			}
			if strings.TrimSpace(r.text[line:stop]) == b.end {
				to, next = max(from, line-1), min(stop+1, len(r.text))
				break
			}
			line = stop + 1
		}
		r.all[b.command].body = span{min(from, to), to}
		from = next
		r.bodyEnd = next
	}
	r.bodies = nil
}

// script reads a word that a shell is given to run.
func (r *commandReader) script(w shellWord) {
	from, to := w.from, w.to
	if mark := r.text[from]; (mark == '"' || mark == '\'') && to-from > 1 && r.text[to-1] == mark {
		from, to = from+1, to-1
	}
	inner := &commandReader{text: r.text[:to], at: from, depth: r.depth + 1}
	for inner.at < to {
		inner.list(0)
	}
	r.adopt(inner)
}

// adopt keeps the commands that another reader has found.
func (r *commandReader) adopt(inner *commandReader) {
	base := len(r.all)
	for _, c := range inner.all {
		if c.fedBy >= 0 {
			c.fedBy += base
		}
		r.all = append(r.all, c)
	}
}

// substitutions reads the commands whose output stands in a word, between quotation marks.
// Between single ones there are none: those are names as any.
func (r *commandReader) substitutions(w shellWord) {
	quoted := false
	for at := w.from; at < w.to; at++ {
		end := byte(0)
		switch c := r.text[at]; {
		case c == '\\':
			at++
		case c == '"':
			quoted = !quoted
		case c == '\'' && !quoted:
			if n := closing(r.text[at+1:w.to], c); n >= 0 {
				at += n + 1
			}
		case c == '`':
			end = '`'
		case c == '(' && r.text[max(at-1, w.from)] == '$':
			end = ')'
		}
		if end != 0 {
			inner := &commandReader{text: r.text[:w.to], at: at + 1, depth: r.depth + 1}
			inner.list(end)
			r.adopt(inner)
			at = inner.at - 1
		}
	}
}

// scriptsIn are the words of a command that a shell reads as commands.
func scriptsIn(words []shellWord) (all []shellWord) {
	for i, w := range words {
		switch path.Base(w.text) {
		case "sh", "bash", "zsh", "dash", "ksh", "ash", "su", "runuser":
			for j := i + 1; j+1 < len(words); j++ {
				if isShort(words[j].text) && strings.HasSuffix(words[j].text, "c") {
					all = append(all, words[j+1])
					break
				}
			}
		case "eval", "ssh", "watch":
			for _, one := range words[i+1:] {
				if strings.ContainsAny(one.text, " \t\n") {
					all = append(all, one)
				}
			}
		default:
			continue
		}
		return all
	}
	return nil
}

// joins: the sign is part of a redirection, and ends no command.
func joins(text string, at int) bool {
	before := at > 0 && (text[at-1] == '>' || text[at-1] == '<')
	switch text[at] {
	case '&':
		return before || at+1 < len(text) && text[at+1] == '>'
	case '|':
		return at > 0 && text[at-1] == '>'
	}
	return false
}

// wordAt is the word that begins at a place. Quotation marks that do not end are letters.
func wordAt(text string, at int) shellWord {
	w := shellWord{span: span{from: at}}
	var plain strings.Builder
	for ; at < len(text) && (strings.IndexByte(" \t\r\n|;&()`", text[at]) < 0 || joins(text, at)); at++ {
		switch c := text[at]; {
		case c == '\\' && at+1 < len(text):
			at++
			plain.WriteByte(text[at])
		case c == '"' || c == '\'':
			end := closing(text[at+1:], c)
			if end < 0 {
				plain.WriteByte(c)
				continue
			}
			plain.WriteString(text[at+1 : at+1+end])
			at += end + 1
		default:
			plain.WriteByte(c)
		}
	}
	w.to, w.text = at, plain.String()
	return w
}

// closing is where quotation ends; -1 when it does not.
func closing(text string, mark byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && mark == '"':
			i++
		case text[i] == mark:
			return i
		}
	}
	return -1
}

// isShort: the word is one option, or several of one letter.
func isShort(text string) bool {
	return len(text) > 1 && text[0] == '-' && text[1] != '-'
}
