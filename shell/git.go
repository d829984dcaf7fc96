package shell

import (
	"slices"
	"strings"
)

// gitGlobals are the options of git itself that take a value in the next word.
var gitGlobals = set("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env", "--attr-source")

// git lists the command without its global options, what an alias given on the
// command line stands for, and the subcommands that run programs.
func (w *walker) git(i int) {
	words := w.s.Commands[i].Words
	aliases := map[string]Word(nil)
	j := 1
	for ; j < len(words) && strings.HasPrefix(words[j].Text, "-"); j++ {
		config := Word{}
		switch text := words[j].Text; {
		case text == "-c" && j+1 < len(words):
			config = words[j+1]
		case strings.HasPrefix(text, "-c"):
			config = Word{Text: text[2:], Span: words[j].Span}
		}
		if key, value, ok := strings.Cut(config.Text, "="); ok {
			aliases = w.gitConfig(i, aliases, key, Word{Text: value, Span: config.Span})
		}
		if _, takes := gitGlobals[words[j].Text]; takes {
			j++
		}
	}
	if j >= len(words) {
		return
	}
	if alias, ok := aliases[words[j].Text]; ok {
		w.gitAlias(i, alias, words[j+1:])
	}
	if j > 1 {
		w.child(i, Guess, append([]Word{words[0]}, words[j:]...)) // which finds what it runs
		return
	}
	w.gitRunner(i, words)
}

// gitConfig notes an alias, and tries the value of a key that names a program.
func (w *walker) gitConfig(i int, aliases map[string]Word, key string, value Word) map[string]Word {
	key = strings.ToLower(key)
	if name, ok := strings.CutPrefix(key, "alias."); ok {
		if aliases == nil {
			aliases = make(map[string]Word)
		}
		aliases[name] = value
		return aliases
	}
	if GitRunsProgram(key) && value.Known() {
		w.code(i, Guess, "git -c "+key, strings.TrimPrefix(value.Text, "!"), value.Span)
	}
	return aliases
}

// gitProgramKeys are configuration keys whose value git runs, by their last part.
var gitProgramKeys = set("pager", "editor", "fsmonitor", "sshcommand", "askpass", "hookspath", "external", "textconv", "command", "cmd",
	"driver", "clean", "smudge", "process", "program", "helper", "gitproxy", "packobjectshook", "uploadpack", "receivepack", "difftool",
	"mergetool", "path", "sequenceeditor", "browser", "tool", "proxycommand", "attributesfile", "excludesfile", "templatedir", "worktree", "update", "include")

// GitRunsProgram reports whether git runs, or loads configuration from, the value
// of a configuration key.
func GitRunsProgram(key string) bool {
	key = strings.ToLower(key)
	if strings.HasPrefix(key, "alias.") || strings.HasPrefix(key, "pager.") || strings.HasPrefix(key, "include") || strings.HasPrefix(key, "hook.") {
		return true
	}
	_, ok := gitProgramKeys[key[strings.LastIndexByte(key, '.')+1:]]
	return ok
}

func (w *walker) gitAlias(i int, alias Word, args []Word) {
	if code, ok := strings.CutPrefix(alias.Text, "!"); ok {
		w.code(i, Guess, "git alias", strings.TrimSpace(code+" "+join(args)), alias.Span)
		return
	}
	words := []Word{{Text: "git", Span: alias.Span}}
	for field := range strings.FieldsSeq(alias.Text) {
		words = append(words, Word{Text: field, Span: alias.Span})
	}
	w.child(i, Guess, append(words, args...))
}

// gitRunner finds the commands that git subcommands run.
func (w *walker) gitRunner(i int, words []Word) {
	words = words[1:]
	switch words[0].Text {
	case "bisect":
		if len(words) > 2 && words[1].Text == "run" {
			w.child(i, Wrapped, words[2:])
		}
	case "submodule":
		if at := slices.IndexFunc(words, func(word Word) bool { return word.Text == "foreach" }); at > 0 {
			inner := words[at+1:]
			for len(inner) > 0 && strings.HasPrefix(inner[0].Text, "-") {
				inner = inner[1:]
			}
			w.codeWord(i, Code, "git submodule foreach", Word{Text: join(inner), Span: w.s.Commands[i].Span})
		}
	case "rebase", "difftool", "filter-branch", "grep", "for-each-repo":
		w.optionCode(i, words, "-x", "--exec", "--extcmd", "--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter",
			"--parent-filter", "--tag-name-filter", "--subdirectory-filter", "-O", "--open-files-in-pager")
	}
}

