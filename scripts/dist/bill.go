package main

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/assent-dev/assent/internal/strictjson"
)

// A bill of materials in the form of CycloneDX 1.6, as far as it is used here: which
// programs, made of which modules. It is read from the programs themselves.
type billOfMaterials struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type    string      `json:"type"`
	Ref     string      `json:"bom-ref,omitzero"`
	Name    string      `json:"name"`
	Version string      `json:"version,omitzero"`
	Scope   string      `json:"scope,omitzero"`
	Hashes  []hash      `json:"hashes,omitzero"`
	URL     string      `json:"purl,omitzero"`
	Parts   []component `json:"components,omitzero"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

// bill describes the programs in dir.
func (r release) bill(t target, dir string) ([]byte, error) {
	release := component{Type: "application", Name: "assent", Version: r.version}
	modules := map[string]component{}
	for _, name := range programs {
		file := filepath.Join(dir, t.program(name))
		info, err := buildinfo.ReadFile(file)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		release.Ref = packageURL(info.Main.Path, r.version)
		release.URL = release.Ref
		sum := hash{"SHA-256", fmt.Sprintf("%x", sha256.Sum256(data))}
		release.Parts = append(release.Parts, component{Type: "file", Name: t.program(name), Hashes: []hash{sum}})
		std := library("std", strings.TrimPrefix(info.GoVersion, "go"))
		modules[std.Ref] = std
		for _, dep := range info.Deps {
			linked := module(dep)
			modules[linked.Ref] = linked
		}
	}
	bill := billOfMaterials{
		Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: metadata{r.time.Format(time.RFC3339), release},
	}
	for _, m := range modules {
		bill.Components = append(bill.Components, m)
	}
	slices.SortFunc(bill.Components, func(a, b component) int { return cmp.Compare(a.Ref, b.Ref) })
	text, err := strictjson.MarshalIndent(bill)
	return append(text, '\n'), err
}

// module is what was really linked: a replacement in place of what was asked for.
func module(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	return library(m.Path, m.Version)
}

func library(path, version string) component {
	url := packageURL(path, version)
	return component{Type: "library", Ref: url, Name: path, Version: version, Scope: "required", URL: url}
}

// packageURL names a module for scanners. They compare in lower case.
func packageURL(path, version string) string {
	return "pkg:golang/" + strings.ToLower(path) + "@" + strings.ReplaceAll(version, "+", "%2B")
}
