package hookcmd

// HeldFlag makes `assent hook` hold one call for the small program of the guard, in the
// state directory that follows.
const HeldFlag = "--held"
