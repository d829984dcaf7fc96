// Package herald sees to it that what happens to a ticket has its consequences, whichever process
// makes it happen and whichever is alive then: the session goes on, the time of the call ends,
// others are told when nobody answers, and people elsewhere hear of it.
//
// [Ring] sets one bell (package alarm) in the transaction of every change that has any: look at
// this ticket. Whoever hears it reads the ticket and its history, and finds out by itself what
// is to be done and when to look again; see plan.go. So a bell that rings twice, too early or
// after a crash does nothing wrong, and what nobody has rung a bell for is found as well.
//
// What people are told is bells again: one for each piece of news, which a server hears that
// knows whom to tell, and of this one for each target, so that one that cannot be reached keeps
// nobody else waiting.
package herald
