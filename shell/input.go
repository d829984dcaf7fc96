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
