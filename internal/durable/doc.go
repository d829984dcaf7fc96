// Package durable holds what several processes need to share a file: a [Lock] that
// all of them respect, a [Replace] that nobody sees half done, and a [MakeDir] whose
// directories are still there after a crash.
//
// The promise: when a function returns without an error the change survives the
// death of the process and of the machine. Whoever reads a replaced file sees the
// old content or the new one, never a part.
package durable
