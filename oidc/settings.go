package oidc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/assent-dev/assent/internal/secret"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/people"
)

// Settings are what is known about the other server.
type Settings struct {
	// Issuer is its address, exactly as it writes it itself.
	Issuer string
	// ClientID is how it knows this server. Secret is what this server proves that with; nil
	// where none is needed.
	ClientID string
	Secret   *secret.Place
	// Name is how people call it.
	Name string
	// Scopes are what it is asked for.
	Scopes []string
	// NameClaim is what becomes the name of somebody who comes first.
	NameClaim string
	// GroupsClaim has the groups of somebody, Roles what they may here. Of several the highest
	// counts. Default is for those who are in none of them; [people.NoRole] lets them stay out.
	GroupsClaim string
	Roles       map[string]people.Role
	Default     people.Role
	// Arrival is what happens to those who come first.
	Arrival people.Arrival
}

// written is how settings are written.
type written struct {
	Issuer      string            `json:"issuer"`
	ClientID    string            `json:"clientId"`
	Secret      *secret.Place     `json:"secret"`
	Name        string            `json:"name"`
	Scopes      []string          `json:"scopes"`
	NameClaim   string            `json:"nameClaim"`
	GroupsClaim string            `json:"groupsClaim"`
	Roles       map[string]string `json:"roles"`
	Default     string            `json:"default"`
	Arrival     string            `json:"arrival"`
}

// Parse reads settings. All that is wrong with them is in the error.
func Parse(text []byte) (Settings, error) {
	w := written{NameClaim: "preferred_username", GroupsClaim: "groups", Scopes: []string{"profile", "email"}, Default: people.NoRole.String(), Arrival: "known"}
	if err := strictjson.UnmarshalKnown(text, &w); err != nil {
		if fault, ok := errors.AsType[*strictjson.Error](err); ok && strings.HasPrefix(fault.Pointer, "/secret") { // which may be the secret itself
			err = fmt.Errorf(`line %d: write where the secret is, never the secret: {"env": "NAME"} or {"file": "PATH"}`, fault.Line)
		}
		return Settings{}, err
	}
	s := Settings{
		Issuer: w.Issuer, ClientID: w.ClientID, Secret: w.Secret, Name: w.Name, Scopes: w.Scopes,
		NameClaim: w.NameClaim, GroupsClaim: w.GroupsClaim, Roles: map[string]people.Role{},
	}
	wrong := []error{people.CheckIssuer(s.Issuer), s.checkTexts()}
	if s.Secret != nil {
		wrong = append(wrong, about("secret", s.Secret.Check()))
	}
	for _, scope := range s.Scopes {
		if scope == "" || strings.ContainsFunc(scope, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }) {
			wrong = append(wrong, fmt.Errorf("scopes: %q is none", scope))
		}
	}
	if !slices.Contains(s.Scopes, "openid") {
		s.Scopes = append([]string{"openid"}, s.Scopes...)
	}
	for group, role := range w.Roles {
		var err error
		s.Roles[group], err = people.ParseRole(role)
		wrong = append(wrong, about(fmt.Sprintf("roles: %q", group), err))
	}
	wrong = append(wrong, s.setDefault(w.Default), s.setArrival(w.Arrival))
	return s, errors.Join(wrong...)
}

func about(key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", key, err)
}

func (s *Settings) setDefault(role string) (err error) {
	if role != people.NoRole.String() {
		s.Default, err = people.ParseRole(role)
		return about("default", err)
	}
	if len(s.Roles) == 0 {
		return errors.New(`nobody would be let in: give a role to a group, {"roles": {"GROUP": "approver"}}, or to everybody, {"default": "viewer"}`)
	}
	return nil
}

func (s *Settings) setArrival(arrival string) error {
	switch arrival {
	case "known":
		s.Arrival = people.OnlyKnown
	case "create":
		s.Arrival = people.Create
	default:
		return fmt.Errorf(`arrival: %q is none: write "known", for those whom an admin has linked, or "create"`, arrival)
	}
	return nil
}

// checkTexts refuses what is missing, and what people could not read.
func (s *Settings) checkTexts() error {
	const most = 255
	var wrong []error
	for _, c := range []struct{ key, text, hint string }{
		{"clientId", s.ClientID, "how the other server knows this one"},
		{"name", s.Name, "what stands on the button: Sign in with NAME"},
		{"nameClaim", s.NameClaim, "the claim that becomes somebody's name"},
		{"groupsClaim", s.GroupsClaim, "the claim with somebody's groups"},
	} {
		if c.text == "" || len(c.text) > most || strings.ContainsFunc(c.text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			wrong = append(wrong, fmt.Errorf("%s: write one line: %s", c.key, c.hint))
		}
	}
	return errors.Join(wrong...)
}
