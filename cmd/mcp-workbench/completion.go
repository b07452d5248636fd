package main

import (
	"log/slog"
	"strings"

	"github.com/spf13/cobra"
)

// completePlaces completes the names of toolboxes, behind a slash those of their servers,
// and with tools, behind another, the tools that were last seen. It starts nothing;
// without a configuration that can be used there is nothing to complete.
func completePlaces(options *options, tools bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		configuration, err := options.load(newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		seen := readSeenTools()
		var places []cobra.Completion
		for _, toolbox := range configuration.Catalog.Toolboxes() {
			name := string(toolbox.Name)
			if !strings.HasPrefix(begun, name+"/") {
				places = append(places, cobra.CompletionWithDesc(name+"/", toolbox.Description))
				continue
			}
			for _, server := range toolbox.Servers {
				place := placeOf(server.ID)
				if !tools {
					places = append(places, place)
					continue
				}
				places = append(places, place+"/")
				for _, tool := range seen.toolsOf(configuration.Path, server.ID) {
					places = append(places, place+"/"+tool)
				}
			}
		}
		return places, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
