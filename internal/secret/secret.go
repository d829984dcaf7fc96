// Package secret reads secrets from where settings say that they are. No secret stands in a
// settings file: a [Place] names a variable of the environment, or a file.
package secret

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"

	"github.com/assent-dev/assent/internal/durable"
)

// Place is where a secret is kept.
type Place struct {
	Env  string `json:"env,omitzero"`
	File string `json:"file,omitzero"`
}

// room is more than any secret needs.
const room = 16 << 10

// Check refuses a place at which no secret can be.
func (p Place) Check() error {
	switch {
	case (p.Env == "") == (p.File == ""):
		return errors.New(`a secret is {"env": "NAME"} or {"file": "PATH"}`)
	case p.File != "" && !filepath.IsAbs(p.File):
		return errors.New("the path of a secret begins at the top of the disk: nobody knows from where assent is started")
	case strings.ContainsAny(p.Env, "=\x00"):
		return errors.New("the environment has no such names")
	}
	return nil
}

// Read reads the secret. Whoever needs it reads it each time, so that a new one counts at once.
// The error never says anything of what was read.
func (p Place) Read() (string, error) {
	text, where := variable(p.Env), fmt.Sprintf("the variable %q", p.Env)
	if p.File != "" {
		where = fmt.Sprintf("the file %q", p.File)
		var err error
		if text, err = readPrivate(p.File); err != nil {
			return "", fmt.Errorf("%s holds no secret: %w", where, err)
		}
	}
	text = strings.TrimRight(text, "\r\n")
	switch {
	case text == "":
		return "", fmt.Errorf("%s is empty: put the secret there, for the process that needs it", where)
	case strings.ContainsFunc(text, unicode.IsControl):
		return "", fmt.Errorf("%s has several lines, or characters that no secret has", where)
	}
	return text, nil
}

// readPrivate reads a file that nobody else can read. The rights are those of the file that
// is open, so that nobody can exchange it in between.
func readPrivate(path string) (string, error) {
	file, err := durable.Open(path, durable.NoWait)
	if err != nil {
		return "", errors.New("it cannot be opened")
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil || !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0: // where rights are no such bits
		return "", errors.New("others can read it: chmod 600 helps")
	}
	data, err := io.ReadAll(io.LimitReader(file, room+1))
	switch {
	case err != nil:
		return "", errors.New("it cannot be read")
	case len(data) > room:
		return "", errors.New("it is too large for a secret")
	}
	return string(data), nil
}
