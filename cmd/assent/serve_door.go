package main

import (
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/durable"
)

// door is where a server listens, and the names under which it may be reached.
type door struct {
	listeners []net.Listener
	names     []string
	tls       bool
	host      string // for the link
	// taken is the other address of localhost, where somebody else listens.
	taken string
}

const (
	firstPort = 8722
	morePorts = 100
)

// open listens. Beyond this machine that needs TLS, or somebody who says that it does not.
func (f *serveFlags) open() (*door, error) {
	address := f.listen
	if address == "" {
		free, err := nextFree()
		if err != nil {
			return nil, err
		}
		return f.behind(free, "127.0.0.1")
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen: want HOST:PORT, as in 127.0.0.1:%d, and not %q", firstPort, address)
	}
	if !isLoopback(host) && f.cert == "" && !f.insecure {
		return nil, fmt.Errorf("--listen %s can be reached from elsewhere, and without TLS everybody on the way could read the token (pass --tls-cert and --tls-key, or --insecure-no-tls if something else encrypts)", address)
	}
	if ip := net.ParseIP(host); ip != nil { // which has several spellings, and clients use this one
		host = ip.String()
	}
	var b *entrance
	if isLoopback(host) {
		b, err = listenLoopback(host, port)
	} else {
		b, err = listenBeyond(host, port)
	}
	if err != nil {
		return nil, fmt.Errorf("--listen %s: nothing can listen there: %w (name another port, or leave --listen out and the first free one from %d is taken)", address, err, firstPort)
	}
	if host == "localhost" && b.taken != "" {
		b.close()
		return nil, fmt.Errorf("--listen %s: somebody else listens at %s, and localhost may lead there (name another port, or 127.0.0.1)", address, b.taken)
	}
	return f.behind(b, host)
}

// nextFree is the first port from the usual one that nobody uses, at neither address of localhost.
func nextFree() (*entrance, error) {
	var first error
	for port := firstPort; port < firstPort+morePorts; port++ {
		b, err := listenLoopback("127.0.0.1", strconv.Itoa(port))
		if err == nil && b.taken == "" {
			return b, nil
		}
		if err == nil {
			b.close()
			err = fmt.Errorf("somebody else listens at %s", b.taken)
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("there is no free port from %d to %d (name one with --listen): %w", firstPort, firstPort+morePorts-1, first)
}

// isLoopback: nobody reaches it from another machine. A name may lead anywhere, but
// localhost does not.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// isHost: browsers send such a name for a server, with or without its port.
func isHost(name string) bool {
	host, port, err := net.SplitHostPort(name)
	if err != nil { // it has none
		host, port = name, strconv.Itoa(firstPort)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	other := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(".-_", r))
	}
	return err == nil && n > 0 && host != "" && (net.ParseIP(host) != nil || !strings.ContainsFunc(host, other))
}

// listenBeyond listens at a host that others reach, or at all of them.
func listenBeyond(host, port string) (*entrance, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	hosts := []string{host}
	if everywhere(host) { // by both protocols
		hosts = []string{"127.0.0.1", "::1", "localhost"}
	}
	return &entrance{listeners: []net.Listener{l}, hosts: hosts}, nil
}

func everywhere(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || ip != nil && ip.IsUnspecified()
}

// behind is the door of listeners at one port, with its lock if there is one.
func (f *serveFlags) behind(b *entrance, host string) (*door, error) {
	_, port, err := net.SplitHostPort(b.listeners[0].Addr().String())
	if err != nil {
		b.close()
		return nil, err
	}
	named := func(host string) string { return strings.ToLower(net.JoinHostPort(host, port)) }
	d := &door{listeners: b.listeners, host: named(host), taken: b.taken}
	if everywhere(host) {
		d.host = named("127.0.0.1")
	}
	for _, host := range b.hosts {
		d.names = append(d.names, named(host))
	}
	for _, name := range f.hosts {
		if _, _, err := net.SplitHostPort(name); err != nil {
			name = named(name)
		}
		d.names = append(d.names, strings.ToLower(name))
	}
	if f.cert != "" {
		if err := d.lock(f.cert, f.key, named); err != nil {
			d.close()
			return nil, err
		}
	}
	slices.Sort(d.names)
	d.names = slices.Compact(d.names)
	return d, nil
}

// lock puts TLS before the door. The names of the certificate are names of the server.
func (d *door) lock(cert, key string, named func(string) string) error {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("--tls-cert and --tls-key: %w", err)
	}
	for _, name := range pair.Leaf.DNSNames {
		d.names = append(d.names, named(name))
	}
	for _, ip := range pair.Leaf.IPAddresses {
		d.names = append(d.names, named(ip.String()))
	}
	d.tls = true
	for i, l := range d.listeners {
		d.listeners[i] = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	}
	return nil
}

func (d *door) close() {
	for _, l := range d.listeners {
		_ = l.Close()
	}
}

// address is where people reach the server.
func (d *door) address() string {
	if d.tls {
		return "https://" + d.host + "/"
	}
	return "http://" + d.host + "/"
}

// token is the one of the file, or a new one.
func (f *serveFlags) token() (string, error) {
	if f.tokenFile != "" {
		return readToken(f.tokenFile)
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(secret), nil
}

// readToken reads a token from a file that only its owner may read.
func readToken(path string) (string, error) {
	const most = 4 << 10
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("--token-file: %w", err)
	case exposed(info):
		return "", fmt.Errorf("--token-file: others may read %s (chmod 600 %s)", path, path)
	}
	text, err := durable.Read(path, most)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	token := strings.TrimSpace(string(text))
	switch {
	case len(token) < 32:
		return "", fmt.Errorf("--token-file: the token in %s is too short: it needs 32 characters or more (head -c 32 /dev/urandom | base64)", path)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", errors.New("--token-file: a token is one word of letters, digits and signs")
	}
	return token, nil
}
