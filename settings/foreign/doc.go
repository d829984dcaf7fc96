// Package foreign edits the configuration files of other agents: it adds the guard
// to their hooks and takes it out again.
//
// Start with [Wiring], which says what would change, look at the changes with
// [Change.Diff], then call [Plan.Apply]. [Undoing] is the way back.
//
// The promise: everything else in a file stays as it is, byte for byte: comments,
// order, indentation, line ends, other hooks. Adding twice changes nothing. Undoing
// restores the very bytes when nobody else has changed the file meanwhile, and takes
// out exactly what was added when somebody has. To know which of the two it is, what
// was added is noted in the state directory; the files themselves are not copied.
//
// A file that cannot be read completely is refused with its place and never written.
package foreign
