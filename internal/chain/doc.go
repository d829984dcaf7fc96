// Package chain keeps records in a file so that none of them is lost or changed
// unnoticed: the one place where transcripts and the decision log are written.
//
// A file holds one record a line:
//
//	{"n":1,"sha256":"64 hexadecimal digits","record":…}
//
// where the sum is that of the sum before it (32 bytes, zeros before the first
// record), the number (8 bytes, big-endian) and the record's exact bytes. So a line
// that was changed, removed, added or moved breaks the chain at that place. What the
// chain alone cannot see is that lines are missing at the end: keep a [Link]
// elsewhere for that.
//
// [Recover] checks a file and removes what a process that died has left of its last
// line; a [Log] writes; a [Reader] reads as a stream. A line is never repaired: all
// that does not look exactly as it was written is a [*Fault] with its place.
//
// The package does not look into records. Whoever appends one promises that it is
// JSON.
package chain
