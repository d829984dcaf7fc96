package desk

import "github.com/assent-dev/assent/approval"

// Over is the desk of a state directory whose tickets the process has open already. They
// stay open: whoever opened them closes them, and not the desk.
func Over(dir string, store *approval.Store) *Desk {
	return &Desk{dir: dir, store: store, lent: true}
}
