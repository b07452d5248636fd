package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/help"
	"mcp-workbench/adapters/terminal"
)

// The help topics: the reference that users read with `mcp-workbench help TOPIC`.
// Specs compare them with the code, so that they cannot go stale.
var (
	//go:embed help/configuration.md
	configurationTopic string
	//go:embed help/protocol.md
	protocolTopic string
	//go:embed help/guarantees.md
	guaranteesTopic string
	//go:embed help/troubleshooting.md
	troubleshootingTopic string
	//go:embed help/tool-modes.md
	toolModesTopic string
	//go:embed help/approvals.md
	approvalsTopic string
	//go:embed help/locking.md
	lockingTopic string
	//go:embed help/logins.md
	loginsTopic string
	//go:embed help/shell.md
	shellTopic string
	//go:embed help/hosts.md
	hostsTopic string
	//go:embed help/team.md
	teamTopic string
)

// newHelpTopics returns the topics as commands that cannot be run: cobra lists them
// as "Additional help topics".
func newHelpTopics() []*cobra.Command {
	topics := []*cobra.Command{
		{Use: "configuration", Short: "Keys, limits, variables and servers in the configuration file", Long: configurationTopic},
		{Use: "protocol", Short: "What passes between host and servers", Long: protocolTopic},
		{Use: "guarantees", Short: "What the workbench guarantees, with figures", Long: guaranteesTopic},
		{Use: "troubleshooting", Short: "Messages and what to do about them, and exit codes", Long: troubleshootingTopic},
		{Use: "tool-modes", Short: "Two tools for the host, or every tool of open toolboxes", Long: toolModesTopic},
		{Use: "hosts", Short: "How to add the workbench to each host, and what each host does", Long: hostsTopic},
		{Use: "team", Short: "One workbench for many hosts, over HTTP", Long: teamTopic},
		{Use: "shell", Short: "Listing and calling tools from a terminal, doctor, and what --json prints", Long: shellTopic},
		{Use: "logins", Short: "Logging in to remote servers, and where logins are kept", Long: loginsTopic},
		{Use: "approvals", Short: "Tools that need a yes, and tools that a host approves once", Long: approvalsTopic},
		{Use: "locking", Short: "Reviewing tools, and noticing when they change", Long: lockingTopic},
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
					strings.Join(topicNames(root), ", "), strings.Join(commandNames(root), ", "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// showTopic shows a topic, or a section of it. A text that is longer than the terminal is
// shown in a pager.
func showTopic(ctx context.Context, command *cobra.Command, section string) error {
	topic := help.Parse(command.Long)
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

// topicNames returns the names of the help topics.
func topicNames(root *cobra.Command) []string {
	var names []string
	for _, command := range root.Commands() {
		if command.IsAdditionalHelpTopicCommand() {
			names = append(names, command.Name())
		}
	}
	return names
}

// commandNames returns the names of the commands that can be run.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, command := range root.Commands() {
		if command.Runnable() && command.Name() != "help" {
			names = append(names, command.Name())
		}
	}
	return names
}
