package shell

import "strings"

// maxNested bounds the text that is read again as shell code.
const maxNested = 4096

// nested judges a text as shell code that command i runs.
func (s *inspection) nested(i, at int, text string) *Finding {
	if len(text) > maxNested || len(text) >= len(s.Source) {
		return nil
	}
	var worst *Finding
	loan := Borrow(Bash, text)
	for _, f := range loan.Script.Danger() {
		worst = worse(worst, &f)
	}
	loan.Return()
	if worst == nil {
		return nil
	}
	f := s.at(worst.Kind, i, at, worst.Text)
	f.Floor = worst.Floor
	return f
}

// runsWords judges programs that take a command as the value of an option.
func runsWords(s *inspection, i int) *Finding {
	var worst *Finding
	for at := 1; at < len(s.Commands[i].Words); at++ {
		worst = worse(worst, s.nested(i, at, s.Commands[i].Words[at].Text))
	}
	return worst
}

// runsWritten judges a shell that runs a file which the same script has written
// with constant text.
func (s *inspection) runsWritten(i int) *Finding {
	c := &s.Commands[i]
	for j := max(0, i-lookAround); j < i; j++ {
		for k := range s.Commands[j].Redirects {
			r := &s.Commands[j].Redirects[k]
			if r.Kind != RedirectWrite || !r.Target.Known() {
				continue
			}
			at := c.runsFile(baseName(r.Target.Text))
			if at < 0 {
				continue
			}
			if text, ok := s.outputText(j); ok {
				return s.nested(i, at, text)
			}
		}
	}
	return nil
}

// outputText is the constant text that a command prints.
func (s *Script) outputText(j int) (string, bool) {
	c := &s.Commands[j]
	switch c.Program() {
	case "echo", "printf":
		return printed(c.Words)
	case "cat":
		return c.Stdin.Text, c.Stdin.Kind == StdinText
	}
	return "", false
}

// edits judges sed, whose command "e" runs the rest of its line.
func edits(s *inspection, i int) *Finding {
	c := &s.Commands[i]
	for at := 1; at < len(c.Words); at++ {
		for line := range strings.Lines(c.Words[at].Text) {
			before, code, found := strings.Cut(line, "e ")
			if found && strings.Trim(before, "0123456789,$;{ ") == "" {
				if f := s.nested(i, at, code); f != nil {
					return f
				}
			}
		}
	}
	return nil
}
