package clerk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assent-dev/assent/internal/durable"
)

// maxFile is far more than people write.
const maxFile = 4 << 20

// readNow reads the file that a call would change, through links, as the call would. It
// never waits.
func readNow(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, cause(err)
	case info.IsDir():
		return nil, errors.New("it is a directory")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("it is larger than %d MiB", maxFile>>20)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, cause(err)
	}
	data, err := durable.Read(path, maxFile)
	return data, cause(err)
}

// cause is what the operating system said, without the path that the sentence around it
// names already.
func cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
