package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// That nothing can listen at the other address of localhost does not say that nobody is there:
// anybody can take all its ports, and listen at that of the server.
func TestT12_AnAddressWithoutFreePortsIsThere(t *testing.T) {
	inOwnNetwork(t, func() error {
		listen := func(port int) (net.Listener, error) { return net.Listen("tcp", fmt.Sprintf("[::1]:%d", port)) }
		if err := os.WriteFile("/proc/sys/net/ipv4/ip_local_port_range", []byte("40000 40001"), 0); err != nil {
			return err
		}
		for _, port := range []int{firstPort, 40000, 40001} {
			l, err := listen(port)
			if err != nil {
				return err
			}
			defer l.Close()
		}
		if l, err := listen(0); !errors.Is(err, unix.EADDRINUSE) {
			return fmt.Errorf("there are free ports: %v, %w", l, err)
		}
		d, err := (&serveFlags{listen: fmt.Sprintf("127.0.0.1:%d", firstPort)}).open()
		if err != nil {
			return err
		}
		defer d.close()
		if strings.Contains(strings.Join(d.names, " "), "localhost") || d.taken == "" {
			t.Errorf("somebody else is at ::1, and it answers to %q", d.names)
		}
		return nil
	})
}

// A machine without ::1 has nobody there.
func TestT12_AMachineWithoutTheOtherAddress(t *testing.T) {
	inOwnNetwork(t, func() error {
		if err := os.WriteFile("/proc/sys/net/ipv6/conf/lo/disable_ipv6", []byte("1"), 0); err != nil {
			return err
		}
		d, err := (&serveFlags{listen: "localhost:0"}).open()
		if err != nil {
			return err
		}
		defer d.close()
		if len(d.listeners) != 1 || !strings.Contains(strings.Join(d.names, " "), "localhost") || strings.Contains(strings.Join(d.names, " "), "::1") {
			t.Errorf("%d listeners, and it answers to %q", len(d.listeners), d.names)
		}
		return nil
	})
}

// inOwnNetwork does something in a network of its own, in which only the loopback interface is. It
// needs a thread, which nobody else may use afterwards.
func inOwnNetwork(t *testing.T, do func() error) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and ends with the goroutine
		err := unix.Unshare(unix.CLONE_NEWNET)
		if err == nil {
			err = loopbackUp()
		}
		if err == nil {
			err = do()
		}
		done <- err
	}()
	switch err := <-done; {
	case errors.Is(err, unix.EPERM):
		t.Skip("only root can make a network")
	case err != nil:
		t.Fatal(err)
	}
}

func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, lo)
}
