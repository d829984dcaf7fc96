// Package link makes the links that notifications carry: each leads one target to one call, and
// is good for one answer.
//
// A link is no right to answer. Whoever opens it has to be let in like everybody else; it says
// which call was meant, and what that call was when the message was sent. Programs that look at
// links before people do (mail filters, previews of chats) open them as well, so opening uses
// nothing up: [Links.Open] only reads. [Links.Use] is for the answer.
//
// The text has a random number and a signature over everything that the link is about, by a key
// that is made once and kept with the tickets.
package link
