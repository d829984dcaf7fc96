package oidc

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	coreos "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people"
)

// claims are what the other server says about somebody.
type claims map[string]strictjson.Raw

// text is a claim that is a text; empty when it is none.
func (c claims) text(name string) (text string) {
	if raw, ok := c[name]; ok && raw.Decode(&text) != nil {
		return ""
	}
	return text
}

// texts is a claim that is a list of texts, or one.
func (c claims) texts(name string) (all []string) {
	raw, ok := c[name]
	if !ok || raw.Decode(&all) == nil {
		return all
	}
	if one := c.text(name); one != "" {
		return []string{one}
	}
	return nil
}

// holds: the claim is true. Some servers write that as a text.
func (c claims) holds(name string) bool {
	var yes bool
	if raw, ok := c[name]; ok && raw.Decode(&yes) == nil {
		return yes
	}
	return c.text(name) == "true"
}

// identity is who somebody is here.
func (s Settings) identity(c claims, from string) people.Identity {
	return people.Identity{
		Issuer: s.Issuer, Subject: c.text("sub"),
		Name: inSmallLetters(c.text(s.NameClaim)), Shown: c.text("name"),
		Email: c.text("email"), EmailVerified: c.holds("email_verified"),
		Role: s.roleOf(c.texts(s.GroupsClaim)), From: from,
	}
}

// inSmallLetters is a name in the letters that names have here. Only those from A to Z become small:
// there are others of which the small one is that of another letter, as k of the sign of Kelvin, by
// which somebody would get the name of somebody else. They stay, and such a name is refused.
func inSmallLetters(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, name)
}

// roleOf is the highest role of the groups.
func (s Settings) roleOf(groups []string) people.Role {
	role := s.Default
	for _, group := range groups {
		role = max(role, s.Roles[group])
	}
	return role
}

// redeem asks the other server who somebody is who has brought a code from there.
func (h *Handler) redeem(ctx context.Context, d *description, f flow, code string) (claims, error) {
	ctx = h.server.dial(ctx)
	config, err := h.client(d)
	if err != nil {
		return nil, &failure{broken, err}
	}
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(f.verifier()))
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		return nil, refusedCode(refused)
	}
	if err != nil {
		return nil, &failure{unreachable, errors.New(clipped(err.Error()))}
	}
	text, _ := token.Extra("id_token").(string)
	if text == "" {
		return nil, &failure{unconfirmed, errors.New("it says nothing about who it is: there is no ID token")}
	}
	id, err := d.verifier.Verify(ctx, text)
	if err != nil {
		return nil, &failure{unconfirmed, errors.New(clipped(err.Error()))}
	}
	said, err := h.read(id, f, token.AccessToken)
	if err != nil {
		return nil, &failure{unconfirmed, err}
	}
	if err := h.askMore(ctx, d, said, token); err != nil {
		return nil, err
	}
	return said, nil
}

// refusedCode is what the log is told of an answer that was no token. Whoever has given it may
// repeat what was asked, with the code and the secret in it, so nothing of it is told but the status
// and one of the words that there are for this.
func refusedCode(refused *oauth2.RetrieveError) error {
	status := refused.Response.Status
	if refused.Response.StatusCode >= http.StatusInternalServerError {
		return &failure{unreachable, fmt.Errorf("it does not answer to the code: %s", status)}
	}
	word := "without a reason"
	if slices.Contains(refusals, refused.ErrorCode) {
		word = refused.ErrorCode
	}
	return &failure{unconfirmed, fmt.Errorf("it does not take the code: %s, %s", status, word)}
}

// refusals are the words with which a server refuses a code (RFC 6749, 5.2).
var refusals = []string{"invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope"}

// read reads an ID token that the other server has signed for us. What remains to be seen is
// that it is the answer to this question, and that it was made for nobody else.
func (h *Handler) read(id *coreos.IDToken, f flow, access string) (claims, error) {
	said, err := strictClaims(id)
	switch {
	case err != nil:
		return nil, fmt.Errorf("its ID token: %w", err)
	case !hmac.Equal([]byte(said.text("nonce")), []byte(f.nonce())):
		return nil, errors.New("its ID token is for another sign-in: the nonce is not the one that was sent")
	case said.text("sub") == "":
		return nil, errors.New("its ID token says nothing about who it is: there is no subject")
	}
	if by, named := said["azp"]; named && said.text("azp") != h.settings.ClientID || !named && len(id.Audience) > 1 {
		return nil, fmt.Errorf("its ID token was made for another client (azp %s)", clipped(by.String()))
	}
	if id.AccessTokenHash != "" {
		if err := id.VerifyAccessToken(access); err != nil {
			return nil, errors.New("its ID token belongs to another access token")
		}
	}
	return said, nil
}

// decisive are the claims by which it is judged whether others count.
var decisive = []string{"iss", "sub", "aud", "exp", "nbf", "iat", "nonce", "azp", "at_hash"}

// strictClaims reads claims in the one way in which they can be understood. Whoever has looked
// at them before takes "SUB" for "sub".
func strictClaims(of interface{ Claims(any) error }) (said claims, err error) {
	var raw strictjson.Raw
	if err := of.Claims(&raw); err != nil {
		return nil, err
	}
	if err := raw.Decode(&said); err != nil {
		return nil, err
	}
	for name := range said {
		for _, other := range decisive {
			if name != other && strings.EqualFold(name, other) {
				return nil, fmt.Errorf("the claim %q could be taken for %q", clipped(name), other)
			}
		}
	}
	return said, nil
}

// askMore asks for what the ID token does not say: many servers tell names and groups only to
// whoever asks. What is signed is not replaced.
func (h *Handler) askMore(ctx context.Context, d *description, said claims, token *oauth2.Token) error {
	_, named := said[h.settings.NameClaim]
	_, grouped := said[h.settings.GroupsClaim]
	if !d.tells || named && grouped {
		return nil
	}
	info, err := d.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return &failure{unreachable, fmt.Errorf("it does not say more about somebody: %s", clipped(err.Error()))}
	}
	more, err := strictClaims(info)
	if err != nil {
		return &failure{unconfirmed, fmt.Errorf("what it says about somebody: %w", err)}
	}
	if more.text("sub") != said.text("sub") {
		return &failure{unconfirmed, errors.New("it was asked for one person, and has told of another")}
	}
	signed := maps.Clone(said)
	maps.Copy(said, more)
	maps.Copy(said, signed)
	return nil
}
