package database

// writable: the database says itself when it cannot be written, and locks are not given up
// there by closing a file.
func writable(string) error { return nil }
