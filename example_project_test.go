package assent_test

import (
	"os"
	"path/filepath"

	"github.com/assent-dev/assent"
	"github.com/assent-dev/assent/model/script"
)

// project is a throw-away project for an example, with a model that plays a script. A
// program of yours needs none of this: it works in its own directory, and a key in the
// environment says which model answers.
type project struct {
	dir, home, state string
	restore          []func() // the environment, for a program that works there
}

// newProject makes one that holds some files, all of them empty.
func newProject(files ...string) *project {
	root := must(os.MkdirTemp("", "assent-example"))
	root = must(filepath.EvalSymlinks(root))
	p := &project{dir: filepath.Join(root, "work"), home: filepath.Join(root, "home"), state: filepath.Join(root, "state")}
	for _, dir := range []string{p.dir, p.home, p.state} {
		must(0, os.Mkdir(dir, 0o700))
	}
	for _, name := range files {
		p.write(name, "")
	}
	return p
}

// remove takes the project away.
func (p *project) remove() {
	for _, f := range p.restore {
		f()
	}
	must(0, os.RemoveAll(filepath.Dir(p.dir)))
}

func (p *project) write(name, text string) {
	path := filepath.Join(p.dir, name)
	must(0, os.MkdirAll(filepath.Dir(path), 0o700))
	must(0, os.WriteFile(path, []byte(text), 0o600))
}

func (p *project) exists(name string) bool {
	_, err := os.Stat(filepath.Join(p.dir, name))
	return err == nil
}

// with are options for a session in the project whose model plays a script, and more.
func (p *project) with(turns string, more ...assent.Option) []assent.Option {
	model := must(script.New("example", []byte(turns)))
	return append([]assent.Option{assent.Dir(p.dir), assent.Home(p.home), assent.StateDir(p.state), assent.Provider(model)}, more...)
}

// outside are options for a program that works in the project: it is found in the PATH, and
// learns from its environment what other sessions are told by options.
func (p *project) outside(turns string, more ...assent.Option) []assent.Option {
	file := filepath.Join(p.home, "script.yaml")
	must(0, os.WriteFile(file, []byte(turns), 0o600))
	dir := filepath.Dir(must(builtAssent()))
	p.setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	p.setenv("HOME", p.home)
	p.setenv("ASSENT_HOME", p.state)
	return append([]assent.Option{assent.Dir(p.dir), assent.Model("script:" + file)}, more...)
}

// setenv changes the environment until the project is taken away.
func (p *project) setenv(name, value string) {
	before, there := os.LookupEnv(name)
	must(0, os.Setenv(name, value))
	p.restore = append(p.restore, func() {
		if there {
			must(0, os.Setenv(name, before))
		} else {
			must(0, os.Unsetenv(name))
		}
	})
}

// must is for what goes wrong only if the machine is broken, or the example is.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
