package inbox

import (
	"bytes"
	"net/http"

	"github.com/assent-dev/assent/inbox/proof"
)

// prove shows that this server knows a token, to somebody who has not sent it yet. Everybody may
// ask, and everybody gets an answer: who does not know the token learns nothing by it, not even
// whether there is such a token.
func (s *Server) prove(r *http.Request) (any, error) {
	var q proof.Question
	if err := read(r, &q); err != nil {
		return nil, err
	}
	prefix := q.Prefix()
	if prefix == nil {
		return nil, invalid("want key, the first 8 bytes of the SHA-256 of the token, and nonce, 32 random bytes, both in lower-case hexadecimal digits")
	}
	var digest []byte
	if s.People != nil {
		var err error
		if digest, err = s.People.DigestBy(r.Context(), prefix); err != nil {
			return nil, err
		}
	} else if bytes.HasPrefix(s.token[:], prefix) {
		digest = s.token[:]
	}
	return q.Prove(digest, r.Host), nil
}
