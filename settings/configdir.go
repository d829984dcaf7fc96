package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/assent-dev/assent/rule"
)

// ConfigDirVariable is the variable with which people move their directory of settings,
// for the vendor's agent and so for assent: see [Options.ConfigDir].
const ConfigDirVariable = "CLAUDE_CONFIG_DIR"

// checkConfigDir: without the directory that somebody has named their own rules would be
// missing, and nobody would notice.
func (o Options) checkConfigDir() error {
	dir := o.ConfigDir
	switch {
	case dir == "":
		return nil
	case !filepath.IsAbs(dir): // the vendor's agent would look for it in the workspace, which must not grant
		return fmt.Errorf("the directory of your settings must be an absolute path without a tilde, not %q (set or unset %s)", dir, ConfigDirVariable)
	case !o.reads(rule.UserSettings):
		return nil
	}
	info, err := os.Stat(dir)
	switch pathErr, ok := errors.AsType[*fs.PathError](err); {
	case ok:
		err = pathErr.Err
	case err == nil && !info.IsDir():
		err = syscall.ENOTDIR
	}
	if err != nil {
		return fmt.Errorf("the directory of your settings, %s, cannot be used: %w (make it, or unset %s)", visible(dir), err, ConfigDirVariable)
	}
	return nil
}

// userDir is the user's directory of settings; empty when there is no user.
func (o Options) userDir() string {
	if o.ConfigDir != "" || o.Home == "" {
		return o.ConfigDir
	}
	return filepath.Join(o.Home, ".claude")
}

// File is where the settings of a source that can be written to are; empty for the
// others, and for the user's when there is no user.
func (o Options) File(s rule.Source) string {
	switch s {
	case rule.UserSettings:
		if dir := o.userDir(); dir != "" {
			return filepath.Join(dir, "settings.json")
		}
	case rule.ProjectSettings:
		return filepath.Join(o.Dir, ".claude", "settings.json")
	case rule.LocalSettings:
		return filepath.Join(o.Dir, ".claude", "settings.local.json")
	case rule.Session, rule.Command, rule.CLIArg, rule.PolicySettings, rule.FlagSettings:
	}
	return ""
}

// VendorFile is where the vendor's agent marks workspaces as trusted: beside the user's
// directory of settings, and inside of one that was moved. It is empty when there is no user.
func (o Options) VendorFile() string {
	dir := o.ConfigDir
	if dir == "" {
		dir = o.Home
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, ".claude.json")
}
