package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
)

func newSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration, for editors",
		Long: `Print the JSON Schema (2020-12) of the configuration, with which editors complete keys
and explain them. 'mcp-workbench init' writes it beside the configuration. To have it for
another configuration, or that of a new version, save it and name it there:

    mcp-workbench schema > workbench-config.schema.json

    {"$schema": "./workbench-config.schema.json", "toolboxes": {…}}

'mcp-workbench validate' checks more than a schema can say.`,
		Args: noWords,
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

// schemaOfConfiguration returns the JSON Schema of the configuration.
func schemaOfConfiguration() ([]byte, error) {
	return config.Schema(checkingTransports(), describeKey)
}

// sectionsOfKeys are the sections of the help topic that describe keys.
var sectionsOfKeys = map[string]string{
	"root": "Keys at the root", "toolbox": "Keys of a toolbox", "server": "Keys of a server", "limits": "Limits",
	"oauth": "Keys of `oauth`", "http": "Keys of `http`",
}

// describeKey returns what the help topic about the configuration says about a key: the
// lines that are indented below it.
func describeKey(place, key string) string {
	_, section, _ := strings.Cut(configurationTopic, "\n## "+sectionsOfKeys[place]+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	_, entry, found := strings.Cut(section, "\n- `"+key+"`")
	if !found {
		return ""
	}
	_, entry, _ = strings.Cut(entry, "\n")
	var words []string
	for line := range strings.Lines(entry) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		words = append(words, strings.TrimSpace(line))
	}
	return strings.Join(words, " ")
}
