package local

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/mcpserver/httpserver"
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
		return fmt.Errorf("listen for the browser: %w; choose another port with --port", err)
	}
	pages := ui.New(c.Sources, ui.Settings{Version: c.Version, Viewer: func(*http.Request) ui.Viewer { return ui.Viewer{Everything: true} }}, c.Log)
	admitted := make(chan struct{})
	handler, path, err := protectedPages(pages, listener.Addr().String(), func() { close(admitted) }, c.Log)
	if err != nil {
		_ = listener.Close() // there were no connections
		return err
	}
	server := httpserver.NewServer(handler, c.Log)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	go pages.Prepare(ctx)
	remove := c.show("http://" + listener.Addr().String() + path)
	for isServed := true; isServed; {
		select {
		case <-admitted:
			remove()
			admitted = nil
		case <-ctx.Done():
			isServed = false
		case err = <-failed:
			err, isServed = fmt.Errorf("serve the page: %w", err), false
		}
	}
	remove()
	pages.Close()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if server.Shutdown(closing) != nil {
		_ = server.Close() // closes the remaining connections
	}
	return err
}

// protectedPages returns the pages behind all checks of requests, and the path that admits a browser. Admitted is called
// when one is.
func protectedPages(pages http.Handler, address string, admitted func(), log *slog.Logger) (handler http.Handler, path string, err error) {
	checks, err := callers.NewGuard(callers.Address{Listen: address, Network: "tcp4", IsLoopback: true}, nil, nil, callers.NewRefusals(log))
	if err != nil {
		return nil, "", err
	}
	gate, path := newAdmission(time.Now(), admitted)
	return ui.ReadOnly(checks.Protect(gate.protect(pages))), path, nil
}

// show prints the address and opens it in the browser, if there is one. Remove removes what the browser needed for
// that.
func (c Command) show(address string) (remove func()) {
	c.Console.Err.Printf("mcp-workbench: the page is at %s\nThe address can be used once, within five minutes: open it yourself if your browser does not. "+
		"Ctrl-C ends the page.\n", address)
	remove = func() {}
	if c.NoBrowser {
		return remove
	}
	failed := func(err error) {
		c.Console.Err.Printf("mcp-workbench: no browser could be opened (%v): open the address on this machine\n", err)
	}
	opened, err := browser.OpenPrivately(address, failed)
	if err != nil {
		failed(err)
		return remove
	}
	return opened
}
