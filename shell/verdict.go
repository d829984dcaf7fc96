package shell

import (
	"math"
	"strings"
)

// ReadOnly says whether the script only reads. The zero Doubt means yes; otherwise
// the doubt names the part and its place.
func (s *Script) ReadOnly() PartDoubt {
	if s.Problem != nil {
		return PartDoubt{Text: s.Problem.Text, Command: -1, Span: Span{Start: s.Problem.At, End: int32(min(len(s.Source), math.MaxInt32))}}
	}
	for i := range s.Commands {
		if s.Commands[i].Link != Direct {
			if doubt := s.opensNetwork(i); doubt.Text != "" {
				return doubt
			}
			continue // judged with the command that runs it
		}
		if doubt := s.PartReadOnly(i); doubt.Text != "" {
			return doubt
		}
	}
	return PartDoubt{}
}

// opensNetwork: also a guess, F=/dev/tcp/…; cat < $F, is worth a doubt.
func (s *Script) opensNetwork(i int) PartDoubt {
	for _, r := range s.Commands[i].Redirects {
		if r.Kind == RedirectNetwork {
			return PartDoubt{Text: "the redirection opens a network connection", Command: i, Span: r.Span}
		}
	}
	return PartDoubt{}
}

// PartDoubt says why a part of a script is not known to only read.
type PartDoubt struct {
	Text    string // "" means it only reads
	Command int
	Span    Span
}

// PartReadOnly judges one command, together with the command it is transparently
// wrapped around.
func (s *Script) PartReadOnly(i int) PartDoubt {
	c := &s.Commands[i]
	for _, r := range c.Redirects {
		switch r.Kind {
		case RedirectWrite:
			return PartDoubt{Text: "the redirection writes a file", Command: i, Span: r.Span}
		case RedirectNetwork:
			return PartDoubt{Text: "the redirection opens a network connection", Command: i, Span: r.Span}
		case RedirectRead, RedirectDescriptor, RedirectText, RedirectNull:
		}
	}
	if inner := s.Inner(i); inner >= 0 {
		return s.PartReadOnly(inner)
	}
	return s.WordsReadOnly(i)
}

// WordsReadOnly judges the program and its arguments alone, without redirections.
func (s *Script) WordsReadOnly(i int) PartDoubt {
	c := &s.Commands[i]
	switch {
	case c.Taint != "":
		return PartDoubt{Text: c.Taint, Command: i, Span: c.Span}
	case c.Opaque == OpaqueCode && c.knowledge().judge != nil && c.doubt().Text != "": // of sed and awk
	case c.Opaque != Clear:
		return PartDoubt{Text: "what it runs cannot be known before it runs", Command: i, Span: c.Span}
	case len(c.Words) == 0:
		return PartDoubt{}
	}
	if c.suspect {
		return PartDoubt{Text: c.Unlisted, Command: i, Span: c.Span}
	}
	if d := c.doubt(); d.Text != "" && !s.startsKnown(c, d) {
		span := c.Span
		if d.Word > 0 && d.Word < len(c.Words) {
			span = c.Words[d.Word].Span
		}
		return PartDoubt{Text: d.Text, Command: i, Span: span}
	}
	return PartDoubt{}
}

// startsKnown: the doubt is about a word of find whose value the script itself gives, and
// with it there is none.
func (s *Script) startsKnown(c *Command, d Doubt) bool {
	if s.settled || c.Program() != "find" || d.Word == 0 || c.Words[d.Word].Known() {
		return false
	}
	found := false
	for _, reading := range s.Bounded() {
		for i := range reading.Commands {
			read := &reading.Commands[i]
			if read.Span != c.Span || read.Program() != "find" {
				continue
			}
			for k := range read.Words {
				if word := &read.Words[k]; word.Loose || word.Empty || strings.IndexByte(word.Text, Unknown) >= 0 || strings.ContainsAny(word.Text, " \t\n") {
					return false
				}
			}
			if read.doubt().Text != "" {
				return false
			}
			found = true
		}
	}
	return found
}

// Inner is the index of the command that command i transparently runs, or -1.
func (s *Script) Inner(i int) int {
	// It is listed right behind the wrapper.
	if j := i + 1; j < len(s.Commands) && s.Commands[j].Parent == i && s.Commands[j].Link == Transparent {
		return j
	}
	return -1
}
