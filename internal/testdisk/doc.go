// Package testdisk gives a test a small disk of its own, which it may fill or make
// read-only. Only Linux lets a test have one.
package testdisk
