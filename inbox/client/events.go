package client

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"

	"github.com/assent-dev/assent/internal/strictjson"
)

// maxEvent is how long a line of an event may be.
const maxEvent = 1 << 20

// Events are the changes after a serial number, as they happen, until the context ends or
// the connection does. An error ends them; whoever asks again with the serial number of the
// last event misses nothing. The end of the connection is [io.ErrUnexpectedEOF].
func (c *Client) Events(ctx context.Context, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		resp, err := c.send(ctx, "GET", "/api/v1/events", url.Values{"after": {strconv.FormatInt(after, 10)}}, nil)
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, maxEvent)
		for lines.Scan() {
			data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
			if !ok {
				continue
			}
			var e Event
			if err := strictjson.Unmarshal(data, &e); err != nil {
				yield(e, fmt.Errorf("an event of %s cannot be read: %w", c.base, err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case ctx.Err() != nil:
			yield(Event{}, ctx.Err())
		case err != nil:
			yield(Event{}, c.unreachable(err))
		default:
			yield(Event{}, c.unreachable(io.ErrUnexpectedEOF))
		}
	}
}
