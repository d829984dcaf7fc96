package builtin

import "os"

// target is what a look at a link is about.
type target uint8

const (
	linkItself target = iota
	linkTarget
)

func existsAt(dir *os.File, name string) bool {
	_, err := statAt(dir, name, linkItself)
	return err == nil
}
