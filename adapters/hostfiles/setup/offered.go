package setup

import (
	"context"
	"errors"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// offered are servers of the official registry that init offers to users who have none: they need no account, and each
// shows something else that a model can do with servers. Their packages at npm name them ("mcpName" in package.json).
var offered = []struct{ name, reason string }{
	{"io.github.upstash/context7", "documentation of libraries, as it is now"},
	{"io.github.microsoft/playwright-mcp", "opens and operates web pages in a browser"},
	{"io.github.ChromeDevTools/chrome-devtools-mcp", "finds out why a web page is slow or broken"},
	{"io.github.bytedance/mcp-server-filesystem", "reads and writes files of folders that you name"},
	{"io.github.wonderwhy-er/desktop-commander", "reads files and runs commands of this machine"},
}

// offer offers servers of the registry, none of them chosen, and adds those that are chosen as add does. A server that
// cannot be added is named, and the others follow.
func (i *initialization) offer(ctx context.Context) error {
	if place, _ := config.Place(i.Sources); place != i.own.path {
		return nil // add would write into another file
	}
	if checked, err := i.own.check(i.own.text()); err != nil || checked.Registry.Off {
		return err
	}
	options := make([]terminal.Option, len(offered))
	for n, server := range offered {
		options[n] = terminal.Option{Label: server.name, Detail: server.reason}
	}
	answered, err := i.terminal.Choose(terminal.List{Title: "No server was found. Which of these, of the MCP registry, are added? None needs an account.", Options: options})
	if err != nil {
		return err
	}
	for _, option := range answered {
		if !option.Chosen {
			continue
		}
		err := AddPublished(ctx, i.Editor, PublishedServer{Name: option.Label})
		if errors.Is(err, terminal.ErrInterrupted) || errors.Is(err, terminal.ErrAborted) || i.printErr != nil {
			return err
		}
		if err != nil {
			i.say("%s is not added: %s", option.Label, domain.ReviewLine(err.Error()))
		}
	}
	return i.printErr
}
