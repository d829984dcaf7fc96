package shell

// compound reads a command that starts with a reserved word. It reports whether there
// is one.
func (s *scanner) compound() bool {
	word, end := s.bare()
	start := s.at
	s.at = end
	switch word {
	case "if":
		s.branches()
	case "while", "until":
		s.commands("do")
		s.commands("done")
	case "for", "select":
		s.loop()
	case "case":
		s.choice()
	case "{":
		s.commands("}")
	case "[[":
		s.test(start)
	case "function":
		s.blanks()
		s.functionName()
		if s.blanks(); s.char() == '(' {
			s.parentheses()
		}
		s.gaps()
		s.command()
	case "coproc":
		// Whether the next word is a name or the command depends on what follows it.
		s.fail("a coprocess")
	case "then", "do", "done", "fi", "esac", "elif", "else", "}", "in", "]]":
		s.fail("a reserved word where none can stand")
	default:
		s.at = start
		return false
	}
	return true
}

// branches reads the rest of if.
func (s *scanner) branches() {
	s.commands("then")
	for {
		switch s.commands("elif else fi") {
		case "elif":
			s.commands("then")
		case "else":
			s.commands("fi")
			return
		default:
			return
		}
	}
}

// loop reads the rest of for and select.
func (s *scanner) loop() {
	s.blanks()
	if s.char() == '(' && s.after() == '(' {
		from := s.at
		s.skip(2)
		s.arithmetic(from)
	} else {
		from := s.at
		if s.word(inCommand); !isName(s.src[from:s.at]) {
			s.fail("a loop without the name of its variable")
		}
		s.gaps()
		if s.takes("in") {
			s.items()
		}
	}
	s.blanks()
	if s.char() == ';' {
		s.at++
	}
	s.gaps()
	if s.takes("{") {
		s.commands("}")
		return
	}
	s.needs("do")
	s.commands("done")
}

// items reads the words of for and select.
func (s *scanner) items() {
	for {
		s.blanks()
		switch c := s.char(); {
		case c == 0 || c == '\n' || c == ';':
			return
		case !s.marked(markWord):
			s.fail("an operator among the words of a loop")
		}
	}
}

// choice reads the rest of case.
func (s *scanner) choice() {
	s.blanks()
	if !s.marked(markWord) {
		s.fail("case without a word")
	}
	s.gaps()
	s.needs("in")
	for s.at < len(s.src) {
		s.gaps()
		if s.takes("esac") {
			return
		}
		if s.char() == '(' {
			s.at++
		}
		s.patterns()
		if s.commands(";; esac") == "esac" {
			return
		}
	}
	s.fail("case without esac")
}

// patterns reads what stands before the ")" of a case.
func (s *scanner) patterns() {
	for s.at < len(s.src) {
		s.blanks()
		if word, _ := s.bare(); word == "esac" || !s.marked(markWord) {
			s.fail("case without a pattern")
		}
		s.blanks()
		c := s.char()
		s.skip(1)
		switch c {
		case ')':
			return
		case '|':
		default:
			s.fail("case without a )")
		}
	}
}

// functionName reads the name of a function.
func (s *scanner) functionName() {
	if !s.marked(markFunction) {
		s.fail("a function without a name")
	}
}

// parentheses passes "()".
func (s *scanner) parentheses() {
	s.at++
	if s.blanks(); s.char() != ')' {
		s.fail("a parenthesis behind a word")
		return
	}
	s.at++
}

// test reads the rest of [[.
func (s *scanner) test(from int) {
	mode := inCommand
	for {
		s.gaps()
		if s.takes("]]") {
			s.mark(markTest, from, s.at)
			return
		}
		switch c := s.char(); c {
		case 0:
			s.fail("[[ without ]]")
			return
		case ';':
			s.fail("an operator in [[ ]]")
		case '(', ')', '<', '>':
			s.at++
			mode = inCommand
		case '&', '|':
			if s.after() != c {
				s.fail("an operator in [[ ]]")
			}
			s.skip(2)
			mode = inCommand
		default:
			start := s.at
			s.word(mode)
			mode = modeBehind(s.src[start:s.at], mode)
		}
	}
}

// modeBehind is how the operand behind an operator of [[ ]] is read.
func modeBehind(operator string, mode wordMode) wordMode {
	switch {
	case mode != inCommand: // it was an operand
	case operator == "=" || operator == "==" || operator == "!=":
		return inPattern
	case operator == "=~":
		return inRegexp
	}
	return inCommand
}
