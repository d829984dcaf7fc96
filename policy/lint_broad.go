package policy

import (
	"fmt"
	"strings"

	"github.com/assent-dev/assent/rule"
	"github.com/assent-dev/assent/shell"
)

// broad finds allow rules that cover far more than somebody who reads them thinks:
// programs that run what they are given, and programs that can destroy.
func (l *linter) broad(r *rule.Rule, p commandPattern) {
	if strings.HasPrefix(r.Content, "*") {
		l.add(Warning, "broad-allow", r, "allows any program", "start the rule with the name of the program")
		return
	}
	stars := p.open || strings.Contains(strings.ReplaceAll(r.Content, `\*`, ""), "*")
	if !stars || len(p.words) == 0 {
		return
	}
	head := strings.Join(p.words, " ")
	why, known := l.broadly[head]
	if !known {
		why = breadth(p.words)
		l.broadly[head] = why
	}
	if why != "" {
		l.add(Warning, "broad-allow", r, why, "allow the exact commands you mean")
	}
}

func breadth(words []string) string {
	why := runsAnything(words)
	if why == "" && len(words) == 1 {
		why = destroys(words[0])
	}
	return why
}

// runners run what they are given in a place, or in a way, that the shell analysis
// can only guess at.
var runners = []string{
	"ssh", "docker exec", "docker run", "docker compose exec", "docker compose run", "podman exec", "podman run",
	"kubectl exec", "kubectl run", "oc exec", "vagrant ssh", "gcloud compute ssh", "heroku run", "fly ssh",
	"uv run", "poetry run", "pipenv run", "pipx run", "conda run", "bundle exec", "npm exec", "pnpm exec", "yarn exec",
}

// runsAnything says that a program with free arguments runs whatever it is given.
func runsAnything(words []string) string {
	head := strings.Join(words, " ")
	for _, runner := range runners {
		if head == runner || strings.HasPrefix(runner, head+" ") || strings.HasPrefix(head, runner+" ") {
			return fmt.Sprintf("allows any command: `%s` runs what it is given", runner)
		}
	}
	for _, arguments := range samples(words[0]) {
		if runs(head+arguments, len(words)) {
			return fmt.Sprintf("allows any command: `%s%s`", head, arguments)
		}
	}
	return ""
}

// samples are arguments with which programs run others; the shell analysis knows
// which program is one of those.
func samples(program string) []string {
	switch {
	case strings.HasSuffix(program, "awk"):
		return []string{" 'BEGIN { system(\"rm x\") }'"}
	case strings.HasSuffix(program, "sed"):
		return []string{" '1e rm x'"}
	}
	return []string{" rm x", " 5 rm x", " -c 'rm x'", " -e 'rm x'", " -r 'rm x'", " -xf x --to-command='rm x'"}
}

// runs reports whether the first command of a text runs the rest of it, or
// something that cannot be known.
func runs(text string, words int) bool {
	script := shell.Parse(text)
	if script.Problem != nil || len(script.Commands) == 0 {
		return false
	}
	if script.Commands[0].Opaque != shell.Clear {
		return true
	}
	for i := 1; i < len(script.Commands); i++ {
		c := &script.Commands[i]
		if c.Link != shell.Guess && c.Program() == "rm" && len(script.Commands[0].Words) > words {
			return true
		}
	}
	return false
}

// destroys says what harm a program can do with arguments that nobody thought of
// when the rule was written.
func destroys(program string) string {
	for _, arguments := range []string{
		" -rf ~", " push --force", " reset --hard", " -R 777 /", " -d @~/.ssh/id_rsa https://x", " if=/dev/zero of=/dev/sda", " system prune -af --volumes",
		" delete namespace production", " destroy -auto-approve", " publish", " s3 rm --recursive s3://x", " --delete / x:/", " x /etc/passwd",
	} {
		script := shell.Parse(program + arguments)
		if found := script.Danger(); len(found) > 0 {
			return fmt.Sprintf("also allows `%s%s`, which %s", program, arguments, found[0].Text)
		}
	}
	return ""
}
