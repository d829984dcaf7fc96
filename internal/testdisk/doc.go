// Package testdisk gives a test a small disk of its own, which it may fill or make
// read-only, and tells it about the locks of its process. Only Linux lets a test have these.
package testdisk