// optionCode runs the value of any of the options as code, in the next word, glued
// or behind "=".
func (w *walker) optionCode(i int, words []Word, options ...string) {
	for j, word := range words {
		for _, option := range options {
			value, ok := strings.CutPrefix(word.Text, option)
			switch {
			case !ok:
				continue
			case value == "" && j+1 < len(words):
				w.codeWord(i, Guess, option, words[j+1])
			case strings.HasPrefix(value, "="):
				w.codeWord(i, Guess, option, Word{Text: value[1:], Span: word.Span})
			case len(option) == 2 && value != "":
				w.codeWord(i, Guess, option, Word{Text: value, Span: word.Span})
			}
		}
	}
}

// subcommandPrograms take a subcommand, before which options may stand that must
// not hide it from a deny rule.
var subcommandPrograms = set("kubectl", "oc", "terraform", "tofu", "terragrunt", "docker", "docker-compose", "podman", "nerdctl", "npm", "pnpm", "yarn", "bun", "helm", "aws",
	"gcloud", "az", "gh", "glab", "systemctl", "cargo", "go", "pip", "pip3", "brew", "nomad", "vault", "consul", "pulumi", "flyctl",
	"fly", "heroku", "vercel", "netlify", "svn", "hg", "bundle", "poetry", "uv", "composer", "rails", "deno", "dotnet", "rustup", "snap",
	"flatpak", "virsh", "lxc", "doctl", "argocd", "istioctl", "skaffold", "minikube", "kind", "k3s", "crictl", "gsutil", "s3cmd", "rclone",
	"etcdctl", "redis-cli", "firebase", "wrangler", "supabase", "ansible", "salt", "mvn", "gradle", "just", "task", "ninja", "vagrant", "dnf", "yum", "zypper", "pacman", "apk", "eksctl", "serverless", "sls", "pipx", "pipenv", "hatch", "rye", "nerdctl", "jj")

// skipGlobalOptions lists readings of the command without the options before its
// subcommand: with and without a value for the last of them.
func (w *walker) skipGlobalOptions(i int) {
	words := w.s.Commands[i].Words
	w.skipOptions(i, words, 1)
	if len(words) > 2 {
		if _, ok := managing[words[1].Text]; ok {
			w.skipOptions(i, words, 2)
		}
	}
}

// managing are subcommands that have subcommands of their own: docker compose up.
var managing = set("compose", "container", "image", "volume", "network", "system", "stack", "service", "buildx", "s3", "s3api", "ec2", "rds", "iam",
	"pr", "issue", "release", "repo", "run", "compute", "container-registry", "sql")

// skipOptions lists readings without the options that follow the first n words.
func (w *walker) skipOptions(i int, words []Word, n int) {
	j := n
	for j < len(words) && optionLike(words[j]) {
		j++
	}
	if j == n || j >= len(words) {
		return
	}
	w.reread(i, w.joined(words[:n], words[j:]))
	for k := j; k < len(words) && k < j+16; k++ {
		// The word may be the value of an option; more options may follow it.
		if optionLike(words[k]) || !optionLike(words[k-1]) {
			continue
		}
		if rest := words[k+1:]; len(rest) > 0 && !optionLike(rest[0]) {
			w.reread(i, w.joined(words[:n], rest))
		}
	}
}

// reread lists a reading of command i with fewer words.
func (w *walker) reread(i int, words []Word) {
	at := len(w.s.Commands)
	w.descend(i, Guess, words)
	if at < len(w.s.Commands) {
		w.s.Commands[at].repeats = true
	}
}

// optionLike: "-x", "--x", and "+nightly" of cargo.
func optionLike(word Word) bool {
	return strings.HasPrefix(word.Text, "-") || strings.HasPrefix(word.Text, "+")
}

// runsInContainer: docker exec, kubectl exec, npm exec, poetry run … run a command.
func (w *walker) runsInContainer(i int) {
	words := w.s.Commands[i].Words
	if len(words) > 1 && optionLike(words[1]) {
		return // the reading without its options finds it
	}
	for j := 1; j < len(words) && j < 8; j++ {
		switch words[j].Text {
		case "exec", "run", "x", "dlx", "shell", "ssh", "console":
			if words[0].Text == "npm" && words[j].Text == "run" || words[0].Text == "go" || words[0].Text == "cargo" {
				return
			}
			w.suffixes(i, words[j+1:])
			return
		}
	}
}
