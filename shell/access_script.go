package shell

import "strings"

// scripts is an interpreter: the first operand is the script unless the program stands on
// the command line or comes from the input. The other operands are given to that program.
func (l *accessList) scripts(s *spec) {
	code := inlineCode(l.c)
	script := code.at == 0 && !code.stdin && !l.c.has(&s.grammar, 'c', "")
	a := l.c.arguments(&s.grammar)
	for a.next() {
		switch {
		case a.is('m', "") && a.value != "json.tool": // a module, like a script
			script = false
		case !a.operand:
			l.option(s, &a)
		case script:
			script = false
			l.value(Reads, &a)
		default:
			l.argument(&a)
		}
	}
}

// argument adds an operand that a program in another language is given, which may write it
// unless it is known to only read.
func (l *accessList) argument(a *arguments) {
	if l.everything || Protected(a.value) || strings.IndexByte(a.value, Unknown) >= 0 {
		l.possible = !l.script.codeReads(l.index)
	}
	l.value(Reads, a)
	l.possible = false
}

// HasCode reports whether a command runs a program in another language that is part of the
// script.
func (s *Script) HasCode() bool {
	for i := range s.Commands {
		if s.Commands[i].Opaque == OpaqueCode {
			return true
		}
	}
	return false
}

// CodeMayWrite reports whether command i runs a program in another language that is not known
// to only read.
func (s *Script) CodeMayWrite(i int) bool {
	c := &s.Commands[i]
	return c.Opaque == OpaqueCode && c.Link != Guess && !s.codeReads(i)
}

// codeOnlyReads reports whether a program in another language is known to only read.
func codeOnlyReads(text string) bool {
	p := program{text: text}
	return text != "" && p.onlyReads() && p.effects() == effects{}
}

// codeReads reports whether command i is an interpreter whose program stands on the
// command line, or is constant input, and only reads.
func (s *Script) codeReads(i int) bool {
	code := inlineCode(&s.Commands[i])
	if code.stdin {
		code.text, _ = s.constantInput(i)
	}
	return codeOnlyReads(code.text)
}
