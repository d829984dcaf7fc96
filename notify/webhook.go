package notify

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/policy"
)

// event is the body of a webhook, in the form that Standard Webhooks proposes.
type event struct {
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      eventData `json:"data"`
}

type eventData struct {
	Ticket   string         `json:"ticket"`
	Sentence string         `json:"sentence"`
	Risk     string         `json:"risk"`
	Project  string         `json:"project,omitzero"`
	Link     string         `json:"link,omitzero"`
	Expires  time.Time      `json:"expires,omitzero"`
	Input    strictjson.Raw `json:"input,omitzero"`
}

// webhookLetter has the same body however often it is tried. The time in the header is that
// of the attempt: receivers refuse what is older than a few minutes.
func (t Target) webhookLetter(m Message, secrets []string, now time.Time) (letter, error) {
	body, err := strictjson.Marshal(event{
		Type:      "call." + string(m.Kind),
		Timestamp: m.At.UTC(),
		Data: eventData{
			Ticket: policy.Visible(m.Ticket), Sentence: policy.Visible(m.Sentence), Risk: m.Risk.String(),
			Project: policy.Visible(m.Project), Link: m.Link, Expires: m.Expires.UTC(), Input: m.Input,
		},
	})
	if err != nil {
		return letter{}, errors.New("the message cannot be written as JSON")
	}
	all, err := signers(secrets)
	if err != nil {
		return letter{}, err
	}
	var signatures []string
	for _, signer := range all {
		signature, err := signer.Sign(m.ID, now, body)
		if err != nil {
			return letter{}, errors.New("the message cannot be signed")
		}
		signatures = append(signatures, signature)
	}
	header := http.Header{}
	header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	header.Set(standardwebhooks.HeaderWebhookSignature, strings.Join(signatures, " "))
	return letter{url: t.url, header: header, body: body}, nil
}

// shortestKey is what the specification asks for, in bytes.
const shortestKey = 24

// signers sign with each secret, so that a receiver may know either while one replaces the
// other.
func signers(secrets []string) ([]*standardwebhooks.Webhook, error) {
	var all []*standardwebhooks.Webhook
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < shortestKey {
			return nil, errors.New("a secret of the webhook is not whsec_ and at least 24 bytes in base64: make one with openssl rand -base64 32")
		}
		signer, err := standardwebhooks.NewWebhookRaw(key)
		if err != nil {
			return nil, errors.New("a secret of the webhook cannot be used")
		}
		all = append(all, signer)
	}
	return all, nil
}
