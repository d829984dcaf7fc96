// Package room shares what there is a limited number of, such as connections, so that one who takes
// many keeps no other out.
//
// There is one rule, for every [Room]: a newcomer always gets a place, and where that is one too
// many, the taker who has the most places gives up the oldest of theirs.
package room

import (
	"container/list"
	"sync"
)

// Room has a number of places. It is safe for concurrent use.
type Room[T any] struct {
	most int

	mu     sync.Mutex
	taken  int
	next   uint64
	takers map[string]*list.List // of *Place[T], the oldest first
}

// Place is one that is taken. What is what it was taken for.
type Place[T any] struct {
	Who  string
	What T

	room  *Room[T]
	since uint64
	at    *list.Element // nil when it was given up
}

// New makes a room with so many places, at least one.
func New[T any](most int) *Room[T] {
	return &Room[T]{most: max(most, 1), takers: map[string]*list.List{}}
}

// Enter takes a place. Gone is the one that was given up for it, nil where there was room: the
// caller ends what it was taken for.
func (r *Room[T]) Enter(who string, what T) (mine, gone *Place[T]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	mine = &Place[T]{Who: who, What: what, room: r, since: r.next}
	if r.takers[who] == nil {
		r.takers[who] = list.New()
	}
	mine.at = r.takers[who].PushBack(mine)
	if r.taken++; r.taken <= r.most {
		return mine, nil
	}
	gone = r.excess()
	r.leave(gone)
	return mine, gone
}

// excess is the oldest place of the taker who has the most. Of several such takers the oldest
// place goes, so it is never the one that was taken just now.
func (r *Room[T]) excess() *Place[T] {
	var oldest *Place[T]
	most := 0
	for _, places := range r.takers {
		first := places.Front().Value.(*Place[T])
		if n := places.Len(); n > most || n == most && first.since < oldest.since {
			oldest, most = first, n
		}
	}
	return oldest
}

// Leave gives the place up, and reports whether it was still held.
func (p *Place[T]) Leave() bool {
	p.room.mu.Lock()
	defer p.room.mu.Unlock()
	return p.room.leave(p)
}

func (r *Room[T]) leave(p *Place[T]) bool {
	if p.at == nil {
		return false
	}
	places := r.takers[p.Who]
	places.Remove(p.at)
	if places.Len() == 0 {
		delete(r.takers, p.Who)
	}
	p.at = nil
	r.taken--
	return true
}
