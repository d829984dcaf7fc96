package builtin

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// htmlToText makes plain text of a page that reads like Markdown: headings, links,
// lists, tables and code keep their form. It stops after so many bytes.
func htmlToText(page string, base *url.URL, most int) string {
	source := htmlSource{rest: page}
	w := htmlWriter{base: base}
	for len(w.out) < most {
		token, ok := source.next()
		if !ok {
			break
		}
		w.token(token)
	}
	w.closeLink()
	if len(w.out) > most {
		w.out = w.out[:most]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(w.out), ""))
}

// htmlWriter writes the text of a page.
type htmlWriter struct {
	base *url.URL
	out  []byte
	// breaks is how many line feeds are due before the next text, blank whether a blank is.
	breaks int
	blank  bool
	// fresh: a bullet, a heading or a cell was just begun, whose text stays on its line.
	fresh bool

	lists  []int // the last number of each list around; -1 when it has none
	quotes int
	pre    int
	title  bool // inside the title
	// link is where the open link leads, linkAt where its text begins.
	link   string
	linkAt int
	// skipped is the element that is passed over, depth how many of its kind are open.
	skipped string
	depth   int
}

// The forms that are kept are no deeper than anybody would indent.
const (
	mostLists  = 10
	mostQuotes = 5
	mostHref   = 2000
)

func (w *htmlWriter) token(t htmlToken) {
	switch {
	case w.skipped != "":
		w.skip(t)
	case t.kind == htmlText:
		w.text(t.text)
	case t.kind == htmlStart && noContent(t.name):
		w.skipped, w.depth = t.name, 1
	case t.kind == htmlStart:
		w.start(t)
	default:
		w.end(t.name)
	}
}

func (w *htmlWriter) skip(t htmlToken) {
	if t.name != w.skipped {
		return
	}
	switch t.kind {
	case htmlStart:
		w.depth++
	case htmlEnd:
		w.depth--
	case htmlText:
	}
	if w.depth == 0 {
		w.skipped = ""
	}
}

// noContent: nothing in the element is for readers.
func noContent(name string) bool {
	switch name {
	case "script", "style", "template", "noscript", "svg", "math", "iframe", "noembed", "noframes", "object", "canvas", "audio", "video":
		return true
	}
	return false
}

func (w *htmlWriter) start(t htmlToken) {
	switch t.name {
	case "title":
		w.title = true
		w.block(2)
		w.begin("Title: ")
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.block(2)
		w.begin(strings.Repeat("#", int(t.name[1]-'0')) + " ")
	case "br":
		w.breaks = max(w.breaks, 1)
	case "hr":
		w.block(2)
		w.write("---")
		w.block(2)
	case "ul", "menu", "ol":
		w.startList(t.name)
	case "li":
		w.startItem()
	case "blockquote":
		w.block(2)
		w.quotes++
	case "pre":
		w.startPre()
	case "code", "kbd", "samp", "tt":
		if w.pre == 0 {
			w.write("`")
		}
	case "a":
		w.startLink(t.href)
	case "img":
		if alt := strings.Join(strings.Fields(t.alt), " "); alt != "" {
			w.write("[image: " + alt + "]")
		}
	case "tr":
		w.block(1)
	case "td", "th":
		w.begin("| ")
	default:
		w.block(blockBreaks(t.name))
	}
}

func (w *htmlWriter) end(name string) {
	switch name {
	case "title":
		w.title = false
		w.fresh = false
		w.block(2)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.fresh = false
		w.block(2)
	case "ul", "ol", "menu":
		if n := len(w.lists); n > 0 {
			w.lists = w.lists[:n-1]
		}
		w.fresh = false
		w.block(2 - min(len(w.lists), 1))
	case "li":
		w.fresh = false
		w.block(1)
	case "blockquote":
		w.quotes = max(0, w.quotes-1)
		w.block(2)
	case "pre":
		w.endPre()
	case "code", "kbd", "samp", "tt":
		if w.pre == 0 {
			w.out = append(w.out, '`') // what blanks are due come behind it
		}
	case "a":
		w.closeLink()
	case "td", "th":
		w.fresh, w.blank = false, true
	case "tr":
		w.breaks, w.blank = 0, true
		w.write("|")
		w.block(1)
	default:
		w.block(blockBreaks(name))
	}
}

