package foreign

import (
	"path/filepath"
	"strings"
)

// offElsewhere names what keeps the guard of an agent from running and does not stand
// in the file that has the guard.
func (p Places) offElsewhere(a Agent) (notes []string) {
	if a != Codex {
		return nil
	}
	for _, file := range []string{filepath.Join(p.home(a), "config.toml"), filepath.Join(p.projectDir(a), "config.toml")} {
		text, err := readFile(file)
		if key := switchedOff(string(text)); err == nil && key != "" {
			notes = append(notes, file+" switches hooks off ("+key+" = false): the guard does not run until that is removed")
		}
	}
	return notes
}

// switchedOff is the key of a TOML text that switches Codex's hooks off; empty if none
// does. It understands as much of TOML as these keys need.
func switchedOff(text string) string {
	table := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = tomlKey(strings.Trim(line, "[]")) + "."
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = table+tomlKey(key), strings.TrimSpace(value)
		key = strings.TrimPrefix(key, ".")
		if isSwitch(key) && value == "false" {
			return key
		}
		inner, isTable := strings.CutPrefix(value, "{")
		if !isTable || key != "features" {
			continue
		}
		for pair := range strings.SplitSeq(strings.TrimSuffix(inner, "}"), ",") {
			name, value, _ := strings.Cut(pair, "=")
			if name = key + "." + tomlKey(name); isSwitch(name) && strings.TrimSpace(value) == "false" {
				return name
			}
		}
	}
	return ""
}

func isSwitch(key string) bool { return key == "features.hooks" || key == "features.codex_hooks" }

// tomlKey is a key without quotes and blanks.
func tomlKey(key string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\"'", r) {
			return -1
		}
		return r
	}, key)
}
