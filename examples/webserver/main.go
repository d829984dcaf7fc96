// Webserver answers over HTTP what assent decides about a tool call, and why. It embeds the
// engine alone: there is no agent, no model, and nothing runs.
//
//	webserver [-listen 127.0.0.1:8080] [-dir PROJECT] [-trust]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/assent-dev/assent/settings"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "the address to listen on, of this machine only")
	dir := flag.String("dir", ".", "the project whose settings decide")
	trust := flag.Bool("trust", false, "let the project's own settings grant what they say")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *listen, *dir, *trust); err != nil {
		log.Fatal(err)
	}
}

// serve answers until the context ends, and lets the requests that have begun come to their
// end.
func serve(ctx context.Context, address, dir string, trust bool) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	decisions, err := newDecisions(settings.Options{Dir: dir, Home: home, TrustWorkspace: trust})
	if err != nil {
		return err
	}
	listener, err := listenHere(address)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           decisions.routes(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	fmt.Printf("http://%s/check\n", listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	farewell, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return server.Shutdown(farewell)
}

// listenHere listens on an address of this machine. Whoever can reach the server learns the
// policy, and nobody is asked for a name here.
func listenHere(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if where, ok := listener.Addr().(*net.TCPAddr); !ok || !where.IP.IsLoopback() {
		return nil, errors.Join(fmt.Errorf("%s can be reached from elsewhere (use 127.0.0.1, and something that asks who is there in front of it)", listener.Addr()), listener.Close())
	}
	return listener, nil
}