// blockBreaks is how an element stands apart from what is around it.
func blockBreaks(name string) int {
	switch name {
	case "p", "section", "article", "main", "header", "footer", "nav", "aside", "table", "form", "fieldset", "figure", "details", "dl", "address", "body":
		return 2
	case "div", "dt", "dd", "figcaption", "caption", "summary", "legend", "option", "thead", "tbody", "tfoot", "center":
		return 1
	}
	return 0
}

// block ends the line, or the paragraph with two breaks.
func (w *htmlWriter) block(breaks int) {
	if w.fresh || breaks == 0 {
		return
	}
	w.breaks = max(w.breaks, breaks)
}

// begin writes what a line or cell starts with.
func (w *htmlWriter) begin(mark string) {
	w.write(mark)
	w.fresh = true
}

func (w *htmlWriter) text(text string) {
	if w.pre > 0 && !w.title {
		w.write(strings.ReplaceAll(text, "\r\n", "\n"))
		return
	}
	words := strings.FieldsFunc(text, unicode.IsSpace)
	if len(words) == 0 {
		w.blank = w.blank || text != ""
		return
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	w.blank = w.blank || unicode.IsSpace(first)
	w.write(strings.Join(words, " "))
	w.blank = unicode.IsSpace(last)
}

// write puts text down, behind the breaks and blanks that are due.
func (w *htmlWriter) write(text string) {
	switch n := len(w.out); {
	case n == 0:
	case w.breaks > 0:
		w.out = append(w.out, "\n\n"[:min(w.breaks, 2)]...)
	case w.blank && !w.fresh && w.out[n-1] != ' ' && w.out[n-1] != '\n':
		w.out = append(w.out, ' ')
	}
	if n := len(w.out); n == 0 || w.breaks > 0 {
		for range min(w.quotes, mostQuotes) {
			w.out = append(w.out, "> "...)
		}
	}
	w.breaks, w.blank, w.fresh = 0, false, false
	w.out = append(w.out, text...)
}

func (w *htmlWriter) startList(name string) {
	w.block(2 - min(len(w.lists), 1))
	last := -1
	if name == "ol" {
		last = 0
	}
	if len(w.lists) < 1000 { // who nests deeper gets odd bullets, and no memory
		w.lists = append(w.lists, last)
	}
}

func (w *htmlWriter) startItem() {
	w.fresh = false
	w.block(1)
	mark := "- "
	if n := len(w.lists); n > 0 && w.lists[n-1] >= 0 {
		w.lists[n-1]++
		mark = strconv.Itoa(w.lists[n-1]) + ". "
	}
	w.begin(strings.Repeat("  ", min(max(len(w.lists)-1, 0), mostLists)) + mark)
}

func (w *htmlWriter) startPre() {
	w.fresh = false
	if w.pre++; w.pre == 1 {
		w.block(2)
		w.write("```\n")
	}
}

func (w *htmlWriter) endPre() {
	if w.pre == 0 {
		return
	}
	if w.pre--; w.pre == 0 {
		if n := len(w.out); n > 0 && w.out[n-1] != '\n' {
			w.out = append(w.out, '\n')
		}
		w.out = append(w.out, "```"...)
		w.breaks = 2
	}
}

func (w *htmlWriter) startLink(href string) {
	w.closeLink()
	if w.link = w.resolve(href); w.link != "" && w.pre == 0 {
		fresh := w.fresh
		w.write("[")
		w.linkAt, w.fresh = len(w.out), fresh
	} else {
		w.link = ""
	}
}

// closeLink ends the open link, if there is one; one without text is taken back.
func (w *htmlWriter) closeLink() {
	switch {
	case w.link == "":
	case len(w.out) == w.linkAt:
		w.out = w.out[:w.linkAt-1]
	default:
		w.out = append(w.out, "]("+w.link+")"...)
	}
	w.link = ""
}

// resolve is where a link leads; "" when that is no other page.
func (w *htmlWriter) resolve(href string) string {
	href = strings.TrimSpace(href)
	if href == "" || href[0] == '#' || len(href) > mostHref {
		return ""
	}
	u, err := w.base.Parse(href)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		return ""
	}
	return u.String()
}
