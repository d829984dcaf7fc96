package socket

// Patience is what is known of the guard that holds a call.
type Patience uint8

const (
	// NotKnown: no guard has waited for the answer here. It may wait elsewhere, or have given
	// up before this process began.
	NotKnown Patience = iota
	// Waiting: it gets the answer as soon as there is one.
	Waiting
	// GivenUp: it has waited here and does not any more. It gets the answer when its agent
	// tries the call again.
	GivenUp
)

// Patience is whether a guard waits for the answer to a ticket.
func (k *Keeper) Patience(ticket string) Patience {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiters[ticket]) > 0 {
		return Waiting
	}
	if _, left := k.left[ticket]; left {
		return GivenUp
	}
	return NotKnown
}

// Telling lets somebody know when a guard stops to wait, or waits again, with the name of
// its session. It must be called before the keeper is used.
func (k *Keeper) Telling(moved func(session string)) *Keeper {
	k.moved = moved
	return k
}

func (k *Keeper) tellMoved(session string) {
	if k.moved != nil {
		k.moved(session)
	}
}

// noteLeft remembers that nobody waits for a ticket any more. Whoever calls it has locked the
// keeper. If there are too many they are forgotten, and then it is not known.
func (k *Keeper) noteLeft(ticket string) {
	const most = 10_000
	if len(k.left) >= most {
		clear(k.left)
	}
	k.left[ticket] = struct{}{}
}
