package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/hostfiles/skills"
	"mcp-workbench/adapters/plugins"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/domain"
)

func newPluginCommand(options *options) *cobra.Command {
	var toolboxes string
	var withSkills bool
	command := &cobra.Command{
		Use:   "plugin FOLDER",
		Short: "Write a plugin that starts the workbench with some toolboxes, for every host that reads plugins",
		Args:  commandline.WordsBetween(1, 1, "name the folder to write"),
		RunE: func(_ *cobra.Command, args []string) error {
			return writePlugin(*options, args[0], toolboxes, withSkills)
		},
	}
	command.Flags().StringVar(&toolboxes, "toolbox", "", "the `toolboxes` of the plugin, such as files,web (default: all)")
	command.Flags().BoolVar(&withSkills, "skills", false, "with a skill for each toolbox, for agents with a shell")
	options.completing().FlagToolbox(command)
	return command
}

// writePlugin writes a plugin with toolboxes, whose names are separated by commas, "" for all.
func writePlugin(options options, folder, toolboxes string, withSkills bool) error {
	configuration, err := options.inForce().load(checkingTransports())
	if err != nil {
		return unusable(err)
	}
	written := plugins.Written{
		Program: skills.Program, Version: version, Toolboxes: configuration.Catalog.Toolboxes(), All: toolboxes == "", Files: map[string][]byte{},
	}
	if !written.All {
		written.Toolboxes = nil
		names, err := config.ParseToolboxes(toolboxes)
		if err != nil {
			return &setup.UsageError{Err: err}
		}
		for _, name := range names {
			toolbox, err := configuration.Catalog.Toolbox(domain.ToolboxName(name))
			if err != nil {
				return &setup.UsageError{Err: err}
			}
			written.Toolboxes = append(written.Toolboxes, toolbox)
		}
	}
	if len(written.Toolboxes) == 0 {
		return &setup.UsageError{Err: errors.New("there are no toolboxes to write a plugin with; 'mcp-workbench add' makes one")}
	}
	for _, toolbox := range written.Toolboxes {
		if !withSkills {
			break
		}
		skill, err := skills.ToolboxOf(toolbox).Skill(skills.Program)
		if err != nil {
			return &setup.UsageError{Err: err}
		}
		for _, file := range skill.Files {
			written.Files["skills/"+skill.Name+"/"+file.Path] = file.Text
		}
	}
	if err := written.Write(folder); err != nil {
		return err
	}
	console.Out.Printf("Wrote the plugin %s with %s into %s. Its README.md says what it needs.\n",
		written.Name(), strings.Join(domain.NamesOf(written.Toolboxes), ", "), folder)
	return nil
}
