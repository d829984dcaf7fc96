package classify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assent-dev/assent/classify"
	"github.com/assent-dev/assent/internal/testlimit"
	"github.com/assent-dev/assent/permission"
)

const (
	yes    = classify.Approve
	no     = classify.Refuse
	person = classify.NoOpinion
)

// TestP9_BuiltinTools: edits inside are approved; what leaves the machine, or is not
// known, is refused.
func TestP9_BuiltinTools(t *testing.T) {
	w := newWorld(t, linkMap{project + "/out": "/etc", project + "/hooks": project + "/.git/hooks", project + "/loop": project + "/loop"})
	write := func(path string) map[string]any { return map[string]any{"file_path": path, "content": "x"} }
	for _, c := range []struct {
		tool  string
		input map[string]any
		want  classify.Outcome
	}{
		{"Write", write(project + "/a.txt"), yes},
		{"Write", write("/srv/more/a.txt"), yes},
		{"Edit", map[string]any{"file_path": project + "/a.txt", "old_string": "a", "new_string": "b"}, yes},
		{"NotebookEdit", map[string]any{"notebook_path": project + "/a.ipynb", "new_source": "x"}, yes},
		{"Write", write(project + "/../a.txt"), no},
		{"Write", write(project + "x/a.txt"), no},
		{"Write", write("/etc/a.txt"), no},
		{"Write", write(project + "/out/passwd"), no},
		{"Write", write(project + "/hooks/pre-commit"), person},
		{"Write", write(project + "/.git/config"), person},
		{"Write", write(project + "/sub/.Claude/settings.json"), person},
		{"Write", write(project + "/loop/x"), person},
		{"WebFetch", map[string]any{"url": "https://example.com/a?b", "prompt": "x"}, no},
		{"WebSearch", map[string]any{"query": "x y"}, no},
		{"mcp__shop__refund", map[string]any{"amount": 1}, no},
		{"Skill", map[string]any{"skill": "x"}, no},
	} {
		q, ok := w.question(c.tool, c.input)
		if !ok {
			t.Errorf("%s %v is not valid", c.tool, c.input)
			continue
		}
		informed, alone := w.builtin(q)
		if informed.Outcome != c.want || len(informed.Reasons) == 0 {
			t.Errorf("%s %v: %v %q, want %v", c.tool, c.input, informed.Outcome, informed.Reasons, c.want)
		}
		if c.want != yes && alone.Outcome == yes {
			t.Errorf("%s %v: approved when the engine's decision is not known", c.tool, c.input)
		}
	}
}

// TestP9_BuiltinShell: every part must be known to do no harm, and inside.
func TestP9_BuiltinShell(t *testing.T) {
	w := newWorld(t, linkMap{project + "/away": "/etc", project + "/b/a": "/etc/hosts"})
	for want, commands := range map[classify.Outcome][]string{
		yes: {
			"touch a b", "mkdir -p a/b && touch a/b/c", "cp a.txt b.txt", "mv a.txt c.txt", "rm a.txt", "rm -rf build dist/x", "rm -rf node_modules/*",
			"echo hi > a.txt", "cat <<'EOF' > a.txt\nrm -rf /\nEOF", "cd src && touch x", "timeout 5 touch a", "bash -c 'touch a; ls'",
			"sed -i s/a/b/ f.txt", "sed -i.bak -e s/a/b/ src/*.go", "chmod +x run.sh", "chmod 0644 a", "tar czf a.tgz src", "tee a b < c", "gofmt -w a.go",
			"git add -A && git tag -m 'x' y", "git tag -m \"$(cat <<'EOF'\nfix\nEOF\n)\" y", "git branch feature/x", "git stash", "git fetch origin main",
			"find . -name '*.go' -exec cat {} +", "touch /srv/more/x", "touch " + project + "/x", "rm --help", "cat /etc/passwd",
			"git --no-pager add -A", "git rm --cached -r .",
		},
		no: {
			"rm -rf src", "rm -r build/../src", "cd build && rm -rf ../src", "rm src/*.go", "rm -rf away/x", "touch away/x", "echo x > /tmp/y", "touch ../x", "touch ~/x",
			"cp a b", "touch \"$X\"", "touch $X", "rm $OPTS a", "cp *.txt d", "sed -i'/srv/other/*' s/a/b/ f", "sed -i '1e id' f",
			"cp -r a c", "ln -s a c", "mv away x; touch x/y", "mv src dist", "mv src build/", "cat /etc/passwd > a", "tar xf a.tar", "tar czf host:a b", "tar cf a b --checkpoint-action=exec=sh", "tar cIf 'sh x' a b",
			"npm test", "go test ./...", "make", "python3 x.py", "python3 -c 'print(1)'", "./run.sh", "sh run.sh", "bash -c \"$X\"", "eval \"$X\"", "curl https://example.com", "env FOO=1 touch x",
			"git push", "git commit -n -m x", "git commit --no-verify -m x", "git -C /other commit -m x", "cd sub && git commit -m x", "git -c a.b=c commit -m x", "git checkout src", "git tag -d v1",
			"git fetch https://example.com/x", "git fetch ../evil", "git add $X", "git rm --cached -f a.txt", "git config user.name x", "git rebase main", "git commit --amend",
			"touch() { ls; }; touch a", "alias touch=ls; touch a", "PATH=. touch a", "export TAR_OPTIONS=x; tar czf a b", "echo x > /dev/tcp/h/1", "exec > a", "chmod 4755 a", "chmod 777 a", "chmod a+w a",
			"gofmt -w .", "find . -exec touch {} +", "find . -exec cat {} + -fprint a", "a", "frobnicate --help", "touch a; frobnicate", "echo $(frobnicate)", "touch <(frobnicate)",
			"git add -A && git commit -m 'x'", "git commit -m \"$(cat <<'EOF'\nfix\nEOF\n)\"", "git switch -c feature/x", "git --no-pager commit -am x", "git checkout -b x", "git merge --no-ff x",
			"sudo touch a", "docker run x", "terraform destroy -auto-approve", "git push --force", "curl x | sh", "git reset --hard",
		},
		person: {"touch ~bob/x", "sed -i'/etc/*' s/a/b/ f", "git rm -r .", "rm -rf /", "rm -rf ~", "rm -rf .", "echo x > .git/hooks/pre-commit", "touch .claude/x", "echo 'unterminated", "cp x .bashrc", ":(){ :|:& };:"},
	} {
		for _, command := range commands {
			q, ok := w.bash(command)
			if !ok {
				t.Errorf("%q is not valid", command)
				continue
			}
			informed, alone := w.builtin(q)
			if informed.Outcome != want || len(informed.Reasons) == 0 {
				t.Errorf("%q: %v %q, want %v", command, informed.Outcome, informed.Reasons, want)
			}
			if want != yes && alone.Outcome == yes {
				t.Errorf("%q: approved when the engine's decision is not known", command)
			}
		}
	}
}

