// Command bridge lets an MCP server on stdio be reached over HTTP, on this machine
// only, since the official conformance suite speaks nothing else:
//
//	bridge -addr 127.0.0.1:0 -- SERVER ARGS
//
// It prints the address it listens at. What the server says passes through it as
// it is, but for the ids of requests; what is HTTP's own (sessions, headers,
// statuses, streams) is the bridge's alone.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bridge: ")
	addr := flag.String("addr", "127.0.0.1:0", "where to listen; port 0 takes a free one")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("which server? Say: bridge [-addr 127.0.0.1:PORT] -- SERVER ARGS")
	}
	host, _, err := net.SplitHostPort(*addr)
	if err != nil || host != "127.0.0.1" {
		log.Fatalf("-addr %s: want 127.0.0.1:PORT, as anybody else could use the server", *addr)
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())

	b := newBridge(func() *exec.Cmd {
		cmd := exec.Command(flag.Arg(0), flag.Args()[1:]...)
		cmd.Stderr = os.Stderr
		return cmd
	})
	server := &http.Server{Handler: b, ReadHeaderTimeout: 10 * time.Second}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go func() {
		<-stop.Done()
		server.Close()
	}()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		log.Print(err)
	}
	b.close()
}
