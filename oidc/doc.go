// Package oidc lets people sign in by another server that knows them, as OpenID Connect says:
// with an authorization code, PKCE, a state and a nonce.
//
// Start with [Parse], which reads the settings, and [New]. A [Handler] answers two paths. At
// /oidc/start it sends a browser to the other server, and at /oidc/callback that server sends
// it back. What the browser brings is worth nothing by itself: it has to be the browser that
// began, as a short-lived cookie says, and the other server has to confirm over a connection of
// our own who it was. Then [people.Store.Admit] says whether he is let in.
//
// Somebody is his issuer and subject, and nothing else: a name or an e-mail address never makes
// him a person who is there already. His role is what the settings make of his groups, each
// time anew.
package oidc