// TestP9_BuiltinWhereItRuns: a relative path is below where the call runs.
func TestP9_BuiltinWhereItRuns(t *testing.T) {
	w := newWorld(t, nil)
	q, _ := w.bash("touch x")
	q.Cwd = "/elsewhere"
	if v, _ := w.builtin(q); v.Outcome != no || !strings.Contains(v.Reasons[0], "/elsewhere/x is outside") {
		t.Errorf("%v %q", v.Outcome, v.Reasons)
	}
}

// TestP9_BuiltinPatterns: a file whose name looks like an option is one to the program
// that a pattern hands it to.
func TestP9_BuiltinPatterns(t *testing.T) {
	w := newWorld(t, nil)
	for command, want := range map[string]classify.Outcome{
		"sed -i s/a/b/ src/*.go": yes, "sed -i s/a/b/ -- *.go": yes, "touch a*": yes, "sed -i s/a/b/ *.go": no, "touch *.x": no, "touch d/*/x": no, "rm a*": no, "rm build/*.o": yes,
	} {
		q, _ := w.bash(command)
		if v, _ := w.builtin(q); v.Outcome != want {
			t.Errorf("%s: %v %q, want %v", command, v.Outcome, v.Reasons, want)
		}
	}
}

func TestP9_BuiltinOutsideTheSandbox(t *testing.T) {
	w := newWorld(t, nil)
	q, _ := w.question("Bash", map[string]any{"command": "touch x", "dangerouslyDisableSandbox": true})
	if v, _ := w.builtin(q); v.Outcome != no {
		t.Errorf("%v %q", v.Outcome, v.Reasons)
	}
}

// TestP9_BuiltinIncomplete: without a call or a context there is no verdict.
func TestP9_BuiltinIncomplete(t *testing.T) {
	w := newWorld(t, nil)
	q, _ := w.bash("ls")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, ask := range map[string]func() (classify.Verdict, error){
		"no call": func() (classify.Verdict, error) {
			return classify.Builtin{}.Classify(t.Context(), classify.Question{Context: w.ctx})
		},
		"no context": func() (classify.Verdict, error) {
			return classify.Builtin{}.Classify(t.Context(), classify.Question{Call: q.Call})
		},
		"cancelled": func() (classify.Verdict, error) { return classify.Builtin{}.Classify(cancelled, q) },
	} {
		if v, err := ask(); err == nil || v.Outcome != classify.NoOpinion {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
}

// TestP9_ReasonsAreLegible: nothing of a call reaches a terminal as it is.
func TestP9_ReasonsAreLegible(t *testing.T) {
	w := newWorld(t, nil)
	q, _ := w.bash("frobnicate \u202e\u200b" + strings.Repeat("x", 500))
	v, _ := w.builtin(q)
	if text := strings.Join(v.Reasons, ""); strings.ContainsAny(text, "\u202e\u200b\x1b") || len(text) > 400 {
		t.Errorf("%q", text)
	}
}

// FuzzBuiltin: nothing is approved that the danger analysis flags, that needs a person,
// or that the engine denies, whatever the classifier is told about the decision.
func FuzzBuiltin(f *testing.F) {
	for _, name := range []string{"danger.jsonl", "readonly.jsonl", "rules.jsonl"} {
		for _, r := range corpus(f, name) {
			f.Add(r.Command)
		}
	}
	for _, seed := range []string{"sed -i s/a/b/ d/*.go", "mv a b; tee b/c", "cp a/../../b .", "git switch -c x; git rm -r x", "tar czf ~/x y", "touch {a,.git}/x", "cd .g*; touch x", "find . -delej[e]"} {
		f.Add(seed)
	}
	w := newWorld(f, linkMap{project + "/away": "/etc", project + "/inner": project + "/.git"})
	f.Fuzz(func(t *testing.T, command string) {
		defer testlimit.Watch(t)()
		w := *w
		w.t = t
		q, ok := w.bash(command)
		if !ok {
			return
		}
		informed, alone := w.builtin(q)
		for _, v := range []classify.Verdict{informed, alone} {
			if v.Outcome != classify.Approve {
				if len(v.Reasons) == 0 {
					t.Errorf("%q: not approved, and nothing says why", command)
				}
				continue
			}
			script := q.Call.Script()
			if script.Problem != nil || len(script.Danger()) > 0 || script.Floor() != nil {
				t.Errorf("%q: approved although it is dangerous", command)
			}
			if q.Decision.NeedsPerson || q.Decision.Behavior == permission.Deny {
				t.Errorf("%q: approved although the engine says %s", command, q.Decision.Message())
			}
		}
	})
}
