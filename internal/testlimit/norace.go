//go:build !race

package testlimit

// slower is 1: nothing takes longer than in a release.
const slower = 1
