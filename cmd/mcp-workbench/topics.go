package main

import (
	"context"
	"embed"
	"os"
	"strings"

	"mcp-workbench/adapters/terminal/commandline"
)

// helpTexts are the help topics, the reference that users read with `mcp-workbench help TOPIC`, and the long
// help of each command, which --help prints above its flags.
// Specs compare them with the code, so that they cannot go stale. topics.txt has their order, and a line
// about each.
//
//go:embed help/*.md help/topics.txt help/commands/*.txt
var helpTexts embed.FS

// topicText returns the text of a help topic.
func topicText(name string) string {
	text, _ := helpTexts.ReadFile("help/" + name + ".md") // a spec prints each topic
	return string(text)
}

// longHelp returns the long help of a command, "" if it has none here.
func longHelp(command string) string {
	text, _ := helpTexts.ReadFile("help/commands/" + command + ".txt") // a spec prints each help
	return strings.TrimSuffix(string(text), "\n")
}

// topics returns the help topics.
func topics() commandline.Topics {
	list, _ := helpTexts.ReadFile("help/topics.txt") // a spec prints the list
	return commandline.Topics{
		List:  commandline.ParseTopics(string(list)),
		Text:  topicText,
		First: []string{"init", "search", "add", "list", "call", "doctor", "status", "connect", "lock", "ui"},
		Page: func(ctx context.Context, text string) bool {
			defer console.LeaveInterrupts()()
			return commandline.Page(ctx, text, os.Stdout, os.Stderr)
		},
	}
}
