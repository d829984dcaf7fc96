package notify

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
)

func TestT4_ReachOfAddresses(t *testing.T) {
	for _, c := range []struct {
		want      reach
		addresses string
	}{
		{here, "127.0.0.1 127.255.255.254 ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1"},
		{nearby, "10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 100.127.255.255 198.18.0.1"},
		{nearby, "fc00::1 fd12:3456::1 fec0::1 ::ffff:10.0.0.1 64:ff9b::a00:1 64:ff9b::192.168.0.1 2002:c0a8:101::"},
		{nobody, "169.254.169.254 169.254.0.1 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe:: fe80::1 fe80::1%eth0"},
		{nobody, "100.100.100.200 fd00:ec2::254 0.0.0.0 0.1.2.3 :: ::ffff:0.0.0.0 ::127.0.0.1 ::10.0.0.1 64:ff9b::"},
		{nobody, "fd00:c1::a9fe:a9fe fd00:a9fe:a9fe::1 fd00:42::42 fd00:100::100:200"},
		{nearby, "fd00:c1::1 fd00:a9fe:a9fe::2 fd00:42::41 fd00:100::100:201"},
		{nobody, "fd20:ce::254 168.63.129.16 64:ff9b::168.63.129.16 ::ffff:0:169.254.169.254 ::ffff:0:8.8.8.8"},
		{nearby, "fd20:ce::253 fd20::1"},
		{nobody, "224.0.0.1 239.255.255.255 ff02::1 240.0.0.1 255.255.255.255 192.0.2.1 203.0.113.9 2001:db8::1 2001::1 64:ff9b:1::1"},
		{everywhere, "1.1.1.1 8.8.8.8 172.32.0.1 172.15.255.255 100.128.0.1 100.63.255.255 169.253.0.1 168.63.129.15 168.63.129.17 192.169.0.1 126.0.0.1 128.0.0.1"},
		{everywhere, "2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1"},
	} {
		for text := range strings.FieldsSeq(c.addresses) {
			if got := reachOf(netip.MustParseAddr(text)); got != c.want {
				t.Errorf("%s: %d, want %d", text, got, c.want)
			}
		}
	}
	if got := reachOf(netip.Addr{}); got != nobody {
		t.Errorf("no address: %d", got)
	}
}

// Every way to write an address of this machine is refused, and the server hears nothing.
func TestT4_EncodingsOfLoopbackAreRefused(t *testing.T) {
	server := receive(t, nil)
	for _, host := range []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "127.0.0.1.",
		"[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::127.0.0.1]",
		"0.0.0.0", "0", "[::]", "169.254.169.254", "[fe80::1%25lo]", "①②⑦.⓪.⓪.①", "127。0。0。1", "127%2e0.0.1",
	} {
		text := fmt.Sprintf(`[{"name": "a", "type": "webhook", "url": "https://%s:%s/", "secret": {"env": "X"}}]`, host, server.port())
		if targets, problems := Parse([]byte(text)); len(targets) > 0 || len(problems) == 0 {
			t.Errorf("%s became a target", host)
		}
	}
	// Slack's address is in a secret, which is read when something is sent.
	for _, host := range []string{"127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "localhost"} {
		target := parsed(t, fmt.Sprintf(`{"name": "a", "type": "slack", "secret": %s}`, kept(t, "https://"+host+":"+server.port()+"/")))
		if got := server.sender().Send(t.Context(), target, message()); got.Verdict != Never {
			t.Errorf("%s: %+v", host, got)
		}
	}
	if n := server.count(); n > 0 {
		t.Errorf("%d requests came through", n)
	}
}

// A name that leads to this machine is refused when it is dialled, whatever it led to before.
func TestT4_RebindingIsRefused(t *testing.T) {
	server := receive(t, nil)
	for _, c := range []struct {
		name    string
		answers []string // one for each lookup; the last one stays
		more    string
		want    Verdict
		arrives int
	}{
		{"loopback", []string{"127.0.0.1"}, "", Never, 0},
		{"loopback after a public address", []string{"203.0.113.7", "127.0.0.1"}, "", Never, 0},
		{"the metadata of a cloud", []string{"169.254.169.254"}, "", Never, 0},
		{"the metadata of a cloud, with private", []string{"169.254.169.254"}, private, Never, 0},
		{"what is allowed", []string{"127.0.0.1"}, private, Sent, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			sender, before := server.sender(), server.count()
			sender.resolver = resolver(t, c.answers)
			target := webhookTo(t, "https://example.com:"+server.port()+"/", c.more)
			for range c.answers {
				if got := sender.Send(t.Context(), target, message()); got.Verdict != c.want {
					t.Errorf("%+v", got)
				}
			}
			if got := server.count() - before; got != c.arrives {
				t.Errorf("%d requests arrived, want %d", got, c.arrives)
			}
		})
	}
}

