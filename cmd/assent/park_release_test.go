package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/crashpoint"
)

// Somebody ends the process that has claimed an approved call and not begun with it. The call is
// approved as before, and the next process runs it, once. If the process is killed before the ticket
// knows, a person is told that nobody does; the call is never lost, and never runs twice.
func TestD8_AParkedCallThatIsGivenBack(t *testing.T) {
	p := crashPlace(t)
	var all sync.WaitGroup
	limit := make(chan struct{}, 3)
	for i, point := range append(crashpoint.Releases(), "release: nobody dies") {
		limit <- struct{}{}
		all.Go(func() {
			defer func() { <-limit }()
			c := p.round(t, point, fmt.Sprintf("effects-released-%d", i))
			c.begin("")
			c.approve(c.ticket())
			c.resume([]string{crashVariable + "=" + point, crashOnceVariable + "=" + c.once()})
			if c.fell() != (point != "release: nobody dies") || c.times() > 0 {
				t.Errorf("%s: killed: %t, the call ran %d times, %q", point, c.fell(), c.times(), c.said)
			}
			known := map[string]bool{"release: ticket": true, "release: nobody dies": true}[point]
			if known && c.state() != approval.Approved {
				t.Errorf("%s: the ticket is %s: %q", point, c.state(), c.said)
			}
			c.together(3, nil)
			if state := c.state(); known == (state == approval.Unknown) {
				t.Errorf("%s: the ticket is %s: %q", point, state, c.said)
			}
			if !known {
				c.findOut()
			}
			if state, times := c.state(), c.times(); state != approval.Done || times != 1 || !c.finished() {
				t.Errorf("%s: the ticket is %s, the call ran %d times, the session has finished: %v", point, state, times, c.finished())
			}
			for _, said := range c.said {
				if strings.Contains(said, "nothing was done") {
					t.Errorf("%s: the model was told %q", point, said)
				}
			}
		})
	}
	all.Wait()
}
