package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// entry is a file of an archive.
type entry struct {
	name string // inside, with slashes
	file string
	mode fs.FileMode
}

// contents lists what goes into an archive, in a fixed order.
func (r release) contents(t target, dir string) ([]entry, error) {
	var all []entry
	for _, name := range programs {
		all = append(all, entry{t.program(name), filepath.Join(dir, t.program(name)), 0o755})
	}
	for _, name := range texts {
		all = append(all, entry{name, filepath.Join(dir, name), 0o644})
	}
	all = append(all, entry{"THIRD_PARTY_LICENSES", filepath.Join(dir, "THIRD_PARTY_LICENSES"), 0o644})
	shared := len(all)
	err := filepath.WalkDir(r.share, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		inside, err := filepath.Rel(r.share, file)
		all = append(all, entry{filepath.ToSlash(inside), file, 0o644})
		return err
	})
	if err != nil || len(all) == shared {
		return nil, errors.Join(fmt.Errorf("%s has neither man pages nor completions: run make man first", r.share), err)
	}
	return all, nil
}

func archiveSuffix(t target) string {
	if t.os == "windows" {
		return ".zip"
	}
	return ".tar.gz"
}

// writeArchive puts the entries into a directory top of the archive.
func (r release) writeArchive(file, top string, entries []entry) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if strings.HasSuffix(file, ".zip") {
		return r.writeZip(f, top, entries)
	}
	return r.writeTar(f, top, entries)
}

func (r release) writeTar(w io.Writer, top string, entries []entry) error {
	zipped, err := gzip.NewWriterLevel(w, r.level)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	for _, e := range entries {
		data, err := os.ReadFile(e.file)
		if err != nil {
			return err
		}
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: path.Join(top, e.name), Mode: int64(e.mode), Size: int64(len(data)), ModTime: r.time, Format: tar.FormatUSTAR,
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(data); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), zipped.Close())
}

func (r release) writeZip(w io.Writer, top string, entries []entry) error {
	archive := zip.NewWriter(w)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, r.level) })
	for _, e := range entries {
		data, err := os.ReadFile(e.file)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: path.Join(top, e.name), Method: zip.Deflate, Modified: r.time}
		header.SetMode(e.mode)
		inside, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := inside.Write(data); err != nil {
			return err
		}
	}
	return archive.Close()
}
