package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assent-dev/assent/dialect"
)

// unknownRules deny what the inputs below name, and allow everything else.
const unknownRules = `{"permissions":{"defaultMode":"bypassPermissions",
  "deny":["Bash(rm:*)","Read(./secret/**)","Edit(./lock)","WebFetch(domain:evil.example)","Agent(evil)"]}}`

// What the input of an unknown tool names is found under any name for it, and what
// lies in a directory is part of it.
func TestT4_InputsOfUnknownTools(t *testing.T) {
	inputs := map[string]bool{
		`{"path":"a"}`:                                     true,
		`{"path":"a.txt"}`:                                 true,
		`{"path":"web"}`:                                   true,
		`{"file_name":"a","content":"secret/a"}`:           true,
		`{"cmd":"make","workdir":"."}`:                     true,
		`{"command":"make","args":["-j","4"]}`:             true,
		`{"code":"const x = await y(); // rm"}`:            true,
		`{"target":"production"}`:                          true,
		`{"files":[{"name":"a","content":"rm -rf x\nb"}]}`: true,
		`{"params":"{\"path\":\"a\"}"}`:                    true,
		`{"params":"{ not json"}`:                          true,
		`{"file_text":"secret/a"}`:                         true,

		`{"path":"secret"}`:                                        false,
		`{"path":"./secret/"}`:                                     false,
		`{"path":"sec"}`:                                           true, // there is no such directory
		`{"path":"."}`:                                             false,
		`{"dir_path":"secret"}`:                                    false,
		`{"cwd":"secret","pattern":"x"}`:                           false,
		`{"cmd":"cat a","workdir":"secret"}`:                       false,
		`{"cmd":["cat","a"],"cwd":"web/../secret"}`:                false,
		`{"target_directories":["web","secret"]}`:                  false,
		`{"files":["secret"]}`:                                     false,
		`{"path":"link"}`:                                          false,
		`{"file_name":"secret/a"}`:                                 false,
		`{"fileName":"secret/a"}`:                                  false,
		`{"filename":"secret/a"}`:                                  false,
		`{"pathname":"secret/a"}`:                                  false,
		`{"target":"secret/a"}`:                                    false,
		`{"source":"secret/a","destination":"b"}`:                  false,
		`{"source":"a","destination":"lock"}`:                      false,
		`{"src":"secret/a","dest":"b"}`:                            false,
		`{"files":{"secret/a":"content"}}`:                         false,
		`{"files":{"lock":{"content":"x"}}}`:                       false,
		`{"files":[{"name":"secret/a"}]}`:                          false,
		`{"files":[{"x":{"id":"secret/a"}}]}`:                      false,
		`{"params":"{\"path\":\"secret/a\"}"}`:                     false,
		`{"params":" [{\"path\":\"secret/a\"}]"}`:                  false,
		`{"params":"{\"p\":\"{\\\"path\\\":\\\"secret/a\\\"}\"}"}`: false,
		`{"command_line":"rm -rf x"}`:                              false,
		`{"commandLine":"rm -rf x"}`:                               false,
		`{"command_text":"rm -rf x"}`:                              false,
		`{"args":["rm","-rf","x"]}`:                                false,
		`{"argv":["rm","-rf","x"]}`:                                false,
		`{"command":"rm","args":["-rf","x"]}`:                      false,
		`{"command":"sudo","args":["rm","x"]}`:                     false,
		`{"code":"rm -rf x"}`:                                      false,
		`{"source_url":"https://evil.example/"}`:                   false,
		`{"link":"https://evil.example/"}`:                         false,
		`{"urls":["https://evil.example/"]}`:                       false,
	}
	for _, agent := range dialect.Agents {
		w := unknownWorld(t, agent)
		for input, want := range inputs {
			if reply := w.send(toolEvent(agent, w.proj, "Novelty", input)); w.letsThrough(reply) != want {
				t.Errorf("%v: %s: %s%s", agent, input, reply.Stdout, reply.Stderr)
			}
		}
	}
}

func unknownWorld(t *testing.T, agent dialect.Agent) *world {
	t.Helper()
	w := newWorld(t, agent).user(unknownRules)
	w.write(w.proj, "secret/a", "").write(w.proj, "web/a", "").write(w.proj, ".git/HEAD", "")
	w.write(w.proj, "a.txt", "")
	if err := os.Symlink("secret", filepath.Join(w.proj, "link")); err != nil {
		t.Fatal(err)
	}
	return w
}

