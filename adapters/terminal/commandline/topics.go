package commandline

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal"
)

// Topics are the help topics of the program.
type Topics struct {
	// List has the name and the summary of each topic, in the order in which they are listed.
	List []Topic
	// Text returns the text of a topic.
	Text func(name string) string
	// Page shows a text in the pager of the user, and reports whether there is one.
	Page func(ctx context.Context, text string) bool
	// First are the names of the commands in the help of the program, which leaves out the others.
	First []string
}

// usualColumns is the width of text if the terminal has none.
const usualColumns = 80

// Topic is one topic in the list: its name and a line about it.
type Topic struct{ Name, Line string }

// ParseTopics returns the topics of a list in which each line is "NAME: LINE".
func ParseTopics(list string) []Topic {
	var topics []Topic
	for line := range strings.Lines(list) {
		name, about, _ := strings.Cut(strings.TrimSpace(line), ": ")
		topics = append(topics, Topic{Name: name, Line: about})
	}
	return topics
}

// Commands returns the topics as commands that cannot be run. Cobra lists them as "Additional help topics".
func (t Topics) Commands() []*cobra.Command {
	var commands []*cobra.Command
	for _, topic := range t.List {
		command := &cobra.Command{Use: topic.Name, Short: topic.Line}
		command.SetHelpFunc(func(command *cobra.Command, _ []string) {
			if err := t.show(command, command.Name(), ""); err != nil {
				command.PrintErrln(err)
			}
		})
		commands = append(commands, command)
	}
	return commands
}

// NewHelpCommand returns the command "help". Unlike cobra's own, it fails for a topic that does not exist, and can
// show one section of a topic.
func (t Topics) NewHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC [SECTION]]",
		Short: "Show help about a command or a topic",
		Long: `Show help about a command or a topic, or one section of a topic. Words of the section's
name are enough. A text that is longer than the terminal is shown by the program in PAGER.

  mcp-workbench help call
  mcp-workbench help configuration
  mcp-workbench help configuration limits`,
		ValidArgsFunction: t.complete,
		RunE: func(command *cobra.Command, args []string) error {
			root := command.Root()
			if len(args) == 0 {
				return t.print(root, root.Long+"\n\n"+root.UsageString())
			}
			if slices.ContainsFunc(t.List, func(topic Topic) bool { return topic.Name == args[0] }) {
				return t.show(command, args[0], strings.Join(args[1:], " "))
			}
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("no help about %q; topics: %s; commands: %s", strings.Join(args, " "),
					strings.Join(NamesOf(root, (*cobra.Command).IsAdditionalHelpTopicCommand), ", "), strings.Join(NamesOf(root, (*cobra.Command).Runnable), ", "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// PrintHelp prints the help of a command. That of the program has the first commands only. It is for
// [cobra.Command.SetHelpFunc].
func (t Topics) PrintHelp(command *cobra.Command, _ []string) {
	text := command.Long + "\n\n" + command.UsageString()
	if !command.HasParent() {
		text = t.short(command)
	}
	if err := t.print(command, text); err != nil {
		command.PrintErrln(err)
	}
}

// short returns the help of the program, with the first commands only.
func (t Topics) short(root *cobra.Command) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\nUsage:\n  %s [command] [flags]\n\n", root.Long, root.Name())
	for _, name := range t.First {
		for _, command := range root.Commands() {
			if command.Name() == name && command.Runnable() { // a topic can have the same name
				fmt.Fprintf(&text, "  %-10s %s\n", name, command.Short)
			}
		}
	}
	fmt.Fprintf(&text, "  %-10s %s\n\n", "help", "Show all commands and topics, or help about one of them")
	fmt.Fprintf(&text, "Flags of all commands:\n%s", root.PersistentFlags().FlagUsages())
	return text.String()
}

// show shows a topic, or one section of it.
func (t Topics) show(command *cobra.Command, name, section string) error {
	topic := ParseTopic(t.Text(name))
	text := topic.Text("mcp-workbench help " + name)
	if section != "" {
		var err error
		if text, err = topic.Section(section); err != nil {
			return fmt.Errorf("the topic %s has %w", name, err)
		}
	}
	return t.print(command, text)
}

// print prints a text on lines that fit the terminal, in a pager if it has more lines than the terminal.
func (t Topics) print(command *cobra.Command, text string) error {
	out, isConsole := command.OutOrStdout().(*terminal.Output)
	if !isConsole || out.Columns() == 0 {
		_, err := io.WriteString(command.OutOrStdout(), WrapText(text, usualColumns))
		return err
	}
	text = WrapText(text, out.Columns())
	if strings.Count(text, "\n") >= out.Rows() && out.Rows() > 0 && t.Page(command.Context(), text) {
		return nil
	}
	_, err := io.WriteString(out, text)
	return err
}

// complete completes commands and topics and, after a topic, its sections.
func (t Topics) complete(command *cobra.Command, words []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	switch len(words) {
	case 0:
	case 1:
		return ParseTopic(t.Text(words[0])).SectionWords(), cobra.ShellCompDirectiveNoFileComp
	default:
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, child := range command.Root().Commands() {
		if child.IsAvailableCommand() || child.IsAdditionalHelpTopicCommand() {
			names = append(names, cobra.CompletionWithDesc(child.Name(), child.Short))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// NamesOf returns the names of the wanted commands, except help.
func NamesOf(root *cobra.Command, wanted func(*cobra.Command) bool) []string {
	var names []string
	for _, command := range root.Commands() {
		if wanted(command) && command.Name() != "help" {
			names = append(names, command.Name())
		}
	}
	return names
}
