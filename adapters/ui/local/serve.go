package local

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"mcp-workbench/adapters/httpserver"
	"mcp-workbench/adapters/httpserver/guard"
	"mcp-workbench/adapters/system/browser"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/ui"
)

// Command is the command that opens the page.
type Command struct {
	Sources ui.Sources
	Version string
	// Port is the port to listen on at 127.0.0.1, 0 for any free port.
	Port      uint16
	NoBrowser bool
	// Console is the console on which the address is printed.
	Console *terminal.Console
	Log     *slog.Logger
}

// Run serves the page until the context ends.
//
// Failures: those of listening and serving.
func (c Command) Run(ctx context.Context) error {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(int(c.Port)))
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", address)
	if err != nil {
		return fmt.Errorf("listen for the browser: %w", err)
	}
	pages := ui.New(c.Sources, ui.Settings{Version: c.Version, Viewer: func(*http.Request) ui.Viewer { return ui.Viewer{Everything: true} }}, c.Log)
	handler, token, err := protected(pages, listener.Addr().String(), c.Log)
	if err != nil {
		_ = listener.Close() // there were no connections
		return err
	}
	server := httpserver.NewServer(handler, c.Log)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go pages.Prepare(ctx)
	c.show("http://" + listener.Addr().String() + ui.Path + "?" + tokenKey + "=" + token)
	select {
	case <-ctx.Done():
	case err = <-failed:
		err = fmt.Errorf("serve the page: %w", err)
	}
	pages.Close()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if server.Shutdown(closing) != nil {
		_ = server.Close() // closes the remaining connections
	}
	return err
}

// protected returns the pages behind all checks of requests, and the token that admits a browser.
func protected(pages http.Handler, address string, log *slog.Logger) (handler http.Handler, token string, err error) {
	checks, err := guard.New(guard.Address{Listen: address, Network: "tcp4", IsLoopback: true}, nil, nil, guard.NewRefusals(log))
	if err != nil {
		return nil, "", err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", fmt.Errorf("find the port of %q: %w", address, err)
	}
	gate, token := newAdmission(port, time.Now())
	return ui.ReadOnly(checks.Protect(gate.protect(pages))), token, nil
}

// show prints the address and opens it in the browser, if there is one.
func (c Command) show(address string) {
	c.Console.Err.Printf("mcp-workbench: the page is at %s\nThe address can be used once, within five minutes. Ctrl-C ends the page.\n", address)
	if c.NoBrowser {
		return
	}
	failed := func(err error) {
		c.Console.Err.Printf("mcp-workbench: no browser could be opened (%v): open the address on this machine\n", err)
	}
	if err := browser.Open(address, failed); err != nil {
		failed(err)
	}
}
