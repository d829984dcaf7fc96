package builtin

import (
	"context"
	"errors"
	"fmt"
)

// oldFile is a file that exists and is going to be changed: the model has seen what is
// in it, and it is text.
type oldFile struct {
	*place
	state    state
	access   accessList
	content  []byte
	text     string
	encoding encoding
}

// errUnseen, errPartly and errChanged are refusals that a Read resolves.
var (
	errUnseen  = errors.New("it has not been read in this session; read it first, so that nothing is lost that you do not know of")
	errPartly  = errors.New("you have seen only a part of it, and Write replaces all of it; read the whole file (without offset and limit) first, or change a part with Edit, also when it is too large to be shown as a whole")
	errChanged = errors.New("it has changed since you read it; read it again and see what is different")
)

// openOld reads a file for a change; fs.ErrNotExist when there is none. The caller holds
// files.writing and closes the file.
func openOld(ctx context.Context, file string, files *Files) (*oldFile, error) {
	p, err := findPlace(file, mustExist)
	if err != nil {
		return nil, err
	}
	old := &oldFile{place: p}
	if err := old.read(ctx, files); err != nil {
		p.close()
		return nil, err
	}
	return old, nil
}

func (o *oldFile) read(ctx context.Context, files *Files) error {
	f, state, err := o.open()
	if err != nil {
		return err
	}
	defer f.Close()
	defer limitWait(ctx, f)()
	o.state = state
	if o.access, err = accessOf(f); err != nil {
		return o.failed(err)
	}
	if state.size > maxLoad {
		return fmt.Errorf("%s: it has %d bytes, more than can be changed here (%d); change it with Bash (sed -i)", o.shown(), state.size, maxLoad)
	}
	if o.content, err = load(&contextReader{ctx, f}, maxLoad); err != nil {
		return o.failed(waited(err))
	}
	if o.text, o.encoding, err = decode(o.content); err != nil {
		return o.failed(err)
	}
	switch files.Check(o.path, Digest(o.content)) {
	case Unseen:
		return o.failed(errUnseen)
	case Changed:
		return o.failed(errChanged)
	case Current:
	}
	if state.mode&0o222 == 0 {
		return fmt.Errorf("%s: it is read-only (mode %04o); if it is meant to be changed, make it writable first (chmod u+w)", o.shown(), state.mode.Perm())
	}
	if err := o.dir.mayWrite(o.name); err != nil {
		return o.failed(err)
	}
	return nil
}

// otherNames tells what a replaced file leaves behind.
func (o *oldFile) otherNames() string {
	if o.state.links < 2 {
		return ""
	}
	return fmt.Sprintf(" The file had %d names (hard links); only this one leads to the new content.", o.state.links)
}
