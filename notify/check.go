package notify

import (
	"errors"
	"fmt"
	"net"
	"net/mail"
	"strconv"
	"strings"
	"unicode"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// checker makes a target of an entry that could be read.
type checker struct {
	*reader
	node strictjson.Node
	path string
}

// at reports a problem of a key, or of the entry where the key is missing.
func (c checker) at(key string, err error) {
	if err == nil {
		return
	}
	node := c.node
	if value := c.node.Member(key); value.Kind != 0 {
		node = value
	}
	c.fail(node, c.path+"."+key, err)
}

func (c checker) target(e entry) Target {
	t := Target{Name: e.Name, Type: e.Type, Input: e.Input, private: e.Private, secrets: e.Secret}
	switch {
	case !isName(e.Name):
		c.at("name", errors.New("a target needs a name of letters, digits, - and _: it is what the record calls it by"))
	case c.names[e.Name]:
		c.at("name", errors.New("another target has this name"))
	}
	c.names[e.Name] = true
	for _, text := range e.Only {
		f, err := parseFilter(text)
		c.at("only", err)
		t.only = append(t.only, f)
	}
	if e.Only != nil && len(e.Only) == 0 {
		c.at("only", errors.New("an empty list would let nothing through: leave it out, or name kinds and risks"))
	}
	for _, p := range e.Secret {
		c.at("secret", p.Check())
	}
	switch e.Type {
	case Webhook:
		c.webhook(&t, e)
	case Slack:
		c.secrets(e, 1, 1, `Slack's address for incoming webhooks is a secret: {"env": "NAME"} or {"file": "PATH"}`)
	case Ntfy:
		c.ntfy(&t, e)
	case Email:
		c.email(&t, e)
	default:
		c.at("type", fmt.Errorf("there is no such type (there are %v)", Types))
	}
	return t
}

// secrets complains unless there are as many as the type wants.
func (c checker) secrets(e entry, least, most int, hint string) {
	if len(e.Secret) < least || len(e.Secret) > most {
		c.at("secret", errors.New(hint))
	}
}

func (c checker) webhook(t *Target, e entry) {
	c.secrets(e, 1, 5, "a webhook is signed: it has one secret, or a list of at most five while they change")
	var err error
	t.url, err = t.parseURL(e.URL)
	c.at("url", err)
}

func (c checker) ntfy(t *Target, e entry) {
	c.secrets(e, 0, 1, "ntfy takes one token, or none")
	u, err := t.parseURL(e.URL)
	if err == nil && (strings.Trim(u.Path, "/") != "" || u.RawQuery != "") {
		err = errors.New(`write the address of the server alone, as https://ntfy.sh; the topic is under "topic"`)
	}
	c.at("url", err)
	t.url = u
	if t.topic = e.Topic; !isName(e.Topic) || len(e.Topic) > 64 {
		c.at("topic", errors.New("a topic has up to 64 letters, digits, - and _"))
	}
}

// mostRecipients is where a mailing list serves better.
const mostRecipients = 20

func (c checker) email(t *Target, e entry) {
	m := &t.mail
	m.security, m.user = e.TLS, e.User
	var err error
	if m.host, m.port, err = net.SplitHostPort(e.Server); err != nil {
		c.at("server", errors.New("write the server with its port: mail.example.com:587"))
	} else if err := checkPort(m.port); err != nil {
		c.at("server", err)
	}
	if m.security == "" {
		m.security = startTLS
		if m.port == "465" {
			m.security = implicitTLS
		}
	}
	switch m.security {
	case startTLS, implicitTLS:
	case noTLS:
		t.cover = plainHere
		if !t.private {
			c.at("tls", errors.New(`without encryption mail goes to this machine only, and that is "private": true`))
		}
		if e.User != "" {
			c.at("user", errors.New("a password is sent with encryption only"))
		}
	default:
		c.at("tls", fmt.Errorf("write %s, %s or %s", startTLS, implicitTLS, noTLS))
	}
	if m.host != "" {
		c.at("server", t.checkHost(m.host))
	}
	if m.from, err = parseMailbox(e.From); err != nil {
		c.at("from", err)
	}
	for _, text := range e.To {
		to, err := parseMailbox(text)
		c.at("to", err)
		m.to = append(m.to, to)
	}
	if len(e.To) == 0 || len(e.To) > mostRecipients {
		c.at("to", fmt.Errorf("write who is told, from one to %d addresses", mostRecipients))
	}
	if strings.ContainsFunc(e.User, unicode.IsControl) {
		c.at("user", errors.New("the user has characters that no name has"))
	}
	if e.User == "" {
		c.secrets(e, 0, 0, `there is a secret and no "user" that it belongs to`)
	} else {
		c.secrets(e, 1, 1, "the user needs one password")
	}
}

// parseMailbox takes only addresses that can stand in a header and in SMTP as they are.
func parseMailbox(text string) (*mail.Address, error) {
	address, err := mail.ParseAddress(text)
	if err != nil {
		return nil, fmt.Errorf("%s is no address of a mailbox", policy.Visible(strconv.Quote(text)))
	}
	local, domain, _ := strings.Cut(address.Address, "@")
	plain := func(text, also string) bool {
		return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !isName(string(r)) && !strings.ContainsRune(also, r) })
	}
	if !plain(local, ".!#$%&'*+/=?^{|}~") || !plain(domain, ".") || strings.ContainsFunc(address.Name, unicode.IsControl) {
		return nil, errors.New("only addresses of plain letters, digits and signs are understood everywhere")
	}
	return address, nil
}
