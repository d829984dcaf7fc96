//go:build linux

package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// seeds are scripts that were found once: a shell and a quoted script on each line.
//
//go:embed testdata/seeds.txt
var seedText string

func replay(w *worker) error {
	for number, line := range strings.Split(seedText, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		name, quoted, _ := strings.Cut(line, " ")
		script, err := strconv.Unquote(quoted)
		sh := shellNamed(name)
		if err != nil || sh == nil {
			return fmt.Errorf("testdata/seeds.txt:%d: want a shell and a quoted script", number+1)
		}
		if err := w.in(sh, sample{script, fmt.Sprintf("seeds.txt:%d", number+1)}); err != nil {
			return err
		}
	}
	return nil
}
