package builtin

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// create puts a new file at the place; one that has appeared there meanwhile stays.
func (p *place) create(ctx context.Context, content []byte) error {
	name, err := p.prepare(ctx, content, 0o666, nil)
	if err != nil {
		return p.failed(err)
	}
	if err := p.dir.publish(name, p.name); err != nil {
		_ = p.dir.remove(name)
		if errors.Is(err, fs.ErrExist) {
			err = errors.New("somebody created it at this moment; read it first")
		}
		return p.failed(err)
	}
	p.dir.sync()
	return nil
}

// replace puts new content where the old one is, in one step: whoever reads sees the
// one or the other. The new file takes the name; it is never written through the old
// one, which may have other names.
func (o *oldFile) replace(ctx context.Context, content []byte) error {
	name, err := o.prepare(ctx, content, 0o600, func(f *os.File) error {
		if err := keepOwner(f, o.state); err != nil {
			return err
		}
		return keepAccess(f, o.state, o.access)
	})
	if errors.Is(err, errSealed) {
		return o.failed(fmt.Errorf("%w, and a changed file is a new one that takes the place of the old; "+
			"make the directory writable, or change the file as it is with Bash (cat >FILE)", err))
	}
	if err != nil {
		return o.failed(err)
	}
	now, err := o.look()
	if err == nil && !now.same(o.state) {
		err = o.failed(errChanged)
	}
	if err == nil {
		if err = o.dir.rename(name, o.name); err != nil {
			err = o.failed(err)
		}
	}
	if err != nil {
		_ = o.dir.remove(name)
		return err
	}
	o.dir.sync()
	return nil
}

// errSealed: no file can be made there.
var errSealed = errors.New("its directory cannot be written (permission denied)")

// prepare writes a file beside the place, down to the disk, and returns its name.
func (p *place) prepare(ctx context.Context, content []byte, perm fs.FileMode, adorn func(*os.File) error) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	name := temporaryName()
	f, err := p.dir.create(name, perm)
	if errors.Is(err, fs.ErrPermission) {
		return "", errSealed
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if err == nil && adorn != nil {
		err = adorn(f)
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = p.dir.remove(name)
		return "", err
	}
	return name, nil
}

// temporaryName cannot be guessed, and is short enough beside any other name.
func temporaryName() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	return ".assent-" + hex.EncodeToString(random[:]) + ".tmp"
}
