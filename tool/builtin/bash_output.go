package builtin

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// maxShown is how many characters of the output of a command the model reads.
	maxShown = 30_000
	// keptSize is how many bytes are kept of the beginning of an output, and of its
	// end: enough for maxShown characters of any kind.
	keptSize = 4 * maxShown / 2
)

// capture keeps the beginning and the end of an output, however long that is.
type capture struct {
	mu    sync.Mutex
	head  []byte
	tail  []byte // the last bytes; a ring once it is full
	at    int    // where the ring begins
	total int64
}

func (c *capture) take(piece []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += int64(len(piece))
	room := min(keptSize-len(c.head), len(piece))
	c.head = append(c.head, piece[:room]...)
	piece = piece[room:]
	if over := len(piece) - keptSize; over > 0 {
		piece = piece[over:]
	}
	room = min(keptSize-len(c.tail), len(piece))
	c.tail = append(c.tail, piece[:room]...)
	for piece = piece[room:]; len(piece) > 0; {
		n := copy(c.tail[c.at:], piece)
		c.at = (c.at + n) % keptSize
		piece = piece[n:]
	}
}

// output is a captured output as text. cut is how many bytes between head and tail
// were thrown away; without any all of the text is in head.
type output struct {
	head, tail string
	cut        int64
}

func (c *capture) output() output {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail := append(append([]byte{}, c.tail[c.at:]...), c.tail[:c.at]...)
	cut := c.total - int64(len(c.head)) - int64(len(tail))
	if cut == 0 {
		return output{head: withoutEnd(plain(string(c.head) + string(tail)))}
	}
	return output{head: plain(string(c.head)), tail: withoutEnd(plain(string(tail))), cut: cut}
}

// withoutEnd is a text without its last line breaks.
func withoutEnd(text string) string { return strings.TrimRight(text, "\r\n") }

// size is how many characters there are to show.
func (o output) size() int { return utf8.RuneCountInString(o.head) + utf8.RuneCountInString(o.tail) }

// within shows at most so many characters: a half from each end.
func (o output) within(most int) string {
	if o.cut == 0 && o.size() <= most {
		return o.head
	}
	tail := o.tail
	if o.cut == 0 {
		tail = o.head
	}
	head, rest := firstRunes(o.head, most/2)
	last, before := lastRunes(tail, most/2)
	cut := o.cut + int64(rest) + int64(before)
	if o.cut == 0 {
		cut = int64(len(o.head) - len(head) - len(last))
	}
	return fmt.Sprintf("%s\n\n[... %d bytes are left out here ...]\n\n%s", head, cut, last)
}

// firstRunes is the beginning of a text, and how many bytes follow it.
func firstRunes(text string, n int) (first string, rest int) {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return text[:at], len(text) - at
}

// lastRunes is the end of a text, and how many bytes come before it.
func lastRunes(text string, n int) (last string, before int) {
	at := len(text)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return text[at:], at
}

// share cuts two outputs so that they fit together: what one does not need is the
// other's.
func share(a, b output, most int) (string, string) {
	forA := max(most/2, most-b.size())
	forB := max(most/2, most-a.size())
	return a.within(min(forA, most)), b.within(min(forB, most))
}
