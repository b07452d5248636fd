package discovery

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// KeepOpened returns a note that keeps the tools of an opened toolbox for later searches. It must come before notes
// that leave tools out, such as those that only pages call.
func KeepOpened(listings ports.Listings) func(opened *domain.OpenedToolbox) {
	return func(opened *domain.OpenedToolbox) {
		for _, listed := range opened.Servers {
			server := opened.Toolbox.Find(listed.ID.Server)
			if server != nil && listed.Failure == nil {
				Keep(listings, *server, listed.Tools)
			}
		}
	}
}
