package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// listen answers over HTTP what serve answers over pipes, each request with one
// JSON object. The first line of its output is where it listens; it ends with its
// input.
func (s *server) listen() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "http://%s/mcp\n", listener.Addr())
	site := &http.Server{Handler: http.HandlerFunc(s.answer), ReadHeaderTimeout: time.Minute}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // however it ends, it is the end
		site.Close()
	}()
	if err := site.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	message, err := io.ReadAll(r.Body)
	if err != nil {
		return // the host is gone
	}
	var answer bytes.Buffer
	one := server{tools: s.tools, plain: s.plain, out: &answer}
	if err := one.handle(message); err != nil || answer.Len() == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(bytes.TrimSuffix(answer.Bytes(), []byte("\n"))) // a host that is gone does not care
}
