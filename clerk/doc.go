// Package clerk is the people's side of parked calls: what waits in the sessions of a state
// directory, and the answers to it. Package desk is the agent's side of the same tickets.
//
// A [Clerk] reads transcripts and tickets together, because neither alone says how a call
// stands, and makes a [Matter] of each call. [Clerk.Approve], [Clerk.Deny] and
// [Clerk.Resolve] are the only ways to answer one: whatever has to be checked is checked
// here, so that a terminal and a web page cannot differ in what they let through.
//
// Nothing here knows a flag or a button. What goes wrong is an [Error] with a [Way] out, and
// whoever serves people says it in words of their own.
package clerk
