package main

import (
	"net"
	"slices"
	"strings"
	"testing"
)

// A server at one address of localhost is at the other one as well, and nobody else can be. Where
// somebody is, it does not answer to the names that lead there.
func TestT12_AServerAnswersOnlyToNamesThatLeadToNobodyElse(t *testing.T) {
	if !isThere("::1") {
		t.Skip("this machine has no ::1")
	}
	at := func(t *testing.T, address string) net.Listener {
		t.Helper()
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		return l
	}
	hosts := func(d *door) string {
		var all []string
		for _, name := range d.names {
			host, _, _ := net.SplitHostPort(name)
			all = append(all, host)
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	for listen, want := range map[string]string{
		"127.0.0.1:0": "127.0.0.1 ::1 localhost",
		"[::1]:0":     "127.0.0.1 ::1 localhost",
		"localhost:0": "127.0.0.1 ::1 localhost",
		"127.0.0.2:0": "127.0.0.2",

		"[::ffff:127.0.0.1]:0": "127.0.0.1 ::1 localhost",
		"[0:0:0:0:0:0:0:1]:0":  "127.0.0.1 ::1 localhost",
		"[::FFFF:127.0.0.2]:0": "127.0.0.2",
		"[0000::0.0.0.1]:0":    "127.0.0.1 ::1 localhost",
	} {
		t.Run(listen, func(t *testing.T) {
			d, err := (&serveFlags{listen: listen}).open()
			if err != nil {
				t.Skip(err) // not every system has 127.0.0.2
			}
			defer d.close()
			if !slices.Contains(d.names, d.host) {
				t.Errorf("it answers to %s, and the link is %s", hosts(d), d.host)
			}
			if got := hosts(d); got != want || d.taken != "" {
				t.Errorf("it answers to %s, want %s (taken: %q)", got, want, d.taken)
			}
			for _, name := range d.names {
				if host, _, _ := net.SplitHostPort(name); host != "localhost" {
					if l, err := net.Listen("tcp", name); err == nil {
						_ = l.Close()
						t.Errorf("somebody else can be at %s", name)
					}
				}
			}
		})
	}
	t.Run("somebody is at the other one", func(t *testing.T) {
		other := at(t, "[::1]:0")
		_, port, _ := net.SplitHostPort(other.Addr().String())
		d, err := (&serveFlags{listen: "127.0.0.1:" + port}).open()
		if err != nil {
			t.Fatal(err)
		}
		defer d.close()
		if got := hosts(d); got != "127.0.0.1" || d.taken != other.Addr().String() {
			t.Errorf("it answers to %s (taken: %q)", got, d.taken)
		}
	})
	t.Run("and localhost is the name", func(t *testing.T) {
		other := at(t, "[::1]:0")
		_, port, _ := net.SplitHostPort(other.Addr().String())
		if d, err := (&serveFlags{listen: "localhost:" + port}).open(); err == nil || !strings.Contains(err.Error(), "somebody else listens at [::1]:"+port) {
			if err == nil {
				d.close()
			}
			t.Errorf("%v", err)
		}
	})
	t.Run("an address beyond the machine", func(t *testing.T) {
		for _, host := range []string{"0.0.0.0", "::", ""} {
			d, err := (&serveFlags{listen: net.JoinHostPort(host, "0"), insecure: true}).open()
			if err != nil {
				t.Fatal(err)
			}
			if got := hosts(d); got != "127.0.0.1 ::1 localhost" {
				t.Errorf("%q answers to %s", host, got)
			}
			_, port, _ := net.SplitHostPort(d.listeners[0].Addr().String())
			for _, own := range []string{"127.0.0.1", "::1"} {
				if l, err := net.Listen("tcp", net.JoinHostPort(own, port)); err == nil {
					_ = l.Close()
					t.Errorf("%q: somebody else can be at %s", host, own)
				}
			}
			d.close()
		}
	})
}
