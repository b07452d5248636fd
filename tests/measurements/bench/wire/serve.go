package wire

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// Listening comes before the URL in the output of a program that listens.
const Listening = "listening on "

// Serve serves HTTP on a free local port until the input ends. It prints the URL to
// standard error.
func Serve(input io.Reader, handler http.Handler) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Fprintf(os.Stderr, "%shttp://%s/mcp\n", Listening, listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, input) // only its end counts
	}()
	select {
	case err := <-served:
		return err
	case <-ended:
		return server.Close()
	}
}
