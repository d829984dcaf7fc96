package main

import (
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/herald"
	"github.com/assent-dev/assent/inbox"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/notify"
	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/settings"
)

// readPublic reads --public-url: where people reach the server, for the links in messages.
func readPublic(text string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Opaque != "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("--public-url: want the address of this server as people reach it, as in https://inbox.example.com, and not %q", text)
	case u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())):
		return nil, fmt.Errorf("--public-url: %q is not encrypted, and messages would lead people there (write https://…)", text)
	}
	u.Path = "/"
	return u, nil
}

// telling is how this server tells people elsewhere.
func (d *counter) telling(public *url.URL, log *slog.Logger) (*herald.Telling, error) {
	o, err := (&policyFlags{cwd: d.dir, sources: "user"}).options()
	if err != nil {
		return nil, err
	}
	o.StateDir = d.dir
	book := &addressBook{options: o, log: log}
	if _, err := book.targets(); err != nil {
		return nil, err
	}
	t := &herald.Telling{Targets: book.targets, Send: notify.Sender{}.Send, Describe: describe, Input: inputOf}
	if public != nil {
		t.Page = public.String()
	}
	return t, nil
}

// asItRuns is the call of a ticket with the input that runs.
func asItRuns(t approval.Ticket) approval.Call {
	call := t.Call
	if t.Answer != nil && t.Answer.Input != nil {
		call.Input = t.Answer.Input
	}
	return call
}

func describe(t approval.Ticket) string        { return inbox.Sentence(asItRuns(t)) }
func inputOf(t approval.Ticket) strictjson.Raw { return asItRuns(t).Input }

// addressBook is whom to tell, as the settings of the user and the administrator say.
type addressBook struct {
	options settings.Options
	log     *slog.Logger

	mu   sync.Mutex
	read bool
	// version is that of the settings that were read, broken why newer ones cannot be.
	version, broken string
	last            []notify.Target
}

// targets are those of the settings of now. As long as these cannot be read, the last ones count.
func (b *addressBook) targets() ([]notify.Target, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, err := settings.Load(b.options)
	if err != nil && !b.read {
		return nil, err
	}
	if err != nil {
		if b.broken != err.Error() {
			b.broken = err.Error()
			b.log.Error("the settings cannot be read; people are told as they said before", "err", b.broken)
		}
		return b.last, nil
	}
	if b.broken = ""; !b.read || s.Version() != b.version {
		withhold(s.SecretVariables()...)
		b.read, b.version, b.last = true, s.Version(), b.parse(s)
	}
	return b.last, nil
}

// parse reads the targets, and says what is wrong with the others. Of two with the same name the
// administrator's counts.
func (b *addressBook) parse(s *settings.Settings) (all []notify.Target) {
	warn := func(file string, line int, text string) {
		b.log.Warn("a notification is not in force", "where", fmt.Sprintf("%s:%d", file, line), "why", policy.Visible(text))
	}
	for _, n := range s.Notifications() {
		targets, problems := notify.Parse(n.JSON)
		for _, p := range problems {
			warn(n.File, n.Line+p.Line-1, p.Error())
		}
		for _, t := range targets {
			if slices.ContainsFunc(all, func(other notify.Target) bool { return other.Name == t.Name }) {
				warn(n.File, n.Line, fmt.Sprintf("%q: the administrator's settings have one of that name", t.Name))
				continue
			}
			if err := t.Ready(); err != nil { // it may come later: secrets are read for every message
				b.log.Warn("a notification cannot be sent as it is", "notification", t.Name, "why", err)
			}
			all = append(all, t)
		}
	}
	return all
}
