package main

import (
	"os"

	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/adapters/terminal"
)

// window is a host of a background workbench.
type window struct {
	background.Window
	err   *terminal.Output   // standard error of its bridge
	guard *processtree.Guard // of all hosts
}

// screen returns the output for messages to the user.
func (o options) screen() *terminal.Output {
	if o.window != nil {
		return o.window.err
	}
	return console.Err
}

// place returns the environment and the folders of the host: those of this process, or those of its bridge.
func (o options) place() (background.Window, error) {
	if o.window != nil {
		return o.window.Window, nil
	}
	return background.OwnWindow()
}

// servers returns where servers are started.
func (o options) servers() stdio.Place {
	if o.window == nil {
		return stdio.Place{}
	}
	return stdio.Place{Environ: o.window.Environ, Folder: o.window.Folder}
}

// getenv is os.Getenv in the environment of the host.
func (o options) getenv(name string) string {
	if o.window == nil {
		return os.Getenv(name)
	}
	return o.window.Getenv(name)
}
