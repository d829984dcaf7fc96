package inbox

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed static
var pageFiles embed.FS

// pageType is the type of a file that the page consists of; empty for others, which are not
// served.
func pageType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return ""
}

// Page is the page for people, for [Config.Page]. It says nothing about calls: what it shows
// it asks the API for, with the token of whoever has opened it.
func Page() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		kind := pageType(name)
		text, err := pageFiles.ReadFile("static/" + name)
		if kind == "" || err != nil {
			http.Error(w, "there is no such page (the inbox is at /)", http.StatusNotFound)
			return
		}
		sum := sha256.Sum256(text)
		w.Header().Set("Content-Type", kind)
		// A browser asks every time whether it has changed: after an update of the server no
		// old part of the page meets a new one.
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:16])+`"`)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	})
}
