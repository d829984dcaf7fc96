package builtin

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/assent-dev/assent/tool"
)

func TestWebFetch_URLs(t *testing.T) {
	for text, want := range map[string]string{
		"http://example.com/a":                      "https://example.com/a",
		"http://example.com:80/a":                   "https://example.com/a",
		"http://example.com:8080/a#b":               "https://example.com:8080/a",
		"HTTP://Example.com":                        "https://Example.com",
		"http://localhost:3000/":                    "http://localhost:3000/",
		"http://127.0.0.1/":                         "http://127.0.0.1/",
		"http://[::1]:80/":                          "http://[::1]:80/",
		"http://10.1.2.3/":                          "http://10.1.2.3/",
		"https://user@example.com":                  "!user name",
		"ftp://example.com":                         "!only http and https",
		"https:///x":                                "!no host",
		"http://169.254.169.254/":                   "!link-local",
		"http://[fe80::1]/":                         "!link-local",
		"http://[fe80::1%25eth0]/":                  "!link-local",
		"http://[::ffff:169.254.1.1]/":              "!link-local",
		"http://0.0.0.0/":                           "!reserved",
		"http://[::]/":                              "!reserved",
		"https://x/" + strings.Repeat("a", mostURL): "!more than",
	} {
		u, err := fetchURL(text)
		if words, fails := strings.CutPrefix(want, "!"); fails {
			if err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%.60s: %v, want %q", text, err, words)
			}
		} else if err != nil || u.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, u, err, want)
		}
	}
}

func TestWebFetch_Addresses(t *testing.T) {
	tests := []struct {
		host, addr string
		want       reach // reachPublic: may be dialled
	}{
		{"example.com", "93.184.216.34", reachPublic},
		{"example.com", "2606:2800:220:1::1", reachPublic},
		{"example.com", "127.0.0.1", reachNear},
		{"example.com", "::1", reachNear},
		{"example.com", "10.0.0.1", reachNear},
		{"example.com", "172.16.0.1", reachNear},
		{"example.com", "192.168.1.1", reachNear},
		{"example.com", "100.64.0.1", reachNear},
		{"example.com", "fd12::1", reachNear},
		{"example.com", "::ffff:127.0.0.1", reachNear},
		{"example.com", "64:ff9b::7f00:1", reachNear},
		{"example.com", "2002:7f00:1::", reachNear},
		{"example.com", "::127.0.0.1", reachNear},
		{"example.com", "169.254.169.254", reachNever},
		{"example.com", "::ffff:169.254.169.254", reachNever},
		{"example.com", "64:ff9b::a9fe:a9fe", reachNever},
		{"example.com", "2002:a9fe:a9fe::", reachNever},
		{"example.com", "fe80::1", reachNever},
		{"example.com", "100.100.100.200", reachNever},
		{"example.com", "fd00:ec2::254", reachNever},
		{"example.com", "fd00:42::42", reachNever},
		{"example.com", "fd20:ce::254", reachNever},
		{"example.com", "168.63.129.16", reachNever},
		{"example.com", "192.0.0.192", reachNever},
		{"example.com", "192.0.0.8", reachNear},
		{"example.com", "::ffff:0:169.254.169.254", reachNever},
		{"example.com", "::ffff:0:127.0.0.1", reachNear},
		{"example.com", "::ffff:0:93.184.216.34", reachNear},
		{"example.com", "64:ff9b::a83f:8110", reachNever},
		{"example.com", "64:ff9b:1::a9fe:a9fe", reachNever},
		{"example.com", "64:ff9b:1:a9fe:a9:fe00::", reachNever},
		{"example.com", "64:ff9b:1::5db8:d822", reachNever},
		{"example.com", "2001:0:a9fe:a9fe::", reachNever},
		{"example.com", "2001:0:5db8:d822:0:0:5601:5601", reachNever},
		{"example.com", "2001:0:7f00:1::", reachNever},
		{"example.com", "2001:4860:4860::8888", reachPublic},
		{"example.com", "2606:2800::5efe:169.254.169.254", reachNever},
		{"example.com", "fe80::5efe:10.0.0.1", reachNever},
		{"example.com", "2606:2800::200:5efe:127.0.0.1", reachNear},
		{"example.com", "2606:2800::201:5efe:127.0.0.1", reachPublic},
		{"64:ff9b:1::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe", reachNever},
		{"168.63.129.16", "168.63.129.16", reachNever},
		{"example.com", "224.0.0.1", reachNever},
		{"example.com", "0.0.0.0", reachNever},
		{"localhost", "127.0.0.1", reachPublic},
		{"LOCALHOST.", "::1", reachPublic},
		{"localhost", "10.0.0.1", reachNear},
		{"localhost", "169.254.169.254", reachNever},
		{"sub.localhost", "127.0.0.1", reachNear},
		{"127.0.0.1", "127.0.0.1", reachPublic},
		{"127.0.0.1", "127.0.0.2", reachNear},
		{"10.0.0.1", "10.0.0.1", reachPublic},
		{"::1", "::1", reachPublic},
		{"169.254.169.254", "169.254.169.254", reachNever},
		{"fe80::1", "fe80::1", reachNever},
		{"0.0.0.0", "0.0.0.0", reachNever},
		{"2130706433", "127.0.0.1", reachNear},
		{"0x7f.1", "127.0.0.1", reachNear},
	}
	for _, test := range tests {
		err := newNamedHost(test.host).check(netip.MustParseAddr(test.addr))
		got := reachPublic
		if refused, ok := err.(*addressError); ok {
			got = refused.why
		}
		if got != test.want {
			t.Errorf("%s at %s: %v, want %d", test.host, test.addr, err, test.want)
		}
	}
}

// A name that leads to this machine is refused when it is dialled, however harmless it
// was when somebody looked before.
func TestWebFetch_Rebinding(t *testing.T) {
	leavesNothing(t)
	var reached bool
	url := serve(t, func(http.ResponseWriter, *http.Request) { reached = true })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254"} {
		runner := newWebFetch(Options{})
		runner.resolver = nameServer(t, netip.MustParseAddr(addr))
		result := fetch(t, runner, "https://rebind.example:"+port)
		if result.Outcome != tool.Failed || !strings.Contains(result.Text, addr) || !strings.Contains(result.Text, "address") {
			t.Errorf("%s: outcome %d: %q", addr, result.Outcome, result.Text)
		}
	}
	if reached {
		t.Error("the server was reached")
	}
}

// nameServer is a resolver for which every name has one address.
func nameServer(t *testing.T, addr netip.Addr) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buffer := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var query dnsmessage.Message
			if query.Unpack(buffer[:n]) != nil || len(query.Questions) == 0 {
				continue
			}
			query.Response, query.RecursionAvailable, query.Additionals = true, true, nil
			if q := query.Questions[0]; q.Type == dnsmessage.TypeA {
				query.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1},
					Body:   &dnsmessage.AResource{A: addr.As4()},
				}}
			}
			if reply, err := query.Pack(); err == nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	t.Cleanup(func() { conn.Close(); <-done })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}
