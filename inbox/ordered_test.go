package inbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assent-dev/assent/inbox/client"
)

// The terminal shows what waits in the order of the page, and no session fills it.
func TestT16_TheTerminalHasTheOrderOfThePage(t *testing.T) {
	w := newWorld(t)
	w.park(bash("npm test"))
	w.park(bash("git push --force origin main"))
	w.park(call("Read", map[string]string{"file_path": "a.txt"}))
	w.park(bash("npm run b"))
	var page listView
	w.get("/api/v1/tickets?state=pending,unknown").into(t, &page)
	shuffled := []client.Item{page.Tickets[2], page.Tickets[0], page.Tickets[3], page.Tickets[1]}
	got, more := Ordered(shuffled)
	for i := range page.Tickets {
		if more != 0 || got[i].ID != page.Tickets[i].ID {
			t.Errorf("%d: %s, and at the page %s", i, got[i].Sentence, page.Tickets[i].Sentence)
		}
	}
	now := time.Now()
	many := []client.Item{{ID: "quiet", Session: "b", Risk: "low", State: "pending", Since: now}, {ID: "lost", Session: "c", Risk: "low", State: "unknown", Since: now}}
	for i := range maxListed + 20 {
		many = append(many, client.Item{ID: fmt.Sprint(i), Session: "flood", Risk: "medium", State: "pending", Since: now})
	}
	if got, more = Ordered(many); more != 20 || len(got) != maxListed+2 || got[0].ID != "lost" || !strings.HasPrefix(got[len(got)-1].ID, "quiet") {
		t.Errorf("%d, %d left out", len(got), more)
	}
}
