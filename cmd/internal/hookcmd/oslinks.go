package hookcmd

import "github.com/assent-dev/assent/cmd/internal/oslinks"

// osLinks reads the links of the real file system.
type osLinks = oslinks.Links
