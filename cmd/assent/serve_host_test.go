package main

import "testing"

// A name that no browser sends lets nobody in: whoever came by it would be turned away without a reason that
// he could see.
func TestANameOfTheServer(t *testing.T) {
	for _, name := range []string{"inbox.example.com", "inbox.example.com:8722", "INBOX:1", "my_host", "xn--bcher-kva.example:443", "192.0.2.1", "192.0.2.1:80", "::1", "[::1]:8722"} {
		if !isHost(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{"", ":8722", "bad host", "https://inbox.example.com", "https://inbox.example.com:8722", "inbox.example.com/", "inbox.example.com:http", "inbox.example.com:0", "inbox.example.com:65536", "me@inbox.example.com", "a,b", "*.example.com", "[::1]", "bücher.example"} {
		if isHost(name) {
			t.Errorf("%q is taken", name)
		}
	}
}
