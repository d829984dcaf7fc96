// Package proof lets a server show that it knows a token before the token is sent to it.
//
// On the loopback interface there is no TLS, and whoever takes the port while the server is down
// is asked in its place. So the client sends the name of the token and a nonce first, and the
// server answers with a code that is made of the digest of the token, which is all that a server
// keeps of it.
package proof

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// At is where a server is asked for a proof.
const At = "/api/v1/proof"

// Question is what a client wants to be shown.
type Question struct {
	// Key is the name of the token: the beginning of its digest, from which nobody can find the rest.
	Key string `json:"key"`
	// Nonce is a random value of the client: an answer of yesterday fits no other.
	Nonce string `json:"nonce"`
}

// Answer is what the server shows.
type Answer struct {
	// Salt is a random value of the server: who asks twice for the same cannot tell by the answers
	// whether there is such a token.
	Salt  string `json:"salt"`
	Proof string `json:"proof"`
}

const (
	keyBytes   = 8
	nonceBytes = 32
)

// Digest is what is kept of a token.
func Digest(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

// Ask makes a question about the token with a digest.
func Ask(digest [sha256.Size]byte) Question {
	return Question{Key: hex.EncodeToString(digest[:keyBytes]), Nonce: random()}
}

// Prefix is the beginning of the digest that a question is about; nil when the question is none.
func (q Question) Prefix() []byte {
	prefix, ok := decode(q.Key, keyBytes)
	if _, fine := decode(q.Nonce, nonceBytes); !ok || !fine {
		return nil
	}
	return prefix
}

// Prove answers a question. The host is the name by which the server was asked: a program at
// another address gains nothing by passing the question on to the server, which answers to no name
// that leads there. Without a digest the
// answer proves nothing, and looks like every other.
func (q Question) Prove(digest []byte, host string) Answer {
	if len(digest) != sha256.Size {
		digest = make([]byte, sha256.Size)
		_, _ = rand.Read(digest) // it never fails
	}
	a := Answer{Salt: random()}
	a.Proof = q.code(digest, host, a.Salt)
	return a
}

// Proves: the answer comes from somebody who knows the digest.
func (a Answer) Proves(q Question, digest [sha256.Size]byte, host string) bool {
	return hmac.Equal([]byte(a.Proof), []byte(q.code(digest[:], host, a.Salt)))
}

func (q Question) code(digest []byte, host, salt string) string {
	mac := hmac.New(sha256.New, digest)
	mac.Write([]byte(strings.Join([]string{"assent proof 1", strings.ToLower(host), q.Nonce, salt}, "\n")))
	return hex.EncodeToString(mac.Sum(nil))
}

func random() string {
	data := make([]byte, nonceBytes)
	_, _ = rand.Read(data) // it never fails
	return hex.EncodeToString(data)
}

// decode reads a value of a certain length, in the one spelling that it has.
func decode(text string, size int) ([]byte, bool) {
	if len(text) != 2*size || text != strings.ToLower(text) {
		return nil, false
	}
	data, err := hex.DecodeString(text)
	return data, err == nil
}
