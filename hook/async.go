package hook

import (
	"math"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// asyncLine reports whether the first line of a hook's output lets it go on in the
// background: {"async": true}. The timeout is zero when it names none. A line that is
// broken or decides something as well is not such a line: [ReadOutput] has to see it.
func asyncLine(line []byte) (timeout time.Duration, ok bool) {
	out, ok := readAsync(trimOutput(line))
	return out.backgroundTime(), ok
}

func readAsync(line []byte) (Output, bool) {
	if len(line) == 0 || line[0] != '{' {
		return Output{}, false
	}
	var members map[string]strictjson.Raw
	if err := strictjson.Unmarshal(line, &members); err != nil {
		return Output{}, false
	}
	var out Output
	var r reading
	r.object(topLevel, members, r.topField(&out))
	r.checkAsync(&out)
	if len(r.faults) > 0 || !out.Async || members["hookSpecificOutput"] != nil {
		return Output{}, false
	}
	return out, true
}

// backgroundTime is AsyncTimeout as a duration.
func (o Output) backgroundTime() time.Duration {
	if int64(o.AsyncTimeout) > math.MaxInt64/int64(time.Millisecond) {
		return math.MaxInt64
	}
	return time.Duration(o.AsyncTimeout) * time.Millisecond
}
