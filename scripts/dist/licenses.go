package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// licenses is the text of the licences of everything that is linked: most of them ask
// for it. A module without one is an error, before anybody is given a copy of it.
func (r release) licenses(t target) ([]byte, error) {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
	args := []string{"list", "-deps", "-f", format}
	for _, name := range programs {
		args = append(args, "./cmd/"+name)
	}
	out, err := r.goCommand(t, args...)
	if err != nil {
		return nil, err
	}
	root, err := r.goCommand(t, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(modules)
	modules = append(slices.Compact(modules), "The Go standard library\t"+strings.TrimSpace(string(root)))
	var text bytes.Buffer
	for _, m := range modules {
		name, dir, _ := strings.Cut(m, "\t")
		if name == "" {
			continue
		}
		if err := appendLicenses(&text, name, dir); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

func appendLicenses(text *bytes.Buffer, name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		if e.IsDir() || !isLicense(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(text, "==== %s: %s\n\n%s\n\n", name, e.Name(), bytes.TrimSpace(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))))
		found = true
	}
	if !found {
		return fmt.Errorf("%s has no file with a licence: a release must carry it", name)
	}
	return nil
}

func isLicense(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, func(word string) bool { return strings.HasPrefix(name, word) })
}
