package proof

import (
	"os"
	"strings"
	"testing"
)

// Only who knows the token answers, and an answer is for one question at one address.
func TestA1_AProof(t *testing.T) {
	digest, other := Digest("the token"), Digest("another token")
	const host = "127.0.0.1:8722"
	q := Ask(digest)
	if !q.Prove(digest[:], host).Proves(q, digest, "127.0.0.1:8722") {
		t.Error("the server cannot prove itself")
	}
	swapped := q.Prove(digest[:], host)
	swapped.Salt = random()
	for name, a := range map[string]Answer{
		"the digest of another token": q.Prove(other[:], host),
		"no digest":                   q.Prove(nil, host),
		"what the question says":      q.Prove(q.Prefix(), host),
		"another question":            Ask(digest).Prove(digest[:], host),
		"another address":             q.Prove(digest[:], "127.0.0.1:8723"),
		"another salt":                swapped,
		"nothing":                     {},
	} {
		if a.Proves(q, digest, host) {
			t.Errorf("%s is a proof", name)
		}
	}
	if first, second := q.Prove(digest[:], host), q.Prove(digest[:], host); first == second {
		t.Error("answers can be compared, so they tell whether there is a token")
	}
}

func TestA1_WhatIsNoQuestion(t *testing.T) {
	good := Ask(Digest("the token"))
	if len(good.Prefix()) != keyBytes {
		t.Error(good)
	}
	for _, q := range []Question{
		{},
		{Key: good.Key},
		{Nonce: good.Nonce},
		{Key: good.Key + "00", Nonce: good.Nonce},
		{Key: good.Key, Nonce: good.Nonce[2:]},
		{Key: strings.Repeat("A", 16), Nonce: good.Nonce},
		{Key: strings.Repeat("x", 16), Nonce: good.Nonce},
		{Key: good.Key, Nonce: strings.Repeat("\n", 64)},
	} {
		if q.Prefix() != nil {
			t.Errorf("%+v", q)
		}
	}
}

// The example of docs/api.md, for programs in other languages.
func TestDocumentation_TheProof(t *testing.T) {
	digest := Digest("foo")
	q := Question{Key: Ask(digest).Key, Nonce: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}
	a := Answer{Salt: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"}
	a.Proof = q.code(digest[:], "127.0.0.1:8722", a.Salt)
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{q.Key, q.Nonce, a.Salt, a.Proof} {
		if !strings.Contains(string(page), `"`+value+`"`) {
			t.Errorf("the page does not have %s", value)
		}
	}
}
