package main

import "io/fs"

// ownedByThisUser: nobody looks into that on this system.
func ownedByThisUser(fs.FileInfo) bool { return true }
