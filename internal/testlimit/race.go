//go:build race

package testlimit

// slower is how many times as long the race detector makes everything take.
const slower = 10
