package inbox

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// What is read from the past and happens at the same time is told once, also where changes
// turn up in another order than that of their numbers.
func TestA5_ThePastAndThePresentAreToldOnce(t *testing.T) {
	rec := httptest.NewRecorder()
	out := &outlet{w: rec, control: http.NewResponseController(rec), after: 2, told: map[int64]struct{}{}}
	frames := func(numbers ...int64) (all []frame) {
		for _, n := range numbers {
			all = append(all, frame{n, []byte{'0' + byte(n), ' '}})
		}
		return all
	}
	const settled = 4
	for _, part := range [][]frame{frames(3, 4), frames(6, 8)} {
		if err := out.recall(part, settled); err != nil {
			t.Fatal(err)
		}
	}
	out.after = settled
	for _, part := range [][]frame{frames(3, 4), frames(6), frames(5, 7), {{text: []byte("session ")}}, frames(8, 9)} {
		if err := out.tell(part); err != nil {
			t.Fatal(err)
		}
	}
	if got := rec.Body.String(); got != "3 4 6 8 5 7 session 9 " {
		t.Errorf("%s", got)
	}
}
