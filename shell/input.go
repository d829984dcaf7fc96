package shell

import "strings"

// constantInput is the constant text that command i reads: from a here-document, from a
// command that prints it into the pipe, or from a file that the script has written.
func (s *Script) constantInput(i int) (string, bool) {
	c := &s.Commands[i]
	switch in := c.Stdin; in.Kind {
	case StdinText, StdinUnknown:
		return in.Text, in.Text != ""
	case StdinPipe:
		for j := min(in.To, len(s.Commands)) - 1; j >= max(in.From, in.To-lookAround); j-- {
			if text, ok := s.outputText(j); ok {
				return text, true
			}
		}
	case StdinFile:
		for k := range c.Redirects {
			if r := &c.Redirects[k]; r.Kind == RedirectRead {
				return s.writtenText(i, r.Target.Text)
			}
		}
	case StdinInherited:
	}
	return "", false
}

// fileText is the constant text of a file that a word of command i names: what the command reads
// from standard input or from another command, or what the script has written.
func (s *Script) fileText(i, at int, file string) (string, bool) {
	switch word := s.Commands[i].Words[at].Span; {
	case file == "-" || file == "/dev/stdin":
		return s.constantInput(i)
	case feeds(Word{Text: file}): // <(…)
		for j := max(0, i-lookAround); j < min(len(s.Commands), i+lookAround); j++ {
			if span := s.Commands[j].Span; j != i && span.Start > word.Start && span.End <= word.End {
				if text, ok := s.outputText(j); ok {
					return text, true
				}
			}
		}
		return "", false
	default:
		return s.writtenText(i, file)
	}
}

// writtenText is the constant text that a command before i has written to a file.
func (s *Script) writtenText(i int, file string) (string, bool) {
	file = strings.TrimPrefix(file, "./")
	for j := max(0, i-lookAround); j < i; j++ {
		for k := range s.Commands[j].Redirects {
			r := &s.Commands[j].Redirects[k]
			if r.Kind != RedirectWrite || !r.Target.Known() || strings.TrimPrefix(r.Target.Text, "./") != file {
				continue
			}
			if text, ok := s.outputText(j); ok {
				return text, true
			}
		}
	}
	return "", false
}
