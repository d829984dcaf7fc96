package audit

import (
	"errors"

	"github.com/assent-dev/assent/internal/chain"
)

// Head stands for a log up to one record. Noted where those who write the log cannot
// write, it proves that the log up to there is still the same.
type Head struct{ link chain.Link }

func (h Head) String() string { return h.link.String() }

// ParseHead reads a head as a [Report] has it. There is one way to write it.
func ParseHead(text string) (h Head, err error) {
	link, ok := chain.ParseLink(text)
	if !ok {
		return Head{}, errors.New("a head is the number of a record and its sum, 12:5f3a…, as `assent audit verify` prints it")
	}
	return Head{link}, nil
}

// note remembers a noted head that was passed.
func (v *verifier) note(at chain.Link) {
	for i, h := range v.noted {
		if h.link == at {
			v.seen[i] = true
		}
	}
}

// judgeNoted compares the heads that were noted with what was read.
func (v *verifier) judgeNoted() {
	for i, h := range v.noted {
		switch n := h.link.Number; {
		case n == 0 || v.seen[i]:
		case v.highest == 0:
			v.find("", 0, "record %d, which was noted, is missing: there is no log any more, or it is empty", n)
		case n > v.highest:
			v.find("", 0, "record %d, which was noted, is missing: the log ends with record %d", n, v.highest)
		default:
			v.find("", 0, "record %d is another one than was noted: it or one before it was changed, or the log was made anew", n)
		}
	}
}

// expects: a log that is not there is one that was removed.
func (v *verifier) expects() bool {
	for _, h := range v.noted {
		if h.link.Number > 0 {
			return true
		}
	}
	return false
}
