package architecture_test

import "slices"

// rooms is the import table. The first room that a folder matches counts.
var rooms = slices.Concat(coreRooms, outerRooms, testRooms)

var outerRooms = []room{
	{
		path: "adapters/jsonrpc", project: []string{"domain/rawjson"}, notStd: slices.Concat(processes, []string{"net/**"}),
		libraries: []string{"golang.org/x/sys/unix"},
		why:       "it is lines and envelopes without meaning: no other package may change what a line is",
	},
	{
		path: "adapters/wording", project: []string{"domain", "domain/definitions", "domain/rawjson"},
		std: []string{
			"bytes", "cmp", "context", "embed", "encoding/json", "errors", "fmt", "maps", "slices", "sort", "strings", "time",
			"unicode/utf16",
		},
		why: "it is pure: domain values in, what models and people read out; no port, no I/O, nothing that waits",
	},
	{
		path: "adapters/mcpserver/host", project: []string{"domain", "ports", "adapters/jsonrpc", "domain/protocol", "domain/rawjson", "adapters/wording"},
		std: []string{
			"bytes", "cmp", "context", "crypto/rand", "encoding/json", "errors", "fmt", "log/slog", "slices", "strconv", "strings", "sync", "time",
		},
		why: "it is one host as servers see it: it knows neither streams nor methods, and writes through a connection that it is given",
	},
	{
		path: "adapters/mcpserver",
		project: []string{
			"domain", "domain/definitions", "ports", "adapters/jsonrpc", "domain/protocol", "domain/rawjson", "adapters/mcpserver/host",
			"adapters/wording",
		}, notStd: world,
		specs: mcpGo,
		why:   "it is the host's side: streams are handed in, and use cases are reached through ports",
	},
	{
		path: "adapters/httpserver/access", std: []string{"context", "time"},
		why: "it says who asks, to those who check requests and those who answer them, and knows neither",
	},
	{
		path: "adapters/httpserver", notStd: slices.Concat(processes, []string{"os/**"}),
		project: []string{
			"adapters/httpserver/access", "adapters/jsonrpc", "domain/protocol", "domain/rawjson", "adapters/mcpserver", "adapters/mcpserver/host",
		},
		specs: slices.Concat(mcpGo, []string{"domain/**", "ports"}),
		why:   "it is HTTP towards hosts: it listens nowhere, starts nothing, checks no identity, and what a host can do is reached through mcpserver",
	},
	{
		path: "adapters/httpserver/guard", project: []string{"domain/webaddress"}, notStd: slices.Concat(processes, []string{"os"}),
		why: "it looks at addresses and headers and refuses requests: it knows no identity, and nothing of MCP",
	},
	{
		path: "adapters/httpserver/tokens", project: []string{"adapters/httpserver/access", "adapters/httpserver/guard"},
		notStd: slices.Concat(processes, []string{"os"}),
		why:    "it tells who calls: it knows neither the configuration nor what is called",
	},
	{
		path: "adapters/httpserver/resource", project: []string{"adapters/httpserver/access", "domain/webaddress", "adapters/httpserver/tokens"},
		notStd: slices.Concat(processes, []string{"os"}), libraries: []string{"github.com/go-jose/go-jose/v4/**"},
		why: "it judges tokens of an authorization server, and sends none anywhere",
	},
	{
		path: "adapters/httpserver/metrics", project: []string{"domain", "ports", "adapters/httpserver/access"},
		notStd: slices.Concat(processes, []string{"os"}),
		why:    "it counts and shows numbers, whatever they are about",
	},
	{
		path: "adapters/httpserver/endpoint", notStd: slices.Concat(processes, []string{"os/**"}),
		project: []string{
			"domain", "adapters/config", "adapters/httpserver", "adapters/httpserver/certificate", "adapters/httpserver/guard",
			"adapters/httpserver/metrics", "adapters/httpserver/resource", "adapters/httpserver/tokens",
		},
		why: "it joins what answers, checks and counts requests at one address: it knows no host and no use case",
	},
	{
		path: "adapters/httpserver/certificate", project: []string{"adapters/system/atomicfile"}, notStd: slices.Concat(processes, []string{"net/http/**"}),
		why: "it reads two files and knows no connection",
	},
	{
		path: "adapters/downstream", project: []string{"domain", "ports"}, notStd: world, specs: kit,
		why: "the registry knows transports as ports, none by name",
	},
	{
		path: "adapters/downstream/mcpclient", project: []string{"domain", "ports", "adapters/jsonrpc", "domain/protocol", "domain/rawjson"},
		notStd: world, specs: slices.Concat(kit, mcpGo),
		why: "it speaks MCP over any link, so it knows no transport and no process",
	},
	{
		path: "adapters/downstream/stdio/processtree", notStd: []string{"net/**", "os/signal"},
		libraries: []string{"golang.org/x/sys/**"},
		why:       "it is about processes of any program",
	},
	{
		path: "adapters/downstream/stdio/watchdog", project: []string{"adapters/downstream/stdio/processtree"},
		notStd: []string{"net/**"},
		why:    "it runs on its own when the workbench is gone, so it knows nothing of it",
	},
	{
		path: "adapters/downstream/web/authorities", project: []string{"adapters/system/atomicfile"}, notStd: processes,
		why: "it reads certificates and knows neither servers nor requests",
	},
	{
		path: "adapters/downstream/web", notStd: []string{"os/**"},
		project: []string{"domain", "adapters/downstream/oauth", "adapters/downstream/oauth/logins", "adapters/downstream/web/authorities", "adapters/jsonrpc", "domain/rawjson"},
		specs:   kit,
		why:     "the transports for servers behind a URL share it, and it is not a transport itself",
	},
	{
		path: "adapters/downstream/oauth/callback", notStd: []string{"os/**"},
		why: "it takes one answer from a browser, whatever that is for",
	},
	{
		path: "adapters/downstream/oauth/logins", project: []string{"adapters/system/atomicfile", "adapters/system/filelock", "adapters/system/fileowner"},
		notStd: []string{"os/exec", "os/signal", "net/**"}, specs: kit,
		why: "it keeps logins in files: it knows neither requests nor servers",
	},
	{
		path:    "adapters/downstream/oauth",
		project: []string{"domain", "adapters/system/atomicfile", "domain/rawjson", "adapters/downstream/oauth/logins", "adapters/downstream/web/authorities"},
		notStd:  []string{"os/exec", "os/signal"}, libraries: []string{"golang.org/x/oauth2/**", "golang.org/x/net/idna"}, specs: kit,
		why: "it logs in at authorization servers, and knows nothing of MCP but what it demands there",
	},
	{
		path: "adapters/downstream/oauth/interactive", notStd: []string{"os/**"}, specs: kit,
		project: []string{"domain", "ports", "adapters/downstream/oauth", "adapters/downstream/oauth/callback", "adapters/downstream/oauth/logins"},
		why:     "it leads people to authorization servers: it opens no browser, and knows no host",
	},
	{
		path: "adapters/downstream/oauth/login",
		project: []string{
			"domain", "adapters/downstream/oauth", "adapters/downstream/oauth/callback", "adapters/downstream/oauth/logins",
			"adapters/downstream/web", "adapters/terminal", "adapters/wording",
		},
		why: "it leads the user at a terminal to authorization servers: it knows no configuration",
	},
	{
		path: "adapters/downstream/*",
		project: []string{
			"domain", "domain/launcher", "ports", "adapters/jsonrpc", "domain/protocol", "domain/rawjson", "adapters/downstream/mcpclient",
			"adapters/downstream/stdio/*", "adapters/downstream/oauth", "adapters/downstream/web",
		},
		libraries: []string{"golang.org/x/sys/**"},
		// The specs of http show how it falls back to the older kind.
		specs: slices.Concat(kit, mcpGo, []string{"adapters/downstream/sse"}),
		why:   "a transport can be deleted with its folder, so it knows no other transport, no use case and no other adapter",
	},
	{
		path: "adapters/config", project: []string{"domain", "adapters/wording", "domain/definitions", "ports", "adapters/system/atomicfile", "adapters/system/fileowner", "domain/webaddress"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		libraries: []string{"github.com/knadh/koanf/**", "github.com/tailscale/hujson"}, specs: []string{"tests/contract/**"},
		why: "it turns files into a catalog: it starts nothing and asks transports through ports",
	},
	{
		path: "adapters/lockfile", project: []string{"domain", "ports", "adapters/system/atomicfile", "adapters/system/fileowner", "domain/rawjson"}, notStd: slices.Concat(processes, []string{"net/**"}),
		why: "it keeps a lock in a file: it starts nothing and knows no other adapter",
	},
	{
		path: "adapters/listings", project: []string{"domain", "ports", "adapters/system/atomicfile", "adapters/system/fileowner", "domain/rawjson"}, notStd: slices.Concat(processes, []string{"net", "net/http/**"}),
		why: "it keeps what servers listed in files: it starts nothing, and knows neither the lock nor what is shown",
	},
	{
		path: "adapters/system/filewatch", notStd: []string{"os/exec", "os/signal", "net/**"}, why: "it looks at one file, whatever is in it",
	},
	{
		path: "adapters/system/fileowner", notStd: []string{"os/exec", "os/signal", "net/**"},
		why: "it looks at modes and owners, whatever is in a file",
	},
	{
		path: "adapters/trust", project: []string{"adapters/system/atomicfile", "adapters/system/fileowner"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		why: "it keeps which bytes a user trusts at which path, and does not ask",
	},
	{
		path: "adapters/system/atomicfile", libraries: []string{"golang.org/x/sys/windows"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		why: "it reads and writes bytes, whatever they mean",
	},
	{
		path: "adapters/system/filelock", notStd: []string{"os/exec", "os/signal", "net/**"}, libraries: []string{"golang.org/x/sys/**"},
		why: "it locks a file, whatever for",
	},
	{
		path: "adapters/packages", project: []string{"domain", "domain/launcher", "ports", "adapters/system/atomicfile", "adapters/system/filelock", "adapters/system/fileowner"}, notStd: []string{"os/signal", "net", "net/http/**"}, specs: kit,
		why: "it runs the package managers of the machine: it starts no server and knows no other adapter",
	},
	{
		path: "adapters/hostfiles", project: []string{"domain", "domain/serverconfig", "adapters/system/atomicfile", "adapters/system/fileowner", "domain/textedit"},
		notStd: []string{"os/exec", "os/signal", "net", "net/http/**"}, // addresses are read, nothing is reached
		specs:  []string{"github.com/tailscale/hujson"},
		why:    "it knows files of other programs: it starts nothing and knows nothing of the workbench's own",
	},
	{
		path: "adapters/setup",
		project: []string{
			"domain", "domain/serverconfig", "domain/textedit", "ports", "application/setup", "adapters/config", "adapters/hostfiles",
			"adapters/system/atomicfile", "adapters/terminal",
		},
		notStd: []string{"os/signal", "net", "net/http/**"}, libraries: []string{"github.com/rogpeppe/go-internal/diff"},
		why: "it edits the files of a user: what to write is planned in application/setup, and no server is started",
	},
	{
		path: "adapters/terminal", project: []string{"domain"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		libraries: []string{"golang.org/x/term", "golang.org/x/sys/unix", "golang.org/x/sys/windows"}, specs: []string{"github.com/creack/pty"},
		why: "it talks with a person, about anything",
	},
	{
		path: "adapters/shell", project: []string{"domain", "domain/definitions", "domain/rawjson", "ports", "adapters/terminal", "adapters/wording"}, notStd: slices.Concat(processes, []string{"net/http/**"}),
		why: "it is a terminal in the place of a host: it starts nothing and does not know the configuration",
	},
	{
		path: "adapters/doctor",
		project: []string{
			"domain", "domain/definitions", "domain/launcher", "domain/serverconfig", "ports", "adapters/config",
			"adapters/downstream/mcpclient", "adapters/hostfiles", "adapters/lockfile", "adapters/shell", "adapters/system/atomicfile",
			"adapters/system/fileowner", "adapters/terminal", "adapters/wording",
		},
		why: "it looks at everything and changes nothing: servers are started by others",
	},
	{
		path: "adapters/help", notStd: []string{"net/**"},
		why: "it is about texts with headings, whatever they say, and the pager of the user",
	},
	{
		path: "adapters/lockreport",
		project: []string{
			"domain", "domain/definitions", "adapters/lockfile", "adapters/terminal", "adapters/wording",
		},
		why: "it is texts about a lock: what differs was found before",
	},
	{
		path:    "adapters/trust/review",
		project: []string{"domain", "domain/serverconfig", "adapters/config", "adapters/lockfile"},
		why:     "it shows what is about to be trusted: it asks nobody and records nothing",
	},
	{
		path: "adapters/trust/consent",
		project: []string{
			"domain", "ports", "adapters/config", "adapters/lockfile", "adapters/system/atomicfile", "adapters/terminal", "adapters/trust",
			"adapters/trust/review",
		},
		why: "it asks the user about one file and records the answer: it starts nothing",
	},
	{
		path: "adapters/redaction", project: []string{"domain", "adapters/config", "adapters/downstream/oauth"},
		why: "it hides what others know to be secret, whatever the lines are about",
	},
	{
		path: "adapters/demo", project: []string{"adapters/jsonrpc", "domain/rawjson"}, notStd: world, why: "it is a server like any other, seen from the workbench",
	},
	{
		path: "adapters/demo/play", project: []string{"adapters/demo", "domain"},
		why: "it is a host like any other: it knows the workbench from outside",
	},
	{
		path: "cmd/mcp-workbench/packaging", libraries: ginkgo,
		why: "it packs what was built, and links nothing of the program",
	},
	{
		path: "cmd/*", project: []string{"domain/**", "ports", "application/**", "adapters/**"},
		libraries: []string{"github.com/spf13/cobra", "github.com/google/wire"}, specs: slices.Concat(features, []string{"go.yaml.in/yaml/v3"}),
		why: "it joins the parts, and is the only place that knows cobra and wire",
	},
}
