package guard_test

import "os"

// makePipe makes something that is no file either: Windows has no such pipes.
func makePipe(path string) error { return os.Mkdir(path, 0o755) }
