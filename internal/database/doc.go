// Package database keeps tables where nothing acknowledged is lost: in a file with SQLite,
// which needs nothing to be installed, or in PostgreSQL, which many machines share. There is
// one way for both: the same texts, with $1 for their arguments, run on either.
//
// Whoever has tables declares them as [Tables]; they are made and brought forward when they
// are first wanted. A change is one call of [DB.Within]: all of it or nothing. What a
// transaction reads in order to change it is read with [Tx.ToChange], so that nobody else
// changes it meanwhile; SQLite has one writer at a time anyway.
package database
