package main

import (
	"fmt"
	"net"
	"slices"
)

// localhost is 127.0.0.1 for one program and ::1 for the next. A server that is at one of them
// only leaves the other to everybody on the machine. Who is there would be asked in place of the
// server, and could let it answer what proves that it is the server. So a server at one of them
// is at both, and answers only to names that lead to nobody else.

// entrance is listeners at one port.
type entrance struct {
	listeners []net.Listener
	hosts     []string // that lead to them, and to nobody else
	// taken is the other address, where somebody else listens; empty when nobody does.
	taken string
}

// listenLoopback listens at a host of the loopback interface. With port 0 it is one that is free
// at both addresses.
func listenLoopback(host, port string) (*entrance, error) {
	const tries = 20
	for try := 1; ; try++ {
		b, err := listenAtBoth(host, port)
		if err != nil || b.taken == "" || port != "0" || try == tries {
			return b, err
		}
		b.close()
	}
}

func listenAtBoth(host, port string) (*entrance, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	at, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		_ = l.Close()
		return nil, fmt.Errorf("%s is no address of TCP", l.Addr())
	}
	b := &entrance{listeners: []net.Listener{l}, hosts: []string{at.IP.String()}}
	other := map[string]string{"127.0.0.1": "::1", "::1": "127.0.0.1"}[at.IP.String()]
	if other == "" { // 127.0.0.2 has no other name
		return b, nil
	}
	address := net.JoinHostPort(other, fmt.Sprint(at.Port))
	switch second, err := net.Listen("tcp", address); {
	case err == nil:
		b.listeners, b.hosts = append(b.listeners, second), append(b.hosts, other, "localhost")
	case !isThere(other): // so nobody else is there either
		b.hosts = append(b.hosts, "localhost")
	default:
		b.taken = address
	}
	return b, nil
}

// isThere: the machine has an address, or nobody can say so. That nothing can listen there is no
// sign that it is missing: somebody else may have taken all its ports.
func isThere(ip string) bool {
	all, err := net.InterfaceAddrs()
	return err != nil || slices.ContainsFunc(all, func(a net.Addr) bool {
		network, ok := a.(*net.IPNet)
		return ok && network.IP.Equal(net.ParseIP(ip))
	})
}

func (b *entrance) close() {
	for _, l := range b.listeners {
		_ = l.Close()
	}
}
