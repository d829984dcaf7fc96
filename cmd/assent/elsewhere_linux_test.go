package main

import (
	"bufio"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assent-dev/assent/approval"
	"github.com/assent-dev/assent/inbox/client"
	"github.com/assent-dev/assent/internal/strictjson"
	"github.com/assent-dev/assent/internal/testpostgres"
)

// apart is a machine on which sessions go on, and a server that has nothing of it but the
// database.
type apart struct {
	machine
	web *client.Client
	// hide takes the directory of the sessions from the server, and show gives it to the machine.
	hide, show func()
}

// renamed: the server has no such directory.
func renamed(t *testing.T) apart {
	t.Helper()
	m := machines(t, 2)
	server := m[1].start(m[1].env(databaseVariable+"="+m[1].database), "serve", "--no-resume", "--listen", "127.0.0.1:0")
	address, token, _ := strings.Cut(strings.TrimSpace(server.expect("http")), "/#token=")
	move := func(from, to string) func() {
		return func() {
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
	}
	return apart{m[0], clientOf(t, address, token), move(m[0].dir, m[0].dir+".away"), move(m[0].dir+".away", m[0].dir)}
}

// closed: the server is another user of the operating system, who may not read the directory.
func closed(t *testing.T) apart {
	t.Helper()
	h := newHousehold(t)
	own := *h.place
	own.home, own.dir = filepath.Join(filepath.Dir(h.dir), "root"), filepath.Join(filepath.Dir(h.dir), "closed")
	m := machine{&own, testpostgres.Database(t)}
	token, at := filepath.Join(h.home, "token"), socketOf(t, m.database)
	must := errors.Join(os.Mkdir(own.home, 0o700), os.Mkdir(own.dir, 0o700), os.Chmod(at, 0o755), // the server reaches the database
		os.WriteFile(token, []byte(serveToken), 0o600), os.Chown(token, keeperID, keeperID))
	if must != nil {
		t.Fatal(must)
	}
	server, log := h.as(keeperID, "assent", "serve", "--no-resume", "--listen", "127.0.0.1:0", "--token-file", token), &lockedText{}
	server.Env, server.Stderr = append(server.Env, databaseVariable+"="+m.database), log
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	return apart{m, clientOf(t, strings.TrimSuffix(strings.TrimSpace(link), "/"), serveToken), func() {}, func() {}}
}

// socketOf is the directory in which a database has its socket.
func socketOf(t *testing.T, database string) string {
	t.Helper()
	address, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	return address.Query().Get("host")
}

func clientOf(t *testing.T, address, token string) *client.Client {
	t.Helper()
	web, err := client.New(address, token)
	if err != nil {
		t.Fatal(err)
	}
	return web
}

// People answer at a server that does not have the directory of a session, or may not read it.
// What runs is what the rules of the machine let run that has it.
func TestD8_AServerWithoutTheDirectory(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(*testing.T) apart{"it is on another machine": renamed, "it is closed to the user of the server": closed} {
		for rules, ends := range map[string]approval.State{`{}`: approval.Done, `{"permissions": {"deny": ["Bash(echo:*)"]}}`: approval.Refused} {
			t.Run(name+", "+string(ends), func(t *testing.T) {
				t.Parallel()
				m := begin(t)
				m.parks(chosenID, "echo ran >> effects")
				id := m.ticket()
				m.hide()
				d, err := m.web.Detail(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				if !d.MayAnswer || d.Editable || d.Problem != "" || !strings.Contains(d.Fixed, "nobody here could judge another input") || !strings.Contains(d.Fixed, m.dir) {
					t.Errorf("%+v", d)
				}
				_, err = m.web.Approve(t.Context(), id, client.Yes{Digest: d.Digest, Input: strictjson.Raw(`{"command":"echo other >> effects"}`)})
				if e, ok := errors.AsType[*client.Error](err); !ok || e.Status != http.StatusConflict || !strings.Contains(e.Message, d.Fixed) {
					t.Errorf("another input: %v", err)
				}
				if after, err := m.web.Approve(t.Context(), id, client.Yes{Digest: d.Digest}); err != nil || after.State != string(approval.Approved) {
					t.Fatalf("%+v, %v", after, err)
				}
				m.show()
				if err := os.MkdirAll(filepath.Join(m.dir, ".claude"), 0o755); err != nil {
					t.Fatal(err)
				}
				m.write(".claude/settings.json", rules)
				if _, complained, status := m.says("-p", "--resume", chosenID, "--model", m.playing("end.yaml", "turns: []\nafterwards: Done.\n")); status != 0 {
					t.Fatal(complained)
				}
				if after := mustFind(t, m.shared(), id); after.State != ends || (m.effects() == "ran\n") != (ends == approval.Done) {
					t.Errorf("it is %s, and ran %q", after.State, m.effects())
				}
			})
		}
	}
}
