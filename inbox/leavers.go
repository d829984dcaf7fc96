package inbox

import (
	"context"
	"errors"
	"time"

	"github.com/assent-dev/assent/people"
)

// lookForEnded is how often the server looks who follows and is signed in no more. It is what
// keeps the promise that nobody sees anything 5 seconds after his sign-in has ended, wherever
// that was ended.
const lookForEnded = 2 * time.Second

// watchSignIns sends away who follows and is signed in no more, until the context ends.
func (s *Server) watchSignIns(ctx context.Context) error {
	if s.People == nil {
		return nil
	}
	for ; ctx.Err() == nil; pause(ctx, lookForEnded) {
		s.sendAwayEnded(ctx)
	}
	return nil
}

// sendAwayEnded sends away who follows and is signed in no more. As long as nobody can say
// whether somebody is, he stays: then nobody can write anything either, and all are sent away.
func (s *Server) sendAwayEnded(ctx context.Context) {
	for _, token := range s.events.tokens() {
		_, _, err := s.People.Who(ctx, token)
		_, ended := errors.AsType[*people.NotSignedIn](err)
		_, damaged := errors.AsType[*people.Damaged](err)
		if ended || damaged {
			s.events.sendAwayBy(token)
		}
	}
}

// tokens are those with which people follow, each once.
func (b *broker) tokens() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := map[string]bool{}
	var all []string
	for f := range b.followers {
		if f.token != "" && !seen[f.token] {
			seen[f.token] = true
			all = append(all, f.token)
		}
	}
	return all
}

// sendAwayBy sends away who follows with a token.
func (b *broker) sendAwayBy(token string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for f := range b.followers {
		if f.token == token && token != "" {
			b.remove(f)
		}
	}
}
