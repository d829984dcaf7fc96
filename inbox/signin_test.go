package inbox

import (
	"net/http"
	"testing"
)

// T16: behind a proxy, which adds the address of whoever asks it, wrong passwords of a stranger
// keep out nobody but him. What he writes into the header himself stands before that.
func TestT16_StrangersBehindAProxy(t *testing.T) {
	c := newCrowd(t)
	try := func(password string, forwarded ...string) int {
		return c.request("POST", "/api/v1/sign-in", `{"name":"abe","password":"`+password+`"}`, func(r *http.Request) {
			r.Header.Del("Authorization")
			r.Header["X-Forwarded-For"] = forwarded
		}).status
	}
	if status := try(passwordOf("abe"), "203.0.113.5"); status != http.StatusOK {
		t.Fatal(status)
	}
	last := 0
	for range 8 {
		last = try("a wrong password", "203.0.113.5, 198.51.100.9")
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("the stranger: %d", last)
	}
	if status := try("a wrong password", "203.0.113.5", "192.0.2.1 , 198.51.100.9"); status != http.StatusTooManyRequests {
		t.Errorf("the stranger with two headers: %d", status)
	}
	if status := try(passwordOf("abe"), "203.0.113.5"); status != http.StatusOK {
		t.Errorf("the person: %d", status)
	}
}
