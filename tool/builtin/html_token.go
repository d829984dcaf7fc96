package builtin

import (
	"html"
	"strings"
)

// htmlKind is what stands next in a page.
type htmlKind uint8

const (
	htmlText htmlKind = iota
	htmlStart
	htmlEnd
)

// htmlToken is a tag, or the text between two.
type htmlToken struct {
	kind htmlKind
	name string // of the tag, in lower case
	text string
	// href and alt are the attributes that matter to a reader.
	href, alt string
}

// htmlSource takes a page apart into tags and text, as forgiving as browsers are. It
// goes through the page once, keeps nothing and knows no nesting, so no page can make it
// slow or deep. The library for this would spend more time when the process starts than
// the whole decision about a call takes.
type htmlSource struct {
	rest string
	raw  string // the element whose content is not made of tags, while in one
	// unclosed: no ">" is left, which is looked for once.
	unclosed bool
}

// closes: there is a ">" further on.
func (s *htmlSource) closes() bool {
	s.unclosed = s.unclosed || !strings.Contains(s.rest, ">")
	return !s.unclosed
}

// next is the next token; false at the end. What is no content is passed over.
func (s *htmlSource) next() (htmlToken, bool) {
	for s.rest != "" {
		if s.raw != "" {
			return s.rawText(), true
		}
		if s.rest[0] != '<' {
			return s.plainText(), true
		}
		switch {
		case strings.HasPrefix(s.rest, "<!--"):
			_, s.rest, _ = strings.Cut(s.rest[len("<!--"):], "-->")
		case strings.HasPrefix(s.rest, "<!"), strings.HasPrefix(s.rest, "<?"):
			_, s.rest, _ = strings.Cut(s.rest, ">")
		case strings.HasPrefix(s.rest, "</") && len(s.rest) > 2 && isLetter(s.rest[2]):
			s.rest = s.rest[2:]
			return s.tag(htmlEnd), true
		case strings.HasPrefix(s.rest, "</") && s.closes(): // the end of nothing, which browsers take for a comment
			_, s.rest, _ = strings.Cut(s.rest, ">")
		case len(s.rest) > 1 && isLetter(s.rest[1]):
			s.rest = s.rest[1:]
			token := s.tag(htmlStart)
			if rawElement(token.name) {
				s.raw = token.name
			}
			return token, true
		default:
			return s.plainText(), true // a "<" that starts nothing
		}
	}
	return htmlToken{}, false
}

func (s *htmlSource) plainText() htmlToken {
	end := strings.IndexByte(s.rest[1:], '<') + 1
	if end == 0 {
		end = len(s.rest)
	}
	text := s.rest[:end]
	s.rest = s.rest[end:]
	return htmlToken{text: html.UnescapeString(text)}
}

// rawText is all up to the end tag of the element.
func (s *htmlSource) rawText() htmlToken {
	end := 0
	for {
		i := strings.Index(s.rest[end:], "</")
		if i < 0 {
			end = len(s.rest)
			break
		}
		end += i
		if name := s.rest[end+2:]; len(name) > len(s.raw) && strings.EqualFold(name[:len(s.raw)], s.raw) && !isNameByte(name[len(s.raw)]) {
			break
		}
		end += 2
	}
	text := s.rest[:end]
	if s.raw == "title" || s.raw == "textarea" {
		text = html.UnescapeString(text)
	}
	s.rest, s.raw = s.rest[end:], ""
	return htmlToken{text: text}
}

// tag reads a tag from its name on.
func (s *htmlSource) tag(kind htmlKind) htmlToken {
	end := 0
	for end < len(s.rest) && isNameByte(s.rest[end]) {
		end++
	}
	token := htmlToken{kind: kind, name: strings.ToLower(s.rest[:end])}
	s.rest = s.rest[end:]
	for s.rest != "" {
		s.rest = strings.TrimLeft(s.rest, " \t\r\n\f/")
		if rest, ok := strings.CutPrefix(s.rest, ">"); ok {
			s.rest = rest
			return token
		}
		name, value := s.attribute()
		switch {
		case token.href == "" && strings.EqualFold(name, "href"):
			token.href = html.UnescapeString(value)
		case token.alt == "" && strings.EqualFold(name, "alt"):
			token.alt = html.UnescapeString(value)
		}
	}
	return token
}

// attribute reads one; it always takes something away from the rest, if there is any.
func (s *htmlSource) attribute() (name, value string) {
	if s.rest == "" {
		return "", ""
	}
	end := strings.IndexAny(s.rest[1:], " \t\r\n\f/>=") + 1
	if end == 0 {
		end = len(s.rest)
	}
	name, s.rest = s.rest[:end], s.rest[end:]
	after, assigned := strings.CutPrefix(strings.TrimLeft(s.rest, " \t\r\n\f"), "=")
	if !assigned {
		return name, ""
	}
	s.rest = strings.TrimLeft(after, " \t\r\n\f")
	if s.rest != "" && (s.rest[0] == '"' || s.rest[0] == '\'') {
		value, s.rest, _ = strings.Cut(s.rest[1:], s.rest[:1])
		return name, value
	}
	if end = strings.IndexAny(s.rest, " \t\r\n\f>"); end < 0 {
		end = len(s.rest)
	}
	value, s.rest = s.rest[:end], s.rest[end:]
	return name, value
}

// rawElement: tags inside it are none.
func rawElement(name string) bool {
	switch name {
	case "script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes":
		return true
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isNameByte(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', '\f', '/', '>':
		return false
	}
	return true
}
