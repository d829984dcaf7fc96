// Package approval keeps the calls that wait for somebody's answer.
//
// A [Ticket] is one parked call. It is bound to a [Digest] of what would run: the tool,
// its input, the session and the directory. A [Store] keeps tickets in a database, and
// every change of one is a single transaction with a row of history: who, when, from
// which state to which.
//
// A yes counts when the [permission.Terms] of the ticket are met: there may have to be a reason,
// it may have to come from somebody else than whoever wanted the call, and several people may
// have to say it, each for himself. Until then each [Vote] is kept, and the call waits.
//
// The promise: a call runs at most once for one approval, and nothing that waits is
// lost. Who runs a call claims its ticket before; a claim that does not end, because its
// process died, makes the outcome unknown, and only a person can say what became of it.
package approval
