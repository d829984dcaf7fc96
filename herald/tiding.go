package herald

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assent-dev/assent/notify"
)

// tiding is something about a ticket that people may want to hear.
type tiding struct {
	kind notify.Kind
	// at is when it happened, and found when somebody has looked: where no server was there,
	// that may be much later.
	at, found time.Time
	step      int // which escalation, for one that reminds
}

// arg is a tiding as a bell carries it.
func (t tiding) arg() string {
	return fmt.Sprintf("%s %d %d %d", t.kind, t.at.UnixMicro(), t.found.UnixMicro(), t.step)
}

// argFor is that for one target.
func (t tiding) argFor(target string) string { return t.arg() + " " + target }

// readTiding reads what arg and argFor have written. The target is empty where none is named.
func readTiding(arg string) (t tiding, target string, err error) {
	words := append(strings.Split(arg, " "), "")
	if len(words) < 5 || len(words) > 6 {
		return tiding{}, "", fmt.Errorf("a bell says %q, which is no news", arg)
	}
	var numbers [3]int64
	for i := range numbers {
		if numbers[i], err = strconv.ParseInt(words[1+i], 10, 64); err != nil {
			return tiding{}, "", fmt.Errorf("a bell says %q, which is no news: %w", arg, err)
		}
	}
	t = tiding{kind: notify.Kind(words[0]), at: time.UnixMicro(numbers[0]).UTC(), found: time.UnixMicro(numbers[1]).UTC(), step: int(numbers[2])}
	return t, words[4], nil
}

// id is that of the message: the same however often it is tried, and for every target.
func (t tiding) id(ticket string) string {
	return fmt.Sprintf("%s-%s-%d", ticket, t.kind, t.at.UnixMicro())
}

// asks: it asks something of people, so it is worth telling as long as it holds.
func (t tiding) asks() bool {
	return t.kind == notify.Waits || t.kind == notify.Reminds || t.kind == notify.Unknown
}

// old: it was tried for long enough.
func (t tiding) old(now time.Time) bool { return now.Sub(t.found) > givesUp }

// putOff is for how long news wait at the most for answers to hold: who answers and takes it back
// again and again keeps nobody from hearing of the call.
const putOff = time.Minute
