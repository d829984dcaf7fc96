package settings

import (
	"io/fs"
	"path/filepath"

	"github.com/assent-dev/assent/internal/durable"
)

// replaceFile puts data where path is, in one step. What is only half written lies
// in the state directory: a process that is killed leaves nothing in the project.
func (p *places) replaceFile(path string, data []byte, perm fs.FileMode) error {
	return durable.Replace(path, data, perm, filepath.Join(p.StateDir, "tmp"))
}
