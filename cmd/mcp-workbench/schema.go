package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/terminal/commandline"
)

func newSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration, for editors",
		Args:  commandline.NoWords,
		RunE: func(command *cobra.Command, _ []string) error {
			text, err := schemaOfConfiguration()
			if err == nil {
				_, err = command.OutOrStdout().Write(text)
			}
			if err != nil {
				return fmt.Errorf("print the schema: %w", err)
			}
			return nil
		},
	}
}

// schemaOfConfiguration returns the JSON Schema of the configuration, which describes keys as the
// help topic does.
func schemaOfConfiguration() ([]byte, error) {
	topic := commandline.ParseTopic(topicText("configuration"))
	return config.Schema(checkingTransports(), func(key config.DescribedKey) string { return topic.Item(config.TopicSection(key.Place), key.Name) })
}
