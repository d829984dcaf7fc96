package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/internal/durable"
	"github.com/assent-dev/assent/oidc"
	"github.com/assent-dev/assent/people"
)

const oidcUsage = "a file that says by which other server people sign in (OpenID Connect, needs --public-url)"

// readOIDC reads the file of --oidc; nil when there is none.
func readOIDC(path string, public *url.URL) (*oidc.Settings, error) {
	const most = 1 << 20
	if path == "" {
		return nil, nil
	}
	if public == nil {
		return nil, fmt.Errorf("--oidc: the other server has to send people back to this one (say where they reach it, with --public-url https://HOST, and tell the other server of https://HOST%s)", oidc.CallbackPath)
	}
	text, err := durable.Read(path, most)
	if err != nil {
		return nil, fmt.Errorf("--oidc: %w", err)
	}
	s, err := oidc.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("--oidc: %s: %w", path, err)
	}
	if s.Secret != nil && s.Secret.Env != "" {
		withhold(s.Secret.Env)
	}
	return &s, nil
}

// meetOIDC lets people sign in by another server. With that everybody signs in, also where there
// is nobody yet: the first one comes from there.
func (h *host) meetOIDC(ctx context.Context, s *oidc.Settings, public *url.URL) (err error) {
	if s == nil {
		return nil
	}
	if h.config.People == nil {
		if s.Arrival == people.OnlyKnown {
			return errors.New(`--oidc: only people whom somebody has linked may come in, and there is nobody (add one with ` + "`assent people add` and `assent people link`" + `, or write "arrival": "create")`)
		}
		if h.config.People, err = people.On(ctx, h.config.Tickets.Database()); err != nil {
			return err
		}
		h.config.Token, h.hidden = "", true
	}
	log := h.config.Log
	handler := oidc.New(*s, public, h.config.People, log)
	handler.Curbed = func(ctx context.Context, name string) { logRules(ctx, log, h.config.Tickets, name) }
	h.config.OIDC, h.config.OIDCName = handler, s.Name
	log.Info("people sign in by another server", "name", s.Name, "issuer", s.Issuer, "back to", public.JoinPath(oidc.CallbackPath).String())
	go func() { // nobody waits for it: who has a password can sign in
		if err := handler.Ready(ctx); err != nil && ctx.Err() == nil {
			log.Warn("nobody can sign in by the other server at the moment; it is asked again when somebody wants to", "name", s.Name, "why", err)
		}
	}()
	return nil
}

// logRules tells the log which rules stay of somebody who has less by the other server than before: no
// admin has done that, who would be told. The rules themselves are not for a log.
func logRules(ctx context.Context, log *slog.Logger, tickets *approval.Store, name string) {
	rules, more, err := tickets.LastRulesBy(ctx, name)
	if err != nil {
		log.Warn("nobody knows which rules stay of somebody who has less by the other server than before", "who", name, "why", err)
		return
	}
	var from []string
	for _, r := range rules {
		from = append(from, r.Ticket)
	}
	if len(from) > 0 {
		log.Warn("somebody has less by the other server than before, and rules that came with a yes of his stay in force: the histories of these calls name them, and so does `assent people rules`", "who", name, "tickets", from, "more", more)
	}
}
