package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/assent-dev/assent/policy"
	"github.com/assent-dev/assent/session"
)

const sessionsExportHelp = `Write a session to one file: its transcript, byte for byte, the values that its hooks share, and the
sums that prove both. No process may have the session open meanwhile.

  assent sessions export ID -o FILE
  assent sessions export ID | ssh other assent sessions import -

The session stays here as well, and so do the calls that wait in it. Both would run a call that is
approved in both places: go on in one of them, and remove the other. Answers are not exported: a call
that waits needs a new one where it is imported. What is in a session is in the file, in plain text.`

func (d *counter) newExport() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:               "export ID",
		Short:             "Write a session to one file",
		Long:              sessionsExportHelp,
		Args:              exactly("the ID of a session"),
		ValidArgsFunction: d.completeIDs(nil, withSessions),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.looking(cmd.Context(), func() error { return d.decline(d.export(cmd.Context(), args[0], file)) })
		},
	}
	cmd.Flags().VarP((*something)(&file), "output", "o", "the file to write (default: standard output)")
	must(cmd.MarkFlagFilename("output"))
	return cmd
}

func (d *counter) export(ctx context.Context, id, file string) error {
	t, err := d.clerk.Find(ctx, id)
	if err != nil {
		return err
	}
	if file == "" {
		if out, ok := d.out.(*os.File); ok && term.IsTerminal(int(out.Fd())) {
			return errors.New("a session is not for the terminal (pass -o FILE, or pipe it into something)")
		}
		_, err := d.clerk.Sessions().Export(t.Session, d.out, whoami(), thisBuild().Version)
		return err
	}
	m, err := d.exportTo(t.Session, file)
	if err != nil {
		return err
	}
	p := &page{}
	p.line(fmt.Sprintf("exported session %s to %s, head %s", m.Session, policy.Visible(file), m.Head))
	if stand, err := d.clerk.Sessions().Standing(t.Session); err == nil && len(stand.Calls) > 0 {
		p.line(fmt.Sprintf("  %s in it, and still here as well: go on in one place only", waiting(len(stand.Calls))))
	}
	return p.flush(d.out)
}

func waiting(n int) string {
	if n == 1 {
		return "1 call waits"
	}
	return fmt.Sprintf("%d calls wait", n)
}

// exportTo writes a file that is there as a whole, or not at all. None is replaced.
func (d *counter) exportTo(id, file string) (m session.Manifest, err error) {
	if _, err := os.Lstat(file); err == nil {
		return m, fmt.Errorf("%s exists already (name another file, or remove it)", file)
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".assent-export-*") // for its owner only
	if err != nil {
		return m, fmt.Errorf("%s cannot be written: %w", file, cause(err))
	}
	defer func() {
		_ = f.Close()
		_ = os.Remove(f.Name()) // it has two names when all went well
	}()
	if m, err = d.clerk.Sessions().Export(id, f, whoami(), thisBuild().Version); err != nil {
		return m, err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return m, fmt.Errorf("%s cannot be written: %w", file, err)
	}
	// Unlike renaming, linking replaces nothing that somebody has put there meanwhile; not
	// every file system can.
	err = os.Link(f.Name(), file)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return m, fmt.Errorf("%s cannot be written: %w", file, errors.Unwrap(err))
	}
	return m, nil
}

const sessionsImportHelp = `Make a session of a file that ` + "`assent sessions export`" + ` has written. Everything in it is checked before
anything is written: one bit that has changed and it is refused, and so is a session that is here
already.

  assent sessions import FILE
  assent sessions import -                 from standard input
  assent sessions import FILE --cwd DIR    the session works in DIR from now on

Calls that wait in it need an answer here, whatever was answered elsewhere, and one of which nobody
knows whether it ran stays so. The sums show damage, not who wrote the file: import only what comes
from somebody whom you would let write your sessions.`

func (d *counter) newImport() *cobra.Command {
	var cwd string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a session of an exported file",
		Long:  sessionsImportHelp,
		Args:  exactly("the file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return d.with(cmd.Context(), func() error { return d.decline(d.importFile(cmd.Context(), args[0], cwd)) })
		},
	}
	cmd.Flags().Var((*something)(&cwd), "cwd", "the directory in which the session works from now on")
	must(cmd.MarkFlagDirname("cwd"))
	return cmd
}

func (d *counter) importFile(ctx context.Context, name, cwd string) error {
	if name == "" {
		return errors.New("the name of the file to import is empty")
	}
	if cwd != "" {
		dir, err := directory(cwd)
		if err == nil {
			dir, err = filepath.EvalSymlinks(dir) // as a session that starts there records it
		}
		if err == nil {
			err = validUTF8("cwd", []string{dir})
		}
		if err != nil {
			return fmt.Errorf("--cwd: %w", err)
		}
		cwd = dir
	}
	file, bytes, done, err := d.imported(name)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", name, err)
	}
	defer done()
	x, err := session.ReadExport(file, bytes)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := d.clerk.Import(ctx, x, cwd, whoami()); err != nil {
		return err
	}
	if cwd == "" {
		cwd = x.Cwd
	}
	p := &page{}
	p.line(fmt.Sprintf("imported session %s, which works in %s", x.Session, policy.Visible(cwd)))
	if _, err := os.Stat(cwd); errors.Is(err, fs.ErrNotExist) {
		p.line("  that directory does not exist here: make it, or remove the session and import it with --cwd DIR")
	}
	if x.Pending != nil && len(x.Pending.Calls) > 0 {
		p.line(fmt.Sprintf("  %s in it: assent sessions show %s", waiting(len(x.Pending.Calls)), x.Session))
	}
	return p.flush(d.out)
}

// imported opens the file that is to be imported. Standard input is kept in memory as far
// as files that people write go, and otherwise in a file that nobody else can read.
func (d *counter) imported(name string) (file io.ReaderAt, size int64, done func(), err error) {
	if name != "-" {
		return openRegular(name)
	}
	first, err := io.ReadAll(io.LimitReader(d.in, maxFile))
	if err != nil {
		return nil, 0, nil, err
	}
	if len(first) < maxFile {
		return bytes.NewReader(first), int64(len(first)), func() {}, nil
	}
	f, err := os.CreateTemp("", "assent-import-*")
	if err != nil {
		return nil, 0, nil, err
	}
	done = func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	size, err = io.Copy(f, io.LimitReader(io.MultiReader(bytes.NewReader(first), d.in), maxImport))
	if err == nil && size == maxImport {
		err = errors.New("it is too large for a session")
	}
	if err != nil {
		done()
		return nil, 0, nil, err
	}
	return f, size, done, nil
}

// maxImport is more than any session has.
const maxImport = 5 << 30
