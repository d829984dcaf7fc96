package hookcmd

// DatabaseVariable names the database that several machines share. It has a password in it.
const DatabaseVariable = "ASSENT_DATABASE"

// HeldFlag makes `assent hook` hold one call for the small program of the guard, in the
// state directory that follows, or in the database that [DatabaseVariable] names.
const HeldFlag = "--held"

// HandedFlag makes `assent hook` look whether the answer to a call was handed over. The state
// directory, the ticket and the moment follow since which, in microseconds; the call comes as
// with [HeldFlag].
const HandedFlag = "--handed"
