package notify

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/permission"
)

// ntfyPost is a message as the root of an ntfy server takes it. Its text is plain: markdown
// would have to be asked for.
type ntfyPost struct {
	Topic    string   `json:"topic"`
	Title    string   `json:"title"`
	Message  string   `json:"message"`
	Click    string   `json:"click,omitzero"`
	Priority int      `json:"priority"`
	Tags     []string `json:"tags"`
}

func (t Target) ntfyLetter(m Message, secrets []string) (letter, error) {
	header, err := bearer(secrets)
	if err != nil {
		return letter{}, err
	}
	body, err := strictjson.Marshal(ntfyPost{
		Topic: t.topic, Title: m.title(), Click: m.Link,
		Message:  strings.Join(append([]string{m.sentence()}, m.details()...), "\n"),
		Priority: priority(m.Risk),
		Tags:     []string{string(m.Kind), m.Risk.String()},
	})
	if err != nil {
		return letter{}, errors.New("the message cannot be written as JSON")
	}
	root := &url.URL{Scheme: t.url.Scheme, Host: t.url.Host, Path: "/"}
	return letter{url: root, header: header, body: body}, nil
}

// priority is that of ntfy: 2 makes no sound, 3 is the usual one, 4 vibrates for longer.
func priority(risk permission.Risk) int {
	switch risk {
	case permission.LowRisk:
		return 2
	case permission.MediumRisk:
		return 3
	case permission.HighRisk:
		return 4
	}
	return 4 // nobody has thought about it
}

// bearer is the header with the token, where there is one.
func bearer(secrets []string) (http.Header, error) {
	header := http.Header{}
	for _, token := range secrets {
		if strings.ContainsFunc(token, func(r rune) bool { return r < '!' || r > '~' }) {
			return nil, errors.New("the token has blanks or signs that no token has")
		}
		header.Set("Authorization", "Bearer "+token)
	}
	return header, nil
}
