package mcp

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Limits are how long servers may take and how much they may say. A zero field is its
// default.
type Limits struct {
	// Start is for connecting and listing the tools; 30 seconds.
	Start time.Duration
	// Call is for one call of a tool; 10 minutes. Whenever the server reports progress,
	// and while it asks a person something, it starts anew; ten times of it is the end.
	Call time.Duration
	// Text is how many bytes of a result the model sees; 100,000, about 25,000 tokens.
	Text int
}

const (
	defaultStart = 30 * time.Second
	defaultCall  = 10 * time.Minute
	defaultText  = 100_000

	// wholeCall is how many times the limit of a call one may take that reports progress.
	wholeCall = 10
	// refreshTime is what a server gets to list its tools anew.
	refreshTime = 5 * time.Second
	// maxMessage bounds one message on its way, to a server and from it.
	maxMessage = 32 << 20
	// restartPause is the least time from one restart of a server to the next.
	restartPause = time.Minute
	// endTime is what a server gets to end by itself before it is killed.
	endTime = 2 * time.Second
	// dyingTime is what one gets whose output has ended, to end as a whole.
	dyingTime = 500 * time.Millisecond
	// bytesPerToken is a rule of thumb for what people write.
	bytesPerToken = 4
)

func (l Limits) orDefaults() Limits {
	if l.Start <= 0 {
		l.Start = defaultStart
	}
	if l.Call <= 0 {
		l.Call = defaultCall
	}
	if l.Text <= 0 {
		l.Text = defaultText
	}
	return l
}

// ReadLimits reads MCP_TIMEOUT and MCP_TOOL_TIMEOUT (milliseconds) and
// MAX_MCP_OUTPUT_TOKENS from the environment.
func ReadLimits(env func(name string) (string, bool)) (Limits, []Problem) {
	var problems []Problem
	number := func(name string) int64 {
		text, set := env(name)
		if !set || text == "" {
			return 0
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n <= 0 || n > math.MaxInt32 {
			problems = append(problems, Problem{Effect: Ignored, Message: fmt.Sprintf("%s=%q is no whole number from 1 to %d; the default holds", name, text, math.MaxInt32)})
			return 0
		}
		return n
	}
	l := Limits{
		Start: time.Duration(number("MCP_TIMEOUT")) * time.Millisecond,
		Call:  time.Duration(number("MCP_TOOL_TIMEOUT")) * time.Millisecond,
		Text:  int(min(number("MAX_MCP_OUTPUT_TOKENS")*bytesPerToken, maxMessage)),
	}
	return l.orDefaults(), problems
}
