//go:build !linux && !darwin

package process

// awaitExit waits for the main process. Systems without a portable way to look at a
// process without freeing its number kill the rest of its group right after.
func awaitExit(g *Group) { g.wait() }
