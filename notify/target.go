package notify

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/internal/secret"
	"github.com/assent-dev/assent/permission"
)

// Type is the sort of a target.
type Type string

// The types of targets.
const (
	Webhook Type = "webhook" // signed as Standard Webhooks says
	Slack   Type = "slack"   // an incoming webhook of Slack
	Ntfy    Type = "ntfy"    // a topic of an ntfy server
	Email   Type = "email"   // mailboxes, by SMTP
)

// Types are all types.
var Types = []Type{Webhook, Slack, Ntfy, Email}

// Target is where messages go; [Parse] makes them. A target has addresses of the internet
// only, unless its settings say "private". Link-local addresses, multicast and reserved ones it
// never has. Without encryption it has no address of the internet at all.
type Target struct {
	// Name is what settings call it.
	Name string
	Type Type
	// Input says whether the input of calls may go there, and a sentence with words of it.
	Input bool

	only    []filter
	private bool
	cover   cover
	secrets []secret.Place
	url     *url.URL // for Slack it is the secret, and set only while something is sent
	topic   string
	mail    mailbox
}

// mailbox is what only a target for email has.
type mailbox struct {
	host, port string
	security   security
	from       *mail.Address
	to         []*mail.Address
	user       string
}

// security is how a connection to a mail server is encrypted.
type security string

const (
	startTLS    security = "starttls" // from the first words on
	implicitTLS security = "implicit" // from the beginning
	noTLS       security = "none"     // on this machine only
)

// Takes says whether settings want a message to go there.
func (t Target) Takes(m Message) bool {
	return len(t.only) == 0 || slices.ContainsFunc(t.only, func(f filter) bool { return f.takes(m) })
}

// Ready says what is missing before anything can be sent: a secret that is not there. It
// sends nothing.
func (t Target) Ready() error {
	secrets, err := t.read()
	if err != nil {
		return err
	}
	switch t.Type {
	case Webhook:
		_, err = signers(secrets)
	case Slack:
		_, err = t.parseURL(secrets[0])
	case Ntfy:
		_, err = bearer(secrets)
	case Email: // any text may be a password
	}
	return err
}

// read returns the secrets in the order of the settings.
func (t Target) read() ([]string, error) {
	if t.Name == "" {
		return nil, errors.New("the target does not come from settings")
	}
	var all []string
	for _, p := range t.secrets {
		text, err := p.Read()
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// filter is one entry of "only": a kind, a risk, or both.
type filter struct {
	kind Kind            // empty for any
	risk permission.Risk // zero for any
}

func (f filter) takes(m Message) bool {
	// A risk about which nobody has thought counts as high.
	risk, _ := permission.ParseRisk(m.Risk.String())
	return (f.kind == "" || f.kind == m.Kind) && (f.risk == 0 || f.risk == risk)
}

// parseFilter reads "waits", "high" or "waits:high".
func parseFilter(text string) (filter, error) {
	kind, risk, both := strings.Cut(text, ":")
	if !both && !slices.Contains(Kinds, Kind(kind)) {
		kind, risk = "", text
	}
	f := filter{kind: Kind(kind)}
	if both && !slices.Contains(Kinds, f.kind) {
		return filter{}, fmt.Errorf("there is no kind %q (there are %v)", kind, Kinds)
	}
	if risk == "" && !both {
		return f, nil
	}
	var err error
	if f.risk, err = permission.ParseRisk(risk); err != nil {
		return filter{}, fmt.Errorf("%q is neither a kind %v nor a risk [low medium high], nor KIND:RISK", text, Kinds)
	}
	return f, nil
}

// parseURL judges an address of a target. Its complaints do not repeat it: it may be a secret.
func (t *Target) parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Opaque != "":
		return nil, errors.New("that is no address: write https://HOST/PATH")
	case u.User != nil:
		return nil, errors.New("the address has a user in it: secrets do not belong there")
	case u.Fragment != "":
		return nil, errors.New("the address has a part behind #, which is never sent")
	case u.Scheme == "http" && t.private:
		t.cover = plainNearby
	case u.Scheme != "https":
		return nil, errors.New(`the address does not begin with https:// (http:// is for targets with "private": true)`)
	}
	if port := u.Port(); port != "" {
		if err := checkPort(port); err != nil {
			return nil, err
		}
	}
	return u, t.checkHost(u.Hostname())
}

// checkPort refuses a port that there is not.
func checkPort(text string) error {
	if port, err := strconv.ParseUint(text, 10, 16); err != nil || port == 0 {
		return errors.New("the port is a number from 1 up to 65535")
	}
	return nil
}
