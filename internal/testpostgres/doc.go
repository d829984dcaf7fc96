// Package testpostgres starts a real PostgreSQL for tests, and stops it again: one of their
// own, in a directory of its own, that listens on no network.
package testpostgres
