package architecture_test

import "slices"

// rooms is the import table. The first room that a folder matches counts.
var rooms = slices.Concat(coreRooms, outerRooms, testRooms)

var outerRooms = []room{
	{
		path: "adapters/jsonrpc", project: []string{"domain/rawjson"}, notStd: slices.Concat(processes, []string{"net/**"}),
		libraries: []string{"golang.org/x/sys/unix"},
		why:       "it is the framing of messages, not their meaning",
	},
	{
		path: "adapters/wording", project: []string{"domain", "domain/definitions", "domain/rawjson"},
		std: []string{
			"bytes", "cmp", "context", "embed", "encoding/json", "errors", "fmt", "maps", "slices", "sort", "strings", "time",
			"unicode/utf16",
		},
		why: "it is pure: domain values in, texts for models and users out; no port, no I/O, no waiting",
	},
	{
		path: "adapters/mcpserver/host", project: []string{"domain", "ports", "adapters/jsonrpc", "domain/protocol", "domain/rawjson", "adapters/wording"},
		std: []string{
			"bytes", "cmp", "context", "crypto/rand", "encoding/json", "errors", "fmt", "log/slog", "slices", "strconv", "strings", "sync", "time",
		},
		why: "it is one host as servers see it: it knows neither streams nor methods, and writes through the connection passed in",
	},
	{
		path: "adapters/mcpserver",
		project: []string{
			"domain", "domain/definitions", "domain/fitting", "ports", "adapters/jsonrpc", "domain/protocol", "domain/rawjson",
			"adapters/mcpserver/host",
			"adapters/wording",
		}, notStd: world,
		specs: mcpGo,
		why:   "it is the side of the host: streams are passed in, and use cases are reached through ports",
	},
	{
		path: "adapters/httpserver/access", std: []string{"context", "time"},
		why: "it describes the caller for the packages that check and that answer requests, and knows neither",
	},
	{
		path: "adapters/httpserver", notStd: slices.Concat(processes, []string{"os/**"}),
		project: []string{
			"adapters/httpserver/access", "adapters/jsonrpc", "domain/protocol", "domain/rawjson", "adapters/mcpserver", "adapters/mcpserver/host",
		},
		specs: slices.Concat(mcpGo, []string{"domain/**", "ports"}),
		why:   "it is HTTP towards hosts: it does not listen, start servers or check identities, and reaches the use cases through mcpserver",
	},
	{
		path: "adapters/httpserver/guard", project: []string{"domain/webaddress"}, notStd: slices.Concat(processes, []string{"os"}),
		why: "it refuses requests by their addresses and headers: it knows no identity and no MCP",
	},
	{
		path: "adapters/httpserver/tokens", project: []string{"adapters/httpserver/access", "adapters/httpserver/guard"},
		notStd: slices.Concat(processes, []string{"os"}),
		why:    "it identifies callers: it knows neither the configuration nor the calls",
	},
	{
		path: "adapters/httpserver/resource", project: []string{"adapters/httpserver/access", "domain/webaddress", "adapters/httpserver/tokens"},
		notStd: slices.Concat(processes, []string{"os"}), libraries: []string{"github.com/go-jose/go-jose/v4/**"},
		why: "it checks tokens of an authorization server, and sends none",
	},
	{
		path: "adapters/httpserver/metrics", project: []string{"domain", "ports", "adapters/httpserver/access"},
		notStd: slices.Concat(processes, []string{"os"}),
		why:    "it counts and shows numbers, whatever they measure",
	},
	{
		path: "adapters/httpserver/endpoint", notStd: slices.Concat(processes, []string{"os/**"}),
		project: []string{
			"domain", "adapters/config", "adapters/httpserver", "adapters/httpserver/certificate", "adapters/httpserver/guard",
			"adapters/httpserver/metrics", "adapters/httpserver/resource", "adapters/httpserver/tokens",
		},
		why: "it joins the packages that answer, check and count requests at one address: it knows no host and no use case",
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
		why:       "it starts and ends processes of any program",
	},
	{
		path: "adapters/downstream/stdio/watchdog", project: []string{"adapters/downstream/stdio/processtree"},
		notStd: []string{"net/**"},
		why:    "it outlives the workbench, so it imports none of it",
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
		why: "it receives one answer of a browser, for any purpose",
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
		why: "it logs in at authorization servers, and knows only the rules of MCP for that",
	},
	{
		path: "adapters/downstream/oauth/interactive", notStd: []string{"os/**"}, specs: kit,
		project: []string{"domain", "ports", "adapters/downstream/oauth", "adapters/downstream/oauth/callback", "adapters/downstream/oauth/logins"},
		why:     "it leads users to authorization servers: it opens no browser, and knows no host",
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
			"domain", "domain/errorlines", "domain/launcher", "ports", "adapters/jsonrpc", "domain/protocol", "domain/rawjson",
			"adapters/downstream/mcpclient",
			"adapters/downstream/stdio/*", "adapters/downstream/oauth", "adapters/downstream/web", "adapters/system/searchpath",
		},
		libraries: []string{"golang.org/x/sys/**"},
		// The specs of http show how it falls back to the older kind.
		specs: slices.Concat(kit, mcpGo, []string{"adapters/downstream/sse"}),
		why:   "a transport can be deleted with its folder, so it knows no other transport, no use case and no other adapter",
	},
	{
		path: "adapters/config", project: []string{"domain", "adapters/wording", "domain/definitions", "domain/jsonsyntax", "ports", "adapters/system/atomicfile", "adapters/system/fileowner", "domain/webaddress"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		libraries: []string{"github.com/knadh/koanf/**", "github.com/tailscale/hujson"}, specs: []string{"tests/contract/**"},
		why: "it turns files into a catalog: it starts no server and asks transports through ports",
	},
	{
		path: "adapters/lockfile", project: []string{"domain", "ports", "adapters/system/atomicfile", "adapters/system/fileowner", "domain/rawjson"}, notStd: slices.Concat(processes, []string{"net/**"}),
		why: "it keeps a lock in a file: it starts no server and knows no other adapter",
	},
	{
		path: "adapters/listings", project: []string{"domain", "ports", "adapters/system/atomicfile", "adapters/system/fileowner", "domain/rawjson"}, notStd: slices.Concat(processes, []string{"net", "net/http/**"}),
		why: "it keeps the listings of servers in files: it starts no server, and knows neither the lock nor the filters",
	},
	{
		path: "adapters/system/filewatch", notStd: []string{"os/exec", "os/signal", "net/**"}, why: "it watches one file, whatever its content",
	},
	{
		path: "adapters/system/signals", notStd: []string{"os/exec", "net/**"}, why: "it knows signals, not what they end",
	},
	{
		path: "adapters/system/fileowner", notStd: []string{"os/exec", "os/signal", "net/**"},
		why: "it looks at modes and owners of files, whatever their content",
	},
	{
		path: "adapters/system/searchpath", notStd: []string{"os/signal", "net/**"},
		why: "it looks at the folders of a PATH, whatever is started, and starts nothing",
	},
	{
		path: "adapters/trust", project: []string{"adapters/system/atomicfile", "adapters/system/fileowner"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		why: "it keeps which bytes a user trusts at which path, and asks no questions",
	},
	{
		path: "adapters/system/atomicfile", libraries: []string{"golang.org/x/sys/windows"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		why: "it reads and writes bytes, whatever their meaning",
	},
	{
		path: "adapters/system/ownprogram", project: []string{"domain"}, notStd: []string{"os/signal", "net/**"},
		why: "it looks at the files of programs and starts none",
	},
	{
		path: "adapters/system/filelock", notStd: []string{"os/exec", "os/signal", "net/**"}, libraries: []string{"golang.org/x/sys/**"},
		why: "it locks a file, for any purpose",
	},
	{
		path: "adapters/selection", project: []string{"domain", "domain/fitting"}, libraries: []string{"github.com/itchyny/gojq", "golang.org/x/sys/unix"}, notStd: []string{"net", "net/http/**", "os/signal"}, specs: kit,
		why: "it runs what models write in a process of its own: it knows no host and no server, and reads no file",
	},
	{
		path: "adapters/packages", project: []string{"domain", "domain/launcher", "ports", "adapters/system/atomicfile", "adapters/system/filelock", "adapters/system/fileowner"}, notStd: []string{"os/signal", "net", "net/http/**"}, specs: kit,
		why: "it runs the package managers of the machine: it starts no server and knows no other adapter",
	},
	{
		path: "adapters/hostfiles", project: []string{"domain", "domain/serverconfig", "adapters/system/atomicfile", "adapters/system/fileowner", "adapters/system/ownprogram", "domain/textedit"},
		notStd: []string{"os/exec", "os/signal", "net", "net/http/**"}, // addresses are read, nothing is reached
		specs:  []string{"github.com/tailscale/hujson"},
		why:    "it knows the files of other programs: it starts none of them and knows no file of the workbench",
	},
	{
		path: "adapters/setup",
		project: []string{
			"domain", "domain/launcher", "domain/serverconfig", "domain/textedit", "ports", "application/setup", "adapters/config",
			"adapters/hostfiles", "adapters/lockfile", "adapters/preflight", "adapters/system/atomicfile", "adapters/system/ownprogram",
			"adapters/system/searchpath", "adapters/terminal", "adapters/wording",
		},
		notStd: []string{"os/signal", "net", "net/http/**"}, libraries: []string{"github.com/rogpeppe/go-internal/diff"},
		why: "it edits the files of a user: what to write is planned in application/setup, and no server is started",
	},
	{
		path: "adapters/terminal", project: []string{"domain"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		libraries: []string{"golang.org/x/term", "golang.org/x/sys/unix", "golang.org/x/sys/windows"}, specs: []string{"github.com/creack/pty"},
		why: "it talks to the user, about anything",
	},
	{
		path: "adapters/shell", project: []string{"domain", "domain/definitions", "domain/rawjson", "ports", "adapters/terminal", "adapters/wording"}, notStd: slices.Concat(processes, []string{"net/http/**"}),
		why: "it is a terminal in the place of a host: it starts no server and does not know the configuration",
	},
	{
		path: "adapters/preflight", project: []string{"domain", "domain/launcher", "adapters/config", "adapters/system/searchpath"},
		notStd: []string{"os/exec", "os/signal", "net/**"},
		why:    "it examines the files that a server needs before the server is started",
	},
	{
		path: "adapters/doctor",
		project: []string{
			"domain", "domain/definitions", "domain/launcher", "domain/serverconfig", "ports", "adapters/config",
			"adapters/downstream/mcpclient", "adapters/hostfiles", "adapters/lockfile", "adapters/preflight", "adapters/shell",
			"adapters/system/atomicfile", "adapters/system/fileowner", "adapters/system/ownprogram",
			"adapters/system/searchpath", "adapters/terminal", "adapters/wording",
		},
		why: "it looks at everything and changes nothing: other packages start servers",
	},
	{
		path: "adapters/help", notStd: []string{"net/**"},
		why: "it shows texts with headings, and runs the pager of the user",
	},
	{
		path: "adapters/buildinfo", project: []string{"domain/protocol"}, notStd: world,
		why: "it reads what the linker wrote into the program, and nothing else",
	},
	{
		path: "adapters/commandline", project: []string{"domain", "adapters/help", "adapters/terminal"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		libraries: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"},
		why:       "it reads command lines, whatever the commands do",
	},
	{
		path: "adapters/lockreport",
		project: []string{
			"domain", "domain/definitions", "adapters/lockfile", "adapters/terminal", "adapters/wording",
		},
		why: "it turns differences of a lock into texts: it finds none itself",
	},
	{
		path:    "adapters/trust/review",
		project: []string{"domain", "domain/serverconfig", "adapters/config", "adapters/lockfile"},
		why:     "it shows a file before the user trusts it: it asks no question and records no answer",
	},
	{
		path: "adapters/trust/consent",
		project: []string{
			"domain", "ports", "adapters/config", "adapters/lockfile", "adapters/system/atomicfile", "adapters/terminal", "adapters/trust",
			"adapters/trust/review",
		},
		why: "it asks the user about one file and records the answer: it starts no server",
	},
	{
		path: "adapters/redaction", project: []string{"domain", "adapters/config", "adapters/downstream/oauth"},
		why: "it hides the secrets passed to it, in any line",
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
		why: "it packs the built files, and links none of the program",
	},
	{
		path: "cmd/*", project: []string{"domain/**", "ports", "application/**", "adapters/**"},
		libraries: []string{"github.com/spf13/cobra", "github.com/google/wire"}, specs: slices.Concat(features, []string{"go.yaml.in/yaml/v3"}),
		why: "it joins the parts, and is the only package that knows wire and, beside adapters/commandline, cobra",
	},
}
