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
	listener net.Listener
	names    []string
	tls      bool
	host     string // for the link
}

const (
	firstPort = 8722
	morePorts = 100
)

// open listens. Beyond this machine that needs TLS, or somebody who says that it does not.
func (f *serveFlags) open() (*door, error) {
	address := f.listen
	if address == "" {
		l, err := nextFree()
		if err != nil {
			return nil, err
		}
		return f.behind(l, "127.0.0.1")
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen: want HOST:PORT, as in 127.0.0.1:%d, and not %q", firstPort, address)
	}
	if !isLoopback(host) && f.cert == "" && !f.insecure {
		return nil, fmt.Errorf("--listen %s can be reached from elsewhere, and without TLS everybody on the way could read the token (pass --tls-cert and --tls-key, or --insecure-no-tls if something else encrypts)", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: nothing can listen there: %w (name another port, or leave --listen out and the first free one from %d is taken)", address, err, firstPort)
	}
	return f.behind(l, host)
}

// nextFree is the first port from the usual one that nobody uses.
func nextFree() (net.Listener, error) {
	var first error
	for port := firstPort; port < firstPort+morePorts; port++ {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return l, nil
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

// behind is the door of a listener, with its lock if there is one.
func (f *serveFlags) behind(l net.Listener, host string) (*door, error) {
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, err
	}
	named := func(host string) string { return strings.ToLower(net.JoinHostPort(host, port)) }
	d := &door{listener: l, host: named(host), names: []string{named("127.0.0.1"), named("localhost"), named("::1")}}
	ip := net.ParseIP(host)
	if everywhere := host == "" || ip != nil && ip.IsUnspecified(); everywhere {
		d.host = named("127.0.0.1")
	} else {
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
			_ = l.Close()
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
	d.listener = tls.NewListener(d.listener, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	return nil
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
