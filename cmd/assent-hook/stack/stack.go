// Package stack makes room on the stack of the main goroutine before anything else runs. It
// is imported for that alone.
//
// A stack starts small and is copied to one of twice the size each time it is full. The
// deeper that happens, the more frames have to be looked up for it: in a process that lives
// for two milliseconds this takes one part in twenty. Go initialises packages that import
// nothing first, in the order of their paths, so this one comes before those with work to do.
package stack

func init() { grow(0) }

// grow needs a frame of the size that the program needs for all its calls, which is what
// counts. What is in the frame is never touched.
//
//go:noinline
func grow(n int) byte {
	if n >= 0 {
		return 0
	}
	var room [16 << 10]byte
	for i := range room {
		room[i] = byte(n + i)
	}
	return room[-n%len(room)]
}
