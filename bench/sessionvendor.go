package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	vendorPackage = "@anthropic-ai/claude-code"
	vendorVersion = "2.1.89"
	vendorName    = vendorPackage + " " + vendorVersion
)

// vendorChoice says whether the vendor's command line is measured, too.
type vendorChoice uint8

const (
	withoutVendor vendorChoice = iota
	withVendor
)

// install gets the vendor's command line with npm, once, and returns the command that
// starts it. It is compared with and never part of anything.
func (v vendorChoice) install(progress io.Writer) ([]string, error) {
	if v == withoutVendor {
		return nil, errors.New("left out of a short run")
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("%s is not installed", program)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "assent-bench", "claude-code-"+vendorVersion)
	program := filepath.Join(dir, "node_modules", ".bin", "claude")
	if _, err := os.Stat(program); err == nil {
		return []string{program}, nil
	}
	fmt.Fprintf(progress, "         npm install %s@%s\n", vendorPackage, vendorVersion)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts", vendorPackage+"@"+vendorVersion)
	if out, err := npm.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm cannot install it: %w: %s", err, lastLine(string(out)))
	}
	if _, err := os.Stat(program); err != nil {
		return nil, errors.New("npm has installed no program")
	}
	return []string{program}, nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
