package shell

import "strings"

// subcommandPrograms take a subcommand, before which options may stand that must
// not hide it from a deny rule.
const subcommandPrograms = "kubectl oc terraform tofu terragrunt docker docker-compose podman nerdctl npm pnpm yarn bun helm aws gcloud az gh glab systemctl " +
	"cargo go pip pip3 brew nomad vault consul pulumi flyctl fly heroku vercel netlify svn hg bundle poetry uv composer rails deno " +
	"dotnet rustup snap flatpak virsh lxc doctl argocd istioctl skaffold minikube kind k3s crictl gsutil s3cmd rclone etcdctl " +
	"redis-cli firebase wrangler supabase ansible salt mvn gradle just task ninja vagrant dnf yum zypper pacman apk eksctl serverless " +
	"sls pipx pipenv hatch rye nerdctl jj pdm pixi devbox conda mamba micromamba incus colima limactl multipass railway ctr pct podman-compose opam mix"

// TakesTask: the first word behind the program says what it is to do, as in `git push` and
// `make docs`; behind other programs it is what they do it to.
func (c *Command) TakesTask() bool {
	name := c.Program()
	return listed("git make gmake apt apt-get", name) || about(name).subcommands
}

// skipGlobalOptions lists readings of the command without the options before its
// subcommand: with and without a value for the last of them.
func (w *walker) skipGlobalOptions(i int) {
	words := w.s.Commands[i].Words
	w.skipOptions(i, words, 1)
	if len(words) > 2 {
		if isManaging(words[1].Text) {
			w.skipOptions(i, words, 2)
		}
	}
}

// isManaging: a subcommand that has subcommands of its own: docker compose up.
func isManaging(word string) bool {
	switch word {
	case "compose", "container", "image", "volume", "network", "system", "stack", "service", "buildx", "s3", "s3api", "ec2", "rds", "iam", "pr", "issue",
		"release", "repo", "run", "compute", "container-registry", "sql":
		return true
	}
	return false
}

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
		case "exec", "run", "x", "dlx", "shell", "ssh", "console", "debug", "cmd", "sh":
			if words[0].Text == "npm" && words[j].Text == "run" || words[0].Text == "go" || words[0].Text == "cargo" {
				return
			}
			if !runsBehind(words[0].Text, words[j].Text) {
				continue // a title, a name
			}
			w.suffixes(i, words[j+1:])
			return
		}
	}
}

// runsBehind: the program runs the words behind this subcommand. The same word may
// be a title or a name elsewhere.
func runsBehind(program, verb string) bool {
	switch program = baseName(program); verb {
	case "debug":
		return program == "kubectl" || program == "oc"
	case "cmd":
		return program == "mix"
	case "sh":
		return program == "brew"
	}
	switch program {
	case "gh", "glab":
		return verb == "exec" || verb == "ssh"
	case "npm", "bun", "pnpm", "deno", "mise":
		return true
	}
	return verb != "x"
}

// imageOptions is the syntax between docker run or exec and the image or container.
var imageOptions = wrapper{
	short: "ditPqTa:c:e:h:l:m:p:u:v:w:f:", operands: 1, anyValue: true,
	long: "detach interactive tty init privileged read-only rm no-healthcheck oom-kill-disable publish-all quiet no-deps service-ports use-aliases build no-tty " +
		"add-host= annotation= attach= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile= cpu-period= cpu-quota= cpu-shares= cpus= " +
		"cpuset-cpus= cpuset-mems= detach-keys= device= dns= dns-option= dns-search= domainname= entrypoint= env= env-file= expose= gpus= group-add= " +
		"health-cmd= health-interval= health-retries= health-timeout= hostname= index= ip= ip6= ipc= isolation= label= label-file= link= log-driver= " +
		"log-opt= mac-address= memory= memory-swap= mount= name= net= net-alias= network= network-alias= oom-score-adj= pid= pids-limit= platform= " +
		"publish= pull= restart= runtime= scale= security-opt= shm-size= stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= ulimit= user= userns= " +
		"uts= volume= volume-driver= volumes-from= workdir=",
}

// runsInImage lists the command behind the image of docker run, if all options
// before it are understood. Then no other reading is worth a try.
func (w *walker) runsInImage(i int) bool {
	words := w.s.Commands[i].Words
	verb := 1
	switch w.s.Commands[i].Program() {
	case "docker", "podman", "nerdctl":
		if len(words) > 2 && (words[1].Text == "container" || words[1].Text == "compose") {
			verb = 2
		}
	case "docker-compose":
	default:
		return false
	}
	if verb >= len(words) || words[verb].Text != "run" && words[verb].Text != "exec" && words[verb].Text != "create" {
		return false
	}
	var entry Word
	start, ok := imageOptions.start(words[verb:], func(name string, value Word) {
		switch name {
		case "entrypoint":
			entry = value
		case "health-cmd":
			w.codeWord(i, Guess, "docker --health-cmd", value)
		}
	})
	if !ok || start < 2 || verb+start > len(words) {
		return false
	}
	if image := verb + start - 1; image > verb+1 && image < len(words) {
		w.nested(i, Guess, words[0].Text, func() {
			at := w.add(&Command{Words: w.joined(words[:verb+1], words[image:]), Span: w.s.Commands[i].Span})
			w.s.Commands[at].repeats = true
		})
	}
	inner := words[verb+start:]
	w.suffixes(i, inner) // an entry point of the image may run its arguments
	if entry.Text != "" {
		w.descend(i, Guess, w.joined([]Word{entry}, inner))
	}
	return true
}
