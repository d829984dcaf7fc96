package inbox

import (
	"fmt"
	"strings"
	"testing"
)

// Whoever may look cannot fill the history of a call, which everybody loads who opens it. Others
// can go on, and so can he elsewhere.
func TestT16_CommentsHaveALimit(t *testing.T) {
	c := newCrowd(t)
	tickets := c.park(bash("npm test"), bash("npm run build"))
	say := func(who, ticket string) answer {
		return c.as(who).post("/api/v1/tickets/"+ticket+"/comment", map[string]any{"text": "wait"})
	}
	for i := range maxComments - 1 {
		c.must(c.Tickets.Comment(t.Context(), tickets[0].ID, "vera", fmt.Sprint("comment ", i)))
	}
	say("vera", tickets[0].ID).into(t, new(detailView)) // the last one
	if a := say("vera", tickets[0].ID); a.status != 403 || a.code() != "forbidden" || !strings.Contains(a.body, "100 comments") {
		t.Errorf("%d %s", a.status, a.body)
	}
	say("abe", tickets[0].ID).into(t, new(detailView))
	say("vera", tickets[1].ID).into(t, new(detailView))
}
