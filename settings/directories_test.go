package settings

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assent-dev/assent/permission"
	"github.com/assent-dev/assent/rule"
)

func dirFile(dirs ...string) string {
	return `{"permissions": {"additionalDirectories": ["` + strings.Join(dirs, `", "`) + `"]}}`
}

func TestP17_LinkedDirectoryHasBothNames(t *testing.T) {
	w := newWorld(t).trusted()
	real := w.mkdir(w.root + "/real")
	link := w.root + "/link"
	w.link(real, link)
	for _, source := range []rule.Source{rule.UserSettings, rule.ProjectSettings, rule.LocalSettings, rule.PolicySettings} {
		w.put(source, dirFile(link))
	}
	w.AddDirs, w.Flag = []string{link}, dirFile(link)
	var want []string
	for _, source := range []string{"cliArg", "flagSettings", "localSettings", "policySettings", "projectSettings", "userSettings"} {
		want = append(want, source+" "+link, source+" "+real)
	}
	s := w.load()
	equal(t, "directories", dirs(s), want)
	equal(t, "reports", kinds(s.Reports), nil)
}

func TestP17_DirectoryBelowALink(t *testing.T) {
	w := newWorld(t)
	w.mkdir(w.root + "/real/sub")
	w.link("real", w.root+"/link")
	w.AddDirs = []string{"../link/sub", "../link/later", "../real/sub"}
	equal(t, "directories", dirs(w.load()), []string{
		"cliArg " + w.root + "/link/later", "cliArg " + w.root + "/link/sub",
		"cliArg " + w.root + "/real/later",
		"cliArg " + w.root + "/real/sub", "cliArg " + w.root + "/real/sub", // by the link, and by itself
	})
}

func TestP18_EitherNameRemovesALinkedDirectory(t *testing.T) {
	for _, name := range []string{"../link", "../real"} {
		w := newWorld(t).trusted()
		w.mkdir(w.root + "/real")
		w.mkdir(w.root + "/other")
		w.link("real", w.root+"/link")
		w.put(rule.LocalSettings, dirFile("../other", w.root+"/link"))
		u := dirUpdate(permission.RemoveDirectories, name)
		u.Destination = rule.LocalSettings
		w.persist(u)
		equal(t, name, dirs(w.load()), []string{"localSettings " + w.root + "/other"})
	}
}

func TestP18_RemovingALinkLeavesWhatIsNamedItself(t *testing.T) {
	w := newWorld(t).trusted()
	w.mkdir(w.root + "/real")
	w.link("real", w.root+"/link")
	w.put(rule.LocalSettings, dirFile("../link", "../real"))
	u := dirUpdate(permission.RemoveDirectories, "../link")
	u.Destination = rule.LocalSettings
	w.persist(u)
	equal(t, "directories", dirs(w.load()), []string{"localSettings " + w.root + "/real"})
}

func TestS33_HeldBackDirectoryHasBothNames(t *testing.T) {
	w := newWorld(t)
	w.mkdir(w.root + "/real")
	w.link("../real", w.Dir+"/data")
	w.put(rule.ProjectSettings, dirFile("data"))
	s := w.load()
	equal(t, "in force", dirs(s), nil)
	want := []permission.Directory{
		{Path: w.Dir + "/data", Source: rule.ProjectSettings}, {Path: w.root + "/real", Source: rule.ProjectSettings, Given: w.Dir + "/data"},
	}
	if !slices.Equal(s.HeldBack.Directories, want) {
		t.Errorf("held back %v", s.HeldBack.Directories)
	}
	if r := find(t, s.Reports, HeldBackGrant); !strings.Contains(r.Text, `"`+w.root+`/real"`) {
		t.Errorf("the report does not say where the link leads: %v", r)
	}
}

