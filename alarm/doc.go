// Package alarm rings when something is to be looked at: at once, or at a time. A bell is kept
// with the tickets, in the same transaction that makes it necessary, and survives every process.
//
// A bell is an alarm clock and never the truth. It says which ticket to look at; whoever hears
// it reads that ticket. So one that rings twice does no harm, and may happen: after a crash, or
// when hearing it took longer than [Patience]. One that rings too early does no harm either.
//
// River does the work, on SQLite as on PostgreSQL. What it does too slowly for us, because only
// the process that it has elected does it, every process here does for itself: see watch.go.
package alarm
