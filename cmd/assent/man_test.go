package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assent-dev/assent/cmd/internal/hookcmd"
	"github.com/assent-dev/assent/cmd/internal/manpage"
)

// The man pages and the completions are made here, where the commands are, and not by
// the program, which nobody wants to grow. `make man` names a directory in ASSENT_SHARE
// to keep them.
func TestManPagesAndCompletions(t *testing.T) {
	dir := os.Getenv("ASSENT_SHARE")
	if dir == "" {
		dir = t.TempDir()
	}
	root := newRoot(&app{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, false)
	root.InitDefaultVersionFlag()
	edition := thisEdition(t)
	everyCommand(root, func(cmd *cobra.Command) {
		page := pageOf(cmd).Roff(edition)
		put(t, filepath.Join(dir, "man", "man1", manpage.Name(cmd)+".1"), page)
		checkPage(t, cmd, page)
	})
	for shell, name := range map[string]string{"bash": "assent.bash", "zsh": "_assent", "fish": "assent.fish", "powershell": "assent.ps1"} {
		var script, complaints bytes.Buffer
		if status := run([]string{"completion", shell}, nil, &script, &complaints); status != 0 || !strings.Contains(script.String(), "assent") {
			t.Errorf("completion %s ends with %d: %s", shell, status, complaints.String())
		}
		put(t, filepath.Join(dir, "completions", name), script.String())
	}
}

// thisEdition is that of the release that is being built, if any.
func thisEdition(t *testing.T) manpage.Edition {
	e := manpage.Edition{Version: os.Getenv("VERSION")}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		e.Date = time.Unix(seconds, 0)
	}
	return e
}

func everyCommand(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			everyCommand(child, visit)
		}
	}
}

// pageOf is the page of a command, as its help is: two of them have one of their own.
func pageOf(cmd *cobra.Command) manpage.Page {
	p := manpage.For(cmd)
	switch {
	case !cmd.HasParent():
		p.Synopsis = []string{"assent [flags] [PROMPT]", "assent -p [flags] [PROMPT]", "assent COMMAND [flags]"}
		p.Commands, p.Options = nil, nil
		for _, g := range groups {
			group := manpage.Group{Title: g.title}
			for _, name := range g.commands {
				child, _, err := cmd.Find([]string{name})
				must(err)
				group.Commands = append(group.Commands, child)
			}
			p.Commands = append(p.Commands, group)
		}
		for _, topic := range agentTopics {
			p.Options = append(p.Options, manpage.Options{Title: "Options of the agent: " + topic.title, Flags: named(cmd.Flags(), topic.flags)})
		}
		p.Options = append(p.Options, manpage.Options{Title: "Options of all commands", Flags: cmd.PersistentFlags()})
	case cmd.Name() == "hook":
		p.Text, p.Options = hookcmd.Help, nil
	}
	return p
}

func put(t *testing.T, file, text string) {
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// checkPage finds every command and flag in its page.
func checkPage(t *testing.T, cmd *cobra.Command, page string) {
	plain := strings.NewReplacer(`\-`, "-", `\fR`, " ").Replace(page)
	check := func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" && f.Name != "version" && !strings.Contains(plain, "--"+f.Name+" ") {
			t.Errorf("the page of %s does not name --%s", cmd.CommandPath(), f.Name)
		}
	}
	if cmd.Name() == "hook" { // which reads its flags itself
		check(&pflag.Flag{Name: "agent"})
		check(&pflag.Flag{Name: "deadline"})
	} else {
		cmd.NonInheritedFlags().VisitAll(check)
		cmd.InheritedFlags().VisitAll(check)
	}
	if cmd.Short == "" || !strings.Contains(plain, " - "+cmd.Short) {
		t.Errorf("the page of %s does not say in a line what it is for", cmd.CommandPath())
	}
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() && !strings.Contains(plain, ".B "+child.CommandPath()+"\n") {
			t.Errorf("the page of %s does not name %s", cmd.CommandPath(), child.CommandPath())
		}
	}
}
