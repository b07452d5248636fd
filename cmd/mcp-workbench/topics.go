package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/help"
	"mcp-workbench/adapters/terminal"
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

// newHelpTopics returns the topics as commands that cannot be run: cobra lists them
// as "Additional help topics".
func newHelpTopics() []*cobra.Command {
	topics := []*cobra.Command{
		{Use: "configuration", Short: "Keys, limits, variables and servers in the configuration file"},
		{Use: "protocol", Short: "What passes between host and servers"},
		{Use: "guarantees", Short: "What the workbench guarantees, with figures"},
		{Use: "troubleshooting", Short: "Messages and what to do about them, and exit codes"},
		{Use: "tool-modes", Short: "Two tools for the host, or every tool of open toolboxes"},
		{Use: "hosts", Short: "How to add the workbench to each host, and what each host does"},
		{Use: "team", Short: "One workbench for many hosts, over HTTP"},
		{Use: "shell", Short: "Listing and calling tools from a terminal, doctor, and what --json prints"},
		{Use: "logins", Short: "Logging in to remote servers, and where logins are kept"},
		{Use: "approvals", Short: "Tools that need a yes, and tools that a host approves once"},
		{Use: "locking", Short: "Reviewing tools, and noticing when they change"},
	}
	for _, topic := range topics {
		topic.SetHelpFunc(func(command *cobra.Command, _ []string) {
			if err := showTopic(command.Context(), command, ""); err != nil {
				command.PrintErrln(err)
			}
		})
	}
	return topics
}

// newHelpCommand returns the command help. Unlike cobra's own it fails for a topic
// that does not exist, and shows single sections of topics.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC [SECTION]]",
		Short: "Show help about a command or a topic",
		RunE: func(command *cobra.Command, args []string) error {
			root := command.Root()
			found, rest, err := root.Find(args)
			if err == nil && found.IsAdditionalHelpTopicCommand() {
				return showTopic(command.Context(), found, strings.Join(rest, " "))
			}
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("no help about %q; topics: %s; commands: %s", strings.Join(args, " "),
					strings.Join(namesOf(root, (*cobra.Command).IsAdditionalHelpTopicCommand), ", "), strings.Join(namesOf(root, (*cobra.Command).Runnable), ", "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// showTopic shows a topic, or a section of it. A text that is longer than the terminal is
// shown in a pager.
func showTopic(ctx context.Context, command *cobra.Command, section string) error {
	topic := help.Parse(topicText(command.Name()))
	text := topic.Text("mcp-workbench help " + command.Name())
	if section != "" {
		var err error
		if text, err = topic.Section(section); err != nil {
			return fmt.Errorf("the topic %s has %w", command.Name(), err)
		}
	}
	out, isConsole := command.OutOrStdout().(*terminal.Output)
	if isConsole && strings.Count(text, "\n") >= out.Rows() && out.Rows() > 0 && help.Page(ctx, text, os.Stdout, os.Stderr) {
		return nil
	}
	_, err := io.WriteString(command.OutOrStdout(), text)
	return err
}

// namesOf returns the names of the commands that are wanted, but for help itself.
func namesOf(root *cobra.Command, wanted func(*cobra.Command) bool) []string {
	var names []string
	for _, command := range root.Commands() {
		if wanted(command) && command.Name() != "help" {
			names = append(names, command.Name())
		}
	}
	return names
}
