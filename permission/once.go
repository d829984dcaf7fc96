package permission

import "sync/atomic"

// ResolveOnce is a ticket that only one of several participants can take. The
// zero value is ready.
type ResolveOnce struct{ claimed atomic.Bool }

// Claim reports whether the caller is the first, and so the one who decides.
func (o *ResolveOnce) Claim() bool { return o.claimed.CompareAndSwap(false, true) }

// Claimed reports whether somebody has claimed it.
func (o *ResolveOnce) Claimed() bool { return o.claimed.Load() }
