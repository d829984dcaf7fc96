//go:build unix

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serving starts a server and returns it with its link.
func (p *place) serving(args ...string) (c *worker, link string) {
	p.t.Helper()
	c = p.start(p.env(), append([]string{"serve"}, args...)...)
	return c, strings.TrimSpace(c.expect("http"))
}

// Somebody answers with a command while a server runs: the session goes on there, by itself.
func TestA3_ASessionGoesOnInAServer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	script := p.playing("deploy.yaml", "turns:\n  - call: {Bash: {command: echo ran >> effects}}\nafterwards: Done.\n")
	if _, complained, status := p.say(append([]string{"-p", "--session-id", chosenID, "--model", script, "deploy"}, p.deferring()...)...); status != 0 {
		t.Fatal(complained)
	}
	server, link := p.serving("--", "--model", p.playing("end.yaml", "turns: []\nafterwards: Done.\n"))
	address, token, _ := strings.Cut(link, "/#token=")
	if !strings.HasPrefix(address, "http://127.0.0.1:") || len(token) != 43 {
		t.Fatal(link)
	}
	// A second server is told about the first.
	_, complained, status := p.say("serve")
	if status != 2 || !strings.Contains(complained, "another server serves this state directory already: process ") || !strings.Contains(complained, "at "+address) {
		t.Errorf("exit status %d: %s", status, complained)
	}
	said, complained, status := p.say("approve", chosenID)
	if status != 0 || !strings.Contains(said, "it goes on by itself: the inbox at "+address) {
		t.Errorf("exit status %d: %s%s", status, said, complained)
	}
	for deadline := time.Now().Add(patienceOfTests); ; {
		if said, _, _ := p.say("sessions", "list"); strings.Contains(said, chosenID) && strings.Contains(said, "  done  ") {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("%s\n%s", said, server.stderr)
		}
	}
	if text, err := os.ReadFile(filepath.Join(p.dir, "effects")); err != nil || string(text) != "ran\n" {
		t.Errorf("%q, %v", text, err)
	}
	_ = server.cmd.Process.Signal(syscall.SIGTERM)
	if status := server.end(); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if log := server.stderr.String(); strings.Contains(log, token) || !strings.Contains(log, "the inbox closes") {
		t.Error(log)
	}
	// Nothing is left of it, and the token is nowhere.
	if strings.Contains(tree(t, p.home), token) {
		t.Error("the token is on the disk")
	}
	if _, err := os.Stat(filepath.Join(p.home, ".assent", "inbox", plateName)); err == nil {
		t.Error("it says that it still serves")
	}
	if said, _, _ := p.say("approve", chosenID); strings.Contains(said, "by itself") {
		t.Error(said)
	}
}

// With a certificate the server speaks TLS, under the names of the certificate, and the
// token of a file is not shown.
func TestA3_ServeWithTLS(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	cert, key, pool := p.certificate("inbox.test")
	if err := os.Chmod(p.write("token", serveToken), 0o600); err != nil {
		t.Fatal(err)
	}
	_, link := p.serving("--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key, "--token-file", "token", "--no-resume")
	host, ok := strings.CutPrefix(link, "https://")
	if host = strings.TrimSuffix(host, "/"); !ok || strings.Contains(link, serveToken) {
		t.Fatal(link)
	}
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "inbox.test"},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, host)
		},
	}}
	for name, want := range map[string]int{"inbox.test": 200, "other.test": http.StatusMisdirectedRequest} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+name+":"+port+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %s", name, resp.Status)
		}
	}
}

// certificate makes one for a name.
func (p *place) certificate(name string) (cert, key string, pool *x509.CertPool) {
	p.t.Helper()
	must := func(err error) {
		p.t.Helper()
		if err != nil {
			p.t.Fatal(err)
		}
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	must(err)
	secret, err := x509.MarshalECPrivateKey(private)
	must(err)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	return p.write("cert.pem", string(text)), p.write("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}))), pool
}
