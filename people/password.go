package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
)

// How long a password is: in characters at least, in bytes at most.
const (
	shortestPassword = 12
	longestPassword  = 1000
)

// CheckPassword refuses what cannot be somebody's password. The error is a [*BadValue].
func CheckPassword(name, password string) error {
	bad := func(why string) error {
		return &BadValue{Subject: "password", Why: why, Hint: "choose one of at least 12 characters that is not the name; several words are easy to remember"}
	}
	switch {
	case len(password) > longestPassword:
		return bad("it is longer than 1,000 bytes")
	case utf8.RuneCountInString(password) < shortestPassword:
		return bad("it is too short")
	case strings.EqualFold(password, name):
		return bad("it is the name")
	}
	return nil
}

// cost is what it takes to try a password.
type cost struct {
	memory  uint32 // in KiB
	time    uint32
	threads uint8
}

// hasher makes and compares the hashes of passwords.
type hasher struct {
	cost   cost
	derive func(password, salt []byte, c cost) []byte
}

var usual = hasher{cost{memory: 19 << 10, time: 2, threads: 1}, argon2id}

const keyLength, saltLength = 32, 16

func argon2id(password, salt []byte, c cost) []byte {
	return argon2.IDKey(password, salt, c.time, c.memory, c.threads, keyLength)
}

// hashing is taken while a password is hashed: each takes much memory, so that many who sign
// in at the same time must not take all there is.
var hashing = make(chan struct{}, 2)

func (h hasher) run(ctx context.Context, password string, salt []byte, c cost) ([]byte, error) {
	select {
	case hashing <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-hashing }()
	return h.derive([]byte(password), salt, c), nil
}

// hash is what is kept of a password.
func (h hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltLength)
	_, _ = rand.Read(salt) // it never fails
	key, err := h.run(ctx, password, salt, h.cost)
	return encoded(h.cost, salt, key), err
}

// match is what a password is to a hash.
type match uint8

const (
	differs match = iota
	matches
	// outdated: it matches, and the hash was made at another cost than hashes are today.
	outdated
)

// compare compares a password with what is kept of one. What is no hash at all takes as long
// as one that differs: whoever waits must not learn who has a password.
func (h hasher) compare(ctx context.Context, kept, password string) (match, error) {
	if len(password) > longestPassword {
		kept, password = "", ""
	}
	c, salt, want, err := decoded(kept)
	if err != nil {
		c, salt, want = h.cost, make([]byte, saltLength), nil
	}
	key, err := h.run(ctx, password, salt, c)
	switch {
	case err != nil:
		return differs, err
	case want == nil || subtle.ConstantTimeCompare(key, want) != 1:
		return differs, nil
	case c != h.cost:
		return outdated, nil
	}
	return matches, nil
}

var base = base64.RawStdEncoding.Strict()

// form is that of the Password Hashing Competition.
const form = "$argon2id$v=%d$m=%d,t=%d,p=%d$"

func encoded(c cost, salt, key []byte) string {
	return fmt.Sprintf(form, argon2.Version, c.memory, c.time, c.threads) + base.EncodeToString(salt) + "$" + base.EncodeToString(key)
}

// decoded reads what encoded writes, and nothing else. A cost that would stop the server is
// none that it has written.
func decoded(kept string) (c cost, salt, key []byte, err error) {
	const mostMemory, mostTime = 256 << 10, 16
	var version int
	if _, err := fmt.Sscanf(kept, form, &version, &c.memory, &c.time, &c.threads); err != nil {
		return cost{}, nil, nil, errors.New("it is no hash of a password")
	}
	parts := strings.Split(kept, "$")
	if len(parts) != 6 {
		return cost{}, nil, nil, errors.New("it has not the parts of a hash")
	}
	salt, badSalt := base.DecodeString(parts[4])
	key, badKey := base.DecodeString(parts[5])
	switch {
	case badSalt != nil || badKey != nil || len(key) != keyLength || encoded(c, salt, key) != kept:
		err = errors.New("it is not written as a hash is")
	case version != argon2.Version || c.memory == 0 || c.memory > mostMemory || c.time == 0 || c.time > mostTime || c.threads == 0:
		err = errors.New("it was made at a cost that is never used")
	}
	return c, salt, key, err
}
