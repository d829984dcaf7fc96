package inbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assent-dev/assent/approval"
)

// maxListed is how many calls of one session are listed. A session that asks without end
// must not hide what others ask, nor make people answer without looking.
const maxListed = 100

// part is a part of the queue.
type part struct {
	rows    *rows
	tickets []approval.Ticket
	damaged approval.Damages
	crowds  []crowdView
	next    string
}

// queue is a part of what is not over, without what is too much of one session. It looks at
// so many tickets and no more, so it may be short, and go on all the same.
func (s *Server) queue(ctx context.Context, states []approval.State, after string, limit int) (part, error) {
	const most, stride = 2000, 500
	p := part{rows: newRows(), crowds: []crowdView{}}
	at, listed, err := readPlace(after)
	if err != nil {
		return p, err
	}
	crowded := map[string]bool{}
	for looked, size := 0, limit; looked < most; {
		page, err := s.Tickets.QueueKnowing(ctx, p.rows.knows, states, at, size)
		if errors.Is(err, approval.ErrCursor) {
			return p, noCursor()
		}
		if err != nil {
			return p, err
		}
		looked += size
		wanted := apart(page.Tickets, listed)
		room := limit - len(p.tickets)
		if len(wanted.listed) > room { // only what fits, so that the next part begins right after it
			size = room
			continue
		}
		p.tickets, p.damaged = append(p.tickets, wanted.listed...), append(p.damaged, page.Damaged...)
		listed = wanted.counts
		for _, session := range wanted.left {
			crowded[session] = true
		}
		if at = page.Next; at == "" || len(p.tickets) == limit {
			break
		}
		if size = limit - len(p.tickets); len(wanted.left) > 0 { // it may be a long way
			size = stride
		}
	}
	if at != "" {
		p.next = writePlace(at, listed)
	}
	p.crowds, err = s.crowds(ctx, states, crowded)
	return p, err
}

// sorted is tickets apart: those to be listed, and the sessions of those that are not.
type sorted struct {
	listed []approval.Ticket
	left   []string
	counts map[string]int
}

func apart(tickets []approval.Ticket, before map[string]int) sorted {
	all := sorted{counts: maps.Clone(before)}
	for _, t := range tickets {
		if key := short(t.Session); all.counts[key] < maxListed {
			all.counts[key]++
			all.listed = append(all.listed, t)
		} else {
			all.left = append(all.left, t.Session)
		}
	}
	return all
}

// crowds says how much of each session is not listed.
func (s *Server) crowds(ctx context.Context, states []approval.State, sessions map[string]bool) ([]crowdView, error) {
	if len(states) == 0 {
		states = slices.DeleteFunc(slices.Clone(approval.States), approval.State.Over)
	}
	all := []crowdView{}
	for _, session := range slices.Sorted(maps.Keys(sessions)) {
		n, err := s.Tickets.Number(ctx, approval.Query{Session: session, States: states, Limit: approval.Many + maxListed})
		if err != nil {
			return all, err
		}
		all = append(all, crowdView{Session: session, More: max(n-maxListed, 1)})
	}
	return all, nil
}

// A place in the list is that of the tickets, and how many of each session were listed
// before it: CURSOR~SESSION.NUMBER~…
const maxPlaces = 256

func writePlace(at approval.Cursor, listed map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(listed), func(a, b string) int { return cmp.Or(listed[b]-listed[a], strings.Compare(a, b)) })
	text := string(at)
	for _, key := range keys[:min(len(keys), maxPlaces)] {
		text += "~" + key + "." + strconv.Itoa(listed[key])
	}
	return text
}

func readPlace(text string) (at approval.Cursor, listed map[string]int, err error) {
	first, rest, some := strings.Cut(text, "~")
	listed = map[string]int{}
	if !some {
		return approval.Cursor(first), listed, nil
	}
	entries := strings.Split(rest, "~")
	if len(entries) > maxPlaces {
		return "", nil, noCursor()
	}
	for _, entry := range entries {
		key, number, _ := strings.Cut(entry, ".")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 || n > maxListed || len(key) != shortLength {
			return "", nil, noCursor()
		}
		listed[key] = n
	}
	return approval.Cursor(first), listed, nil
}

const shortLength = 12

// short is a name for a session that nobody can make another session have.
func short(session string) string {
	sum := sha256.Sum256([]byte(session))
	return base64.RawURLEncoding.EncodeToString(sum[:])[:shortLength]
}
