package shell

// DeletedTrees are the accesses by which more goes than is named.
func (s *Script) DeletedTrees() []Access {
	var all []Access
	for _, a := range s.accesses {
		if s.DeletesTree(a) {
			all = append(all, a)
		}
	}
	return all
}

// DeletesTree: more goes than is named, which is a directory with everything below it (rm -r,
// find -delete), or what is in a directory and has no counterpart (rsync --delete). What is
// moved is no less there afterwards.
func (s *Script) DeletesTree(a Access) bool {
	return (a.Mode == Deletes && a.Reach == WholeTree || a.Replaces) && !s.Moves(a.Command)
}
