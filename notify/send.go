package notify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"
)

// patience is how long one attempt may take, from the lookup of the name to the answer. Whoever
// waits for it has a second more, and writes down then what came of it.
const patience = 7 * time.Second

// Sender brings messages to targets. Its zero value is ready, and it keeps nothing between
// two messages.
type Sender struct {
	roots    *x509.CertPool // nil means those of the system
	resolver *net.Resolver  // nil means that of the system
	limit    time.Duration  // zero means patience
}

// Send tries a message once. The input of the call, and the sentence that has words of it, stay
// out of it unless the target's settings allow them; whether the target wants the message is for [Target.Takes] to say.
func (s Sender) Send(ctx context.Context, t Target, m Message) Outcome {
	if !t.Input {
		m = m.without()
	}
	if err := m.check(); err != nil {
		return misset(t, err)
	}
	m.ID += "-" + t.Name // what two targets are told differs, and they may have one receiver
	secrets, err := t.read()
	if err != nil {
		return misset(t, err)
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.limit, patience))
	defer cancel()
	var l letter
	switch t.Type {
	case Webhook:
		l, err = t.webhookLetter(m, secrets, time.Now())
	case Slack:
		if t.url, err = t.parseURL(secrets[0]); err == nil {
			l, err = t.slackLetter(m)
		}
	case Ntfy:
		l, err = t.ntfyLetter(m, secrets)
	case Email:
		return s.mail(ctx, t, m, secrets)
	default:
		err = errors.New("there is no such type of target")
	}
	if err != nil {
		return misset(t, err)
	}
	return s.post(ctx, t, l)
}

// letter is a message on its way by HTTP.
type letter struct {
	url    *url.URL
	header http.Header
	body   []byte
}

// post sends by a transport for one request, so that nothing stays behind. A transport
// follows no redirect, and without a Proxy it asks no environment for one.
func (s Sender) post(ctx context.Context, t Target, l letter) Outcome {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url.String(), bytes.NewReader(l.body))
	if err != nil {
		return misset(t, errors.New("the address cannot be used"))
	}
	for name, values := range l.header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "assent")
	transport := &http.Transport{
		DialContext:            s.dialer(t).DialContext,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: 64 << 10,
		TLSClientConfig:        s.tls(l.url.Hostname()),
	}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request)
	if err != nil {
		return broken(l.url.Hostname(), err)
	}
	defer response.Body.Close()
	return judgeStatus(l.url.Hostname(), response, time.Now())
}

// dialer judges each address that a name leads to when it is dialled.
func (s Sender) dialer(t Target) *net.Dialer {
	return &net.Dialer{Resolver: s.resolver, Control: t.control}
}

func (s Sender) tls(host string) *tls.Config {
	return &tls.Config{RootCAs: s.roots, ServerName: host, MinVersion: tls.VersionTLS12}
}