func TestS33_TrustCoversWhereADirectoryLeads(t *testing.T) {
	w := newWorld(t)
	good := w.mkdir(w.root + "/good")
	link := w.Dir + "/data"
	w.link(good, link)
	w.put(rule.ProjectSettings, dirFile("data"))
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	equal(t, "trusted", dirs(w.load()), []string{"projectSettings " + good, "projectSettings " + link})

	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	w.link("/", link)
	s := w.load()
	equal(t, "turned elsewhere", dirs(s), nil)
	suffix := ` (.claude/settings.json)`
	equal(t, "difference", s.TrustState().Diff, []string{
		`- additional directory "` + link + `" that leads to "` + good + `"` + suffix,
		`+ additional directory "` + link + `" that leads to "/"` + suffix,
	})

	// What assent writes keeps trust only for what was trusted.
	u := ruleUpdate(permission.AddRules, rule.Allow, "Bash(a)")
	u.Destination = rule.ProjectSettings
	w.persist(u)
	if got := w.load().TrustState().Status; got != Changed {
		t.Errorf("a write made the link trusted: %v", got)
	}
}

func TestS33_DirectoryThatAppearsKeepsItsTrust(t *testing.T) {
	w := newWorld(t)
	w.mkdir(w.root + "/real")
	w.link("real", w.root+"/link")
	w.link("real/soon", w.root+"/dangling")
	w.put(rule.ProjectSettings, dirFile("../link/later", "../dangling"))
	if err := Trust(w.Options, ""); err != nil {
		t.Fatal(err)
	}
	w.mkdir(w.root + "/real/later")
	w.mkdir(w.root + "/real/soon")
	if got := w.load().TrustState(); got.Status != Trusted {
		t.Errorf("trust %+v", got)
	}
}

// Nobody who writes "docs" into the user's settings means whatever a checkout
// makes of that name.
func TestS33_WorkspaceCannotTurnSomebodysDirectoryElsewhere(t *testing.T) {
	for name, prepare := range map[string]func(w *world) (dir string){
		"a relative name": func(w *world) string {
			w.link(w.root+"/secret", w.Dir+"/docs")
			return "docs"
		},
		"below it": func(w *world) string {
			w.link(w.root, w.Dir+"/docs")
			return "docs/secret"
		},
		"by a link into the workspace": func(w *world) string {
			w.link("../secret", w.Dir+"/docs")
			w.link(w.Dir, w.root+"/project")
			return w.root + "/project/docs"
		},
		"by a link to a link": func(w *world) string {
			w.link("../secret", w.Dir+"/docs")
			w.link("work/docs", w.root+"/docs")
			return w.root + "/docs"
		},
	} {
		for _, source := range []rule.Source{rule.UserSettings, rule.PolicySettings, rule.CLIArg} {
			t.Run(name+" "+source.String(), func(t *testing.T) {
				w := newWorld(t)
				secret := w.mkdir(w.root + "/secret")
				dir := prepare(w)
				if source == rule.CLIArg {
					w.AddDirs = []string{dir}
				} else {
					w.put(source, dirFile(dir))
				}
				s := w.load()
				if got := dirs(s); len(got) != 1 || strings.HasSuffix(got[0], " "+secret) {
					t.Errorf("directories %v", got)
				}
				if len(s.Reports) != 1 || !strings.Contains(s.Reports[0].Text, secret) || s.Reports[0].Hint == "" {
					t.Errorf("reports %v", s.Reports)
				}
			})
		}
	}
}

func TestP17_LinksInsideTheWorkspaceThatStayThereAreFine(t *testing.T) {
	w := newWorld(t)
	w.mkdir(w.Dir + "/real")
	w.link("real", w.Dir+"/docs")
	w.AddDirs = []string{"docs"}
	s := w.load()
	equal(t, "directories", dirs(s), []string{"cliArg " + w.Dir + "/docs", "cliArg " + w.Dir + "/real"})
	equal(t, "reports", kinds(s.Reports), nil)
}

func TestP17_LinksOfTheHomeDirectoryAreTheUsers(t *testing.T) {
	w := newWorld(t)
	w.mkdir(w.root + "/notes")
	w.link("../notes", w.Home+"/notes")
	w.Dir = w.Home
	w.AddDirs = []string{"~/notes"}
	equal(t, "directories", dirs(w.load()), []string{"cliArg " + w.Home + "/notes", "cliArg " + w.root + "/notes"})
}