// Tools of the agents that assent has no word for, and words for known tools that it
// does not know.
func TestT4_AgentsUnknownTools(t *testing.T) {
	const claude, codex, gemini, cursor, copilot = dialect.Claude, dialect.Codex, dialect.Gemini, dialect.Cursor, dialect.Copilot
	for _, test := range []struct {
		agent       dialect.Agent
		tool, input string
		through     bool
	}{
		{codex, "list_dir", `{"dir_path":"secret"}`, false},
		{codex, "grep_files", `{"pattern":"x","path":"secret"}`, false},
		{gemini, "ls", `{"path":"secret"}`, false},
		{gemini, "grep", `{"pattern":"x","path":"secret"}`, false},
		{cursor, "SemanticSearch", `{"query":"x","target_directories":["secret"]}`, false},
		{claude, "SendUserFile", `{"files":["secret/a"]}`, false},
		{gemini, "web_fetch", `{"prompt":"no url","urls":["https://evil.example"]}`, false},
		{gemini, "web_fetch", `{"prompt":"no url","url":"https://evil.example"}`, false},
		{gemini, "web_fetch", `{"prompt":"no url","link_url":"https://good.example"}`, false},
		{gemini, "web_fetch", `{"prompt":"see https://good.example"}`, true},
		{claude, "WebFetch", `{"url":"https://good.example","urls":["https://evil.example"],"prompt":""}`, false},
		{claude, "Bash", `{"command":"ls","script":"rm x"}`, false},
		{claude, "Bash", `{"command":"ls","commands":["rm x"]}`, false},
		{claude, "Bash", `{"command":"ls","args":["x"]}`, false},
		{claude, "Bash", `{"command":"ls","args":[],"description":"x","run_in_background":true,"timeout":5}`, true},
		{claude, "NotebookEdit", `{"notebook_path":"a.ipynb","new_source":"x","cell_type":"code","edit_mode":"replace"}`, true},
		{codex, "exec_command", `{"cmd":"make","workdir":"web","yield_time_ms":5,"justification":"x","prefix_rule":["make"]}`, true},
		{copilot, "create", `{"path":"a","file_text":"secret/a"}`, true},

		{codex, "spawn_agent", `{"agent_type":"evil"}`, false},
		{codex, "spawn_agent", `{"agent":"evil"}`, false},
		{codex, "spawn_agent", `{"name":"evil"}`, false},
		{codex, "spawn_agent", `{"agent_type":"good","name":"fine"}`, true},
		{copilot, "task", `{"name":"evil"}`, false},
		{copilot, "task", `{"agent_type":"good","name":"fine"}`, true},
		{gemini, "delegate_to_agent", `{"agent_name":"evil"}`, false},
		{gemini, "invoke_agent", `{"agent_name":"evil"}`, false},
		{gemini, "invoke_agent", `{"agent_name":"good"}`, true},
	} {
		w := unknownWorld(t, test.agent)
		if reply := w.send(toolEvent(test.agent, w.proj, test.tool, test.input)); w.letsThrough(reply) != test.through {
			t.Errorf("%v: %s %s: %s", test.agent, test.tool, test.input, reply.Stdout)
		}
	}
}

// A call that says which shell runs it, or sets variables that load code, is not the
// command that it names.
func TestT4_ShellAndEnvironment(t *testing.T) {
	w := newWorld(t, dialect.Codex).user(`{"permissions":{"allow":["Bash(make:*)"],"deny":["Bash(rm:*)"]}}`)
	for input, want := range map[string]bool{
		`{"cmd":"ls"}`:                                             true,
		`{"cmd":"ls","shell":"bash"}`:                              true,
		`{"cmd":"ls","shell":"/bin/zsh","login":true}`:             true,
		`{"cmd":"ls","shell":"/usr/bin/dash"}`:                     true,
		`{"cmd":"ls","shell":"/opt/homebrew/bin/bash"}`:            true,
		`{"cmd":"ls","shell":"/usr/local/bin/sh"}`:                 true,
		`{"cmd":"ls","shell":null}`:                                true,
		`{"cmd":"ls","env":{"FOO":"1"}}`:                           true,
		`{"cmd":"ls","env":{}}`:                                    true,
		`{"cmd":"ls","env":["FOO=1"]}`:                             true,
		`{"cmd":"ls","shell":"/tmp/evil"}`:                         false,
		`{"cmd":"ls","shell":"./bash"}`:                            false,
		`{"cmd":"ls","shell":"/bin/../tmp/bash"}`:                  false,
		`{"cmd":"ls","shell":"/tmp/bash"}`:                         false,
		`{"cmd":"ls","shell":"python3"}`:                           false,
		`{"cmd":"ls","shell":"pwsh"}`:                              false,
		`{"cmd":"ls","shell":""}`:                                  true,
		`{"cmd":"ls","shell":["bash"]}`:                            false,
		`{"cmd":"ls","shell":{"path":"/tmp/evil"}}`:                false,
		`{"cmd":"ls","env":{"CI":"1","TZ":"Europe/Berlin"}}`:       true,
		`{"cmd":"ls","env":{"PATH":"/tmp/evil"}}`:                  false,
		`{"cmd":"ls","env":{"FOO":"/tmp/evil"}}`:                   false,
		`{"cmd":"ls","env":{"LD_PRELOAD":"x.so"}}`:                 false,
		`{"cmd":"ls","env":{"FOO":"1","BASH_ENV":"x"}}`:            false,
		`{"cmd":"ls","env":{"a b":"1"}}`:                           false,
		`{"cmd":"ls","env":["FOO=1","PATH=/tmp/evil"]}`:            false,
		`{"cmd":"ls","env":[{"name":"PATH","value":"/tmp/evil"}]}`: false,
		`{"cmd":"ls","env":"PATH=/tmp/evil"}`:                      false,
		`{"cmd":"ls","environment":{"PATH":"/tmp/evil"}}`:          false,
		`{"cmd":"ls","env_vars":{"PATH":"/tmp/evil"}}`:             false,
	} {
		for _, mode := range []string{"default", "bypassPermissions"} {
			event := with(toolEvent(dialect.Codex, w.proj, "exec_command", input), "permission_mode", mode)
			if reply := w.send(event); w.letsThrough(reply) != want {
				t.Errorf("%s in %s: %s", input, mode, reply.Stdout)
			}
		}
	}
}
