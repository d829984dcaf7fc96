package mcp

//lint:file-ignore SA1019 Roots are on their way out of the protocol; servers of today ask for them.

import (
	"net/url"
	"path/filepath"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// offerRoots tells servers that they may ask for the working directories.
func offerRoots(c *sdk.ClientCapabilities) { c.RootsV2 = &sdk.RootCapabilities{} }

// roots is the answer to that question.
func roots(directories []string) sdk.Result {
	all := []*sdk.Root{}
	for _, dir := range directories {
		path := filepath.ToSlash(dir)
		if !strings.HasPrefix(path, "/") {
			path = "/" + path // a drive
		}
		all = append(all, &sdk.Root{URI: (&url.URL{Scheme: "file", Path: path}).String(), Name: filepath.Base(dir)})
	}
	return &sdk.ListRootsResult{Roots: all}
}
