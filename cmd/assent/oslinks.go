package main

import "github.com/assent-dev/assent/settings/oslinks"

// osLinks reads the links of the real file system.
type osLinks = oslinks.Links
