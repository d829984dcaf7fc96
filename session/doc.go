// Package session keeps conversations on disk, so that they survive the process.
//
// A [Store] is a directory of sessions. [Store.Create] and [Store.Resume] give a
// [Transcript], which belongs to one process at a time: append-only, every record
// chained to the one before by its hash and on disk before Append returns.
//
// The promises: an id never names a place outside the store; a record that was
// acknowledged is there after a crash, and one that was not is cut off when the
// session is opened again; a record that was changed is noticed and the session
// refused; what others than the owner can write is refused, and a file that somebody
// else has changed while it was open is not written any more. The chain has no key: it
// shows damage, and does not stop an owner from writing a new one. What was written is
// never written differently: a resumed conversation is the same bytes.
package session
