package account

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// T1: whoever makes a user namespace for himself, or several, passes for nobody else there.
func TestT1_ANamespaceMakesNobodyAnother(t *testing.T) {
	const depth = "ASSENT_TEST_NAMESPACES"
	deeper := func(left string, as int) (string, error) {
		cmd := exec.Command("/proc/self/exe", "-test.run=^TestT1_ANamespaceMakesNobodyAnother$", "-test.v")
		cmd.Env = append(os.Environ(), depth+"="+left)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: []syscall.SysProcIDMap{{ContainerID: as, HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{ContainerID: as, HostID: os.Getgid(), Size: 1}}}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	switch os.Getenv(depth) {
	case "1":
		fmt.Printf("account %q\n", Name())
		return
	case "2":
		out, err := deeper("1", 0)
		fmt.Print(out)
		if err != nil {
			fmt.Println("cannot go deeper:", err)
		}
		return
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	const chosen = 4711
	for levels, want := range map[string]string{
		"1": fmt.Sprintf(`account "uid %d+userns@%s"`, os.Getuid(), host),
		"2": fmt.Sprintf(`account "uid %d+userns@%s"`, chosen, host), // which nobody takes for the account 4711
	} {
		out, err := deeper(levels, chosen)
		if err != nil {
			t.Skipf("no user namespace can be made here: %v", err)
		}
		if !strings.Contains(out, want) {
			t.Errorf("%s deep: %s, want %s", levels, out, want)
		}
	}
}
