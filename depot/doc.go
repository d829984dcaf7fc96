// Package depot keeps sessions where several machines find them: in the database that they
// share. A machine that works on a session takes it, on a lease that it renews; what it adds
// to the transcript is in the database before it counts. When the machine dies its lease ends,
// and another one brings the session home and goes on.
//
// A lease has a fence: a number that grows whenever somebody takes the session. Who has lost
// the lease without noticing, because his machine was asleep, cannot add anything any more.
//
// A transcript lies here in pieces, as it was written. Each is named by its own sum and
// checked against it when it is read; what the transcript says is checked by package session,
// by the chain that runs through it.
package depot
