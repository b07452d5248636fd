package main

import (
	"context"
	"embed"
	"os"

	"mcp-workbench/adapters/commandline"
	"mcp-workbench/adapters/help"
)

// helpTexts are the help topics: the reference that users read with `mcp-workbench help TOPIC`.
// Specs compare them with the code, so that they cannot go stale.
//
//go:embed help/*.md
var helpTexts embed.FS

// topicText returns the text of a help topic.
func topicText(name string) string {
	text, _ := helpTexts.ReadFile("help/" + name + ".md") // a spec prints each topic
	return string(text)
}

// topics returns the help topics.
func topics() commandline.Topics {
	return commandline.Topics{
		List: []commandline.Topic{
			{Name: "installation", Line: "Ways to get the program, to check, update and remove it"},
			{Name: "configuration", Line: "Keys, limits, variables and servers in the configuration file"},
			{Name: "protocol", Line: "What passes between host and servers"},
			{Name: "guarantees", Line: "What the workbench guarantees, with figures"},
			{Name: "troubleshooting", Line: "Messages and what to do about them, and exit codes"},
			{Name: "tool-modes", Line: "Two tools for the host, or every tool of open toolboxes"},
			{Name: "finding", Line: "Finding a tool by words, and how often that succeeds"},
			{Name: "results", Line: "Long results: how they are cut, and how a model asks for more"},
			{Name: "hosts", Line: "How to add the workbench to each host, and what each host does"},
			{Name: "background", Line: "One workbench for all windows of your hosts"},
			{Name: "team", Line: "One workbench for many hosts, over HTTP"},
			{Name: "telemetry", Line: "Spans and metrics for OpenTelemetry"},
			{Name: "shell", Line: "Listing and calling tools from a terminal, doctor, and what --json prints"},
			{Name: "status", Line: "What running workbenches do, logs of servers, and restarting one"},
			{Name: "ui", Line: "The page that shows what happens"},
			{Name: "activity", Line: "The record of calls, and how to see how tools are used"},
			{Name: "logins", Line: "Logging in to remote servers, and where logins are kept"},
			{Name: "approvals", Line: "Tools that need a yes, and tools that a host approves once"},
			{Name: "locking", Line: "Reviewing tools, and noticing when they change"},
		},
		Text: topicText,
		Page: func(ctx context.Context, text string) bool {
			defer console.LeaveInterrupts()()
			return help.Page(ctx, text, os.Stdout, os.Stderr)
		},
	}
}
