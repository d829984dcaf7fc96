package permission

import (
	"strings"

	"github.com/assent-dev/assent/shell"
)

// scriptLinks are the links of the file system and those that the command itself
// makes before it uses them: ln -s .git g; echo x > g/config.
type scriptLinks struct {
	Links
	made map[string]string
}

func (l scriptLinks) Readlink(path string) (string, error) {
	if target, ok := l.made[path]; ok {
		return target, nil
	}
	return l.Links.Readlink(path)
}

// follows adds the links that the script makes to those it is judged with.
func (s *shellCheck) follows() {
	var made map[string]string
	for i := range s.script.Commands {
		c := &s.script.Commands[i]
		if c.Program() != "ln" || len(c.Words) < 3 {
			continue
		}
		var operands []string
		for _, word := range c.Args() {
			if word.Known() && !strings.HasPrefix(word.Text, "-") {
				operands = append(operands, word.Text)
			}
		}
		if len(operands) != 2 {
			continue
		}
		for _, dir := range dirsOf(c) {
			if strings.IndexByte(dir, shell.Unknown) >= 0 {
				continue
			}
			name := absolute(operands[1], absolute(dir, s.cwd, s.ctx.config.Home), s.ctx.config.Home)
			target := operands[0]
			if strings.HasPrefix(target, "~") {
				target = absolute(target, s.cwd, s.ctx.config.Home)
			}
			if made == nil {
				made = make(map[string]string)
			}
			made[name] = target
			if slash := strings.LastIndexByte(strings.TrimRight(target, "/"), '/'); slash >= 0 { // into a directory
				made[name+target[slash:]] = target
			} else {
				made[name+"/"+target] = absolute(target, s.cwd, s.ctx.config.Home)
			}
		}
	}
	s.links = s.engine.links
	if made != nil {
		s.links = scriptLinks{Links: s.links, made: made}
	}
}

// dirsOf are the directories a command may run in, never none.
func dirsOf(c *shell.Command) []string {
	if len(c.Dirs) == 0 {
		return []string{"."}
	}
	return c.Dirs
}
