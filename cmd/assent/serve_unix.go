//go:build unix

package main

import "io/fs"

// exposed: others than the owner may do something with a file.
func exposed(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 != 0 }