// resolver asks a name server of its own that knows an address for every name.
func resolver(t *testing.T, answers []string) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	var lookups atomic.Int64
	go func() {
		question := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(question)
			if err != nil {
				return
			}
			answer := answerTo(question[:n], func() netip.Addr {
				i := min(int(lookups.Add(1)), len(answers))
				return netip.MustParseAddr(answers[i-1])
			})
			_, _ = server.WriteTo(answer, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// answerTo answers a question for an address of IPv4, and has none of IPv6 (RFC 1035, 4.1).
func answerTo(question []byte, address func() netip.Addr) []byte {
	end := 12
	for question[end] != 0 {
		end += 1 + int(question[end])
	}
	end += 5 // the root, type and class
	answer := append([]byte{}, question[:end]...)
	binary.BigEndian.PutUint16(answer[2:], 0x8180)
	clear(answer[6:12])
	if binary.BigEndian.Uint16(question[end-4:]) != 1 {
		return answer
	}
	answer[7] = 1
	answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
	four := address().As4()
	return append(answer, four[:]...)
}

// A redirect is not followed, wherever it leads.
func TestT4_RedirectsAreNotFollowed(t *testing.T) {
	inside := receive(t, nil)
	for _, code := range []int{301, 302, 303, 307, 308} {
		server := receive(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inside.URL, code) })
		got := server.sender().Send(t.Context(), webhookTo(t, server.URL, private), message())
		if got.Verdict != Never || !strings.Contains(got.Text, "redirect") || server.count() != 1 {
			t.Errorf("%d: %+v after %d requests", code, got, server.count())
		}
	}
	if inside.count() != 0 {
		t.Error("a redirect was followed")
	}
}

// The environment has no say about the way: a proxy would be told everything, and the address
// that is judged would be the proxy's.
func TestT4_NoProxyFromTheEnvironment(t *testing.T) {
	server := receive(t, nil)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://example.com/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if proxy, err := http.ProxyFromEnvironment(request); err != nil || proxy == nil || proxy.String() != deadProxy {
		t.Fatalf("the environment names no proxy: %v, %v", proxy, err)
	}
	sender := server.sender()
	sender.resolver = resolver(t, []string{"127.0.0.1"}) // for an address of this machine none would be used
	got := sender.Send(t.Context(), webhookTo(t, "https://example.com:"+server.port()+"/", private), message())
	if got.Verdict != Sent || server.count() != 1 {
		t.Errorf("%+v, %d requests", got, server.count())
	}
}

// Without encryption nothing leaves the networks of this machine.
func TestT4_PlainStaysNearby(t *testing.T) {
	sender := Sender{resolver: resolver(t, []string{"8.8.8.8"})}
	plain := webhookTo(t, "http://hooks.example.com/", private)
	if got := sender.Send(t.Context(), plain, message()); got.Verdict != Never || !strings.Contains(got.Text, "https") {
		t.Errorf("http: %+v", got)
	}
	mail := parsed(t, `{"name": "m", "type": "email", "server": "mail.example.com:25", "tls": "none", "private": true, "from": "a@example.com", "to": ["b@example.com"]}`)
	sender.resolver = resolver(t, []string{"10.0.0.1"})
	if got := sender.Send(t.Context(), mail, message()); got.Verdict != Never || !strings.Contains(got.Text, "another machine") {
		t.Errorf("mail: %+v", got)
	}
	if _, problems := Parse([]byte(`[{"name": "a", "type": "webhook", "url": "http://example.com/", "secret": {"env": "X"}}]`)); len(problems) != 1 {
		t.Errorf("http without private: %v", problems)
	}
}

func TestT4_MailServersAreJudgedToo(t *testing.T) {
	server := newMailServer(t, manners{})
	target := parsed(t, fmt.Sprintf(`{"name": "m", "type": "email", "server": "mail.example.com:%s", "from": "a@example.com", "to": ["b@example.com"]}`, server.port))
	got := Sender{resolver: resolver(t, []string{"127.0.0.1"})}.Send(t.Context(), target, message())
	if got.Verdict != Never || !strings.Contains(got.Text, "private network") || server.connections.Load() != 0 {
		t.Errorf("%+v after %d connections", got, server.connections.Load())
	}
}
