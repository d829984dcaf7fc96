// Package audit keeps a record of every decision, chained so that a change is
// noticed.
//
// [Open] gives the [Log] of a directory, which many processes write at once.
// [Verify] reads all of it and says whether it is whole. [Read] finds records, and
// [Follow] waits for new ones.
//
// The directory holds segments, named after their first record, whose chain goes on
// from one to the next, and "head.json": the number and sum of the last record. It is
// written after the record is safe, so a crash may leave it behind the log, which the
// next append makes good; a head before the end of the log means that the end was cut
// off, and then nothing is appended any more.
//
// What it cannot see: that somebody who may write here has made the whole log and its
// head anew. Keep the head that Verify reports somewhere else.
package audit
