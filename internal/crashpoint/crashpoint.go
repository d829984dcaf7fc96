// Package crashpoint names the moments at which a process could die with most harm, so
// that tests can let it die there.
package crashpoint

import "sync/atomic"

var reached atomic.Pointer[func(name string)]

// Here says that the moment has come. Outside of tests nobody listens.
func Here(name string) {
	if f := reached.Load(); f != nil {
		(*f)(name)
	}
}

// Set is for tests: f is called at every moment that comes.
func Set(f func(name string)) { reached.Store(&f) }

// Ends are the moments at which a parked call ends in another way than by running: it was
// refused or left out, or a person has found out what became of it, and only one of the
// two knows yet, the session or its ticket.
func Ends() []string { return []string{"resume: refused", "resume: cancelled", "resolve: found"} }

// Releases are the moments at which a parked call is given back that was claimed and has done
// nothing, because somebody has ended the work.
func Releases() []string {
	return []string{"release: wanted", "release: recorded", "release: ticket"}
}

// Names are the moments in the life of a parked call, in their order.
func Names() []string {
	return []string{
		"park: wanted", "park: recorded", "park: ticket",
		"resume: answered", "resume: claimed", "resume: begun", "resume: ran", "resume: settled", "resume: ticket", "resume: told",
	}
}
