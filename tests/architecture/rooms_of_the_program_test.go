package architecture_test

import "slices"

// programRooms are those of files, of the system and of commands.
var programRooms = []room{
	{
		path: "adapters/config/keys", project: []string{"domain", "domain/definitions", "domain/masking", "domain/rawjson"}, notStd: []string{"os", "os/**", "net/**"},
		why: "it describes keys, whatever their values are: it reads no file and knows no level of the configuration",
	},
	{
		path: "adapters/config/tree", project: []string{"domain", "domain/rawjson"}, notStd: []string{"os", "os/**", "net/**"},
		libraries: []string{"github.com/tailscale/hujson"},
		why:       "it knows syntax, places and problems: it reads no file and knows no key",
	},
	{
		path: "adapters/plugins", project: []string{"domain", "domain/rawjson", "adapters/downstream/web", "adapters/system/safefile"},
		notStd: slices.Concat(processes, []string{"net/http/**"}), libraries: []string{"github.com/goccy/go-yaml"},
		why: "it reads the folders of plugins by the rules of their specification: it starts no server and knows no configuration",
	},
	{
		path: "adapters/config", project: []string{"adapters/config/keys", "adapters/config/tree", "adapters/plugins", "domain", "adapters/wording", "domain/definitions", "domain/masking", "domain/rawjson", "ports", "adapters/system/safefile"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		libraries: []string{"github.com/knadh/koanf/**", "github.com/tailscale/hujson"}, specs: []string{"tests/contract/**"},
		why: "it turns files into a catalog: it starts no server and asks transports through ports",
	},
	{
		path: "adapters/config/review", project: []string{"adapters/config/keys", "domain", "domain/launcher", "domain/masking", "domain/rawjson"},
		notStd: []string{"os", "os/**"},
		why:    "it says what states of servers give: it reads no file and asks no user",
	},
	{
		path: "adapters/config/trust",
		project: []string{
			"domain", "domain/masking", "ports", "adapters/config", "adapters/config/keys", "adapters/config/review", "adapters/plugins", "adapters/lock/lockfile", "adapters/lock/packages", "adapters/system/safefile",
			"adapters/terminal",
		},
		notStd: []string{"os/exec", "os/signal", "net/**"},
		why:    "it shows a file, asks the user about it and records the answer: it starts no server",
	},
	{
		path: "adapters/config/following",
		project: []string{
			"domain", "ports", "application", "application/pinning", "adapters/config", "adapters/lock/lockfile", "adapters/system/safefile",
			"adapters/terminal", "adapters/config/trust",
		},
		notStd: []string{"os/exec", "os/signal", "net/**"},
		why:    "it reads the configuration again: it starts no server and decides nothing about a new one",
	},
	{
		path: "adapters/lock/lockfile", project: []string{"domain", "ports", "adapters/system/safefile", "domain/rawjson"}, notStd: slices.Concat(processes, []string{"net/**"}),
		why: "it keeps a lock in a file: it starts no server and knows no other adapter",
	},
	{
		path: "adapters/observe/activity", project: []string{
			"domain", "domain/definitions", "ports", "adapters/system/safefile",
		}, notStd: slices.Concat(processes, []string{"net", "net/http/**"}),
		why: "it keeps what happened in files and reads it: it shows nothing, and knows no use case",
	},
	{
		path: "adapters/observe/report", project: []string{
			"domain", "domain/definitions", "adapters/observe/activity", "adapters/observe/figures", "adapters/observe/status", "adapters/system/usersocket", "adapters/terminal",
		},
		notStd: slices.Concat(processes, []string{"os/**", "net/**"}),
		why:    "it shows what is recorded and what workbenches say of themselves: it opens no file and no socket",
	},
	{
		path: "adapters/lock/listings", project: []string{"domain", "ports", "adapters/system/safefile", "domain/rawjson"}, notStd: slices.Concat(processes, []string{"net", "net/http/**"}),
		why: "it keeps the listings of servers in files: it starts no server, and knows neither the lock nor the filters",
	},
	{
		path: "adapters/system/browser", project: []string{"adapters/system/safefile"}, notStd: []string{"os/signal", "net", "net/http/**"}, why: "it opens an address, whatever is there",
	},
	{
		path: "adapters/ui", project: []string{
			"domain", "domain/definitions", "adapters/observe/activity", "adapters/observe/figures", "adapters/observe/status", "adapters/system/usersocket",
		},
		notStd: slices.Concat(processes, []string{"os/**"}),
		why:    "it writes pages about what is recorded and answered: it neither listens nor opens files, and changes nothing",
	},
	{
		path: "adapters/ui/local", project: []string{"adapters/mcpserver/callers", "adapters/mcpserver/httpserver", "adapters/system/browser", "adapters/terminal", "adapters/ui"},
		notStd: []string{"os/**"},
		why:    "it lets one browser in, whatever the pages show",
	},
	{
		path: "adapters/system/ownprocess", notStd: []string{"net/**"}, libraries: []string{"golang.org/x/sys/**"},
		why: "it knows this process and its signals, not what they end",
	},
	{
		path: "adapters/system/safefile", libraries: []string{"github.com/gofrs/flock", "golang.org/x/sys/windows"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		why: "it reads, writes, locks and watches files and looks at their owners, whatever their content",
	},
	{
		path: "adapters/system/programs", project: []string{"domain", "domain/launcher"}, notStd: []string{"os/signal", "net/**"},
		why: "it looks at the folders of a PATH and at the files of programs, and starts none",
	},
	{
		path: "adapters/selection", project: []string{"domain", "domain/excerpts", "application/shares", "adapters/system/ownprocess"}, libraries: []string{"github.com/itchyny/gojq", "golang.org/x/sys/unix"}, notStd: []string{"net", "net/http/**", "os/signal"}, specs: kit,
		why: "it runs what models write in a process of its own: it knows no host and no server, and reads no file",
	},
	{
		path: "adapters/lock/packages", project: []string{"domain", "domain/launcher", "domain/rawjson", "ports", "adapters/system/safefile", "adapters/system/ownprocess", "adapters/system/programs"}, libraries: []string{"github.com/go-json-experiment/json"}, notStd: []string{"os/signal", "net", "net/http/**"}, specs: kit,
		why: "it runs the package managers of the machine: it starts no server and knows no other adapter",
	},
	{
		path: "adapters/hostfiles",
		project: []string{
			"domain", "domain/masking", "domain/rawjson", "application/setup", "adapters/config/keys", "adapters/hostfiles/textedit", "adapters/downstream/web", "adapters/system/safefile", "adapters/system/programs",
		},
		notStd: []string{"os/exec", "os/signal", "net", "net/http/**"}, // addresses are read, nothing is reached
		specs:  []string{"adapters/downstream/stdio", "github.com/tailscale/hujson"},
		why:    "it knows the files of other programs: it starts none of them and knows no file of the workbench",
	},
	{
		path: "adapters/hostfiles/textedit", project: []string{"domain/rawjson"}, notStd: world,
		libraries: []string{"github.com/tailscale/hujson", "github.com/pelletier/go-toml/v2/**", "github.com/goccy/go-yaml/**"},
		why:       "it turns a text into a text: no file, and no meaning of its keys",
	},
	{
		path: "adapters/hostfiles/skills", project: []string{"domain", "domain/rawjson", "adapters/system/safefile"}, notStd: slices.Concat(processes, []string{"net/**"}),
		specs: []string{"github.com/goccy/go-yaml"},
		why:   "it writes skills into folders, whose places and toolboxes are passed in",
	},
	{
		path: "adapters/hostfiles/setup",
		project: []string{
			"domain", "domain/launcher", "domain/masking", "domain/rawjson", "adapters/hostfiles/textedit", "ports", "application/setup", "adapters/config", "adapters/config/keys", "adapters/config/review", "adapters/config/tree", "adapters/plugins",
			"adapters/hostfiles", "adapters/hostfiles/skills", "adapters/lock/lockfile", "adapters/registry", "adapters/system/safefile", "adapters/system/ownprocess", "adapters/system/programs", "adapters/terminal", "adapters/wording",
		},
		notStd: []string{"os/signal", "net", "net/http/**"}, libraries: []string{"github.com/rogpeppe/go-internal/diff"},
		why: "it edits the files of a user: what to write is planned in application/setup, and no server is started",
	},
	{
		path: "adapters/registry", project: []string{"domain", "domain/launcher", "domain/masking", "domain/rawjson", "application/setup", "adapters/downstream/web"}, notStd: []string{"os/**"},
		specs: []string{"tests/fixtures/mcpregistry", "github.com/google/jsonschema-go/jsonschema"},
		why:   "it asks a registry of MCP servers and plans what follows from its answers: it writes no file and asks no user",
	},
	{
		path: "adapters/terminal", project: []string{"domain"}, notStd: []string{"os/exec", "os/signal", "net/**"},
		libraries: []string{"golang.org/x/term", "golang.org/x/sys/unix", "golang.org/x/sys/windows"}, specs: []string{"github.com/creack/pty"},
		why: "it talks to the user, about anything",
	},
	{
		path: "adapters/terminal/shell", project: []string{"domain", "domain/definitions", "domain/excerpts", "domain/rawjson", "ports", "adapters/terminal", "adapters/wording"}, notStd: slices.Concat(processes, []string{"net/http/**"}),
		libraries: mcpNames,
		why:       "it is a terminal in the place of a host: it starts no server and does not know the configuration",
	},
	{
		path: "adapters/terminal/shell/approvals", project: []string{"domain", "adapters/system/safefile"}, notStd: slices.Concat(processes, []string{"net/**"}),
		why: "it keeps calls for a person and asks nobody",
	},
	{
		path: "adapters/terminal/shell/remote", project: []string{"domain", "domain/rawjson", "ports", "adapters/jsonrpc", "adapters/terminal/shell", "adapters/wording"},
		notStd: slices.Concat(processes, []string{"net/**"}), libraries: mcpNames, specs: []string{"adapters/terminal"},
		why: "it carries what a command wants of servers to a workbench and back, over any connection",
	},
	{
		path: "adapters/doctor",
		project: []string{
			"domain", "domain/definitions", "domain/launcher", "domain/masking", "application/setup", "ports", "adapters/config", "adapters/config/tree",
			"adapters/downstream/mcpclient", "adapters/hostfiles", "adapters/hostfiles/skills", "adapters/lock/lockfile", "adapters/registry", "adapters/terminal/shell",
			"adapters/system/safefile", "adapters/system/programs", "adapters/terminal", "adapters/wording",
		},
		why: "it looks at everything and changes nothing: other packages start servers",
	},
	{
		path: "adapters/terminal/commandline", project: []string{"domain", "adapters/terminal"}, notStd: []string{"os/signal", "net/**"},
		libraries: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"},
		why:       "it reads command lines and shows help, whatever the commands do",
	},
	{
		path:    "adapters/lock/lockreport",
		project: []string{"domain", "ports", "adapters/lock/lockfile", "adapters/terminal", "adapters/wording"},
		why:     "it turns differences of a lock into texts, and has the lock written: it finds none itself",
	},
	{
		path: "adapters/system/usersocket", project: []string{"adapters/system/safefile"},
		notStd: []string{"os/exec", "os/signal", "net/http/**"}, libraries: []string{"golang.org/x/sys/unix"},
		why: "it finds and checks sockets of the user, whatever is said there",
	},
	{
		path: "adapters/observe/status", project: []string{"domain", "ports", "adapters/observe/figures", "adapters/system/usersocket"},
		notStd: []string{"os/exec", "os/signal", "net/http/**"}, libraries: []string{"golang.org/x/sys/unix"},
		why: "it says what runs and asks others: it knows no session and no terminal",
	},
	{
		path: "adapters/mcpserver/background", project: []string{
			"domain", "domain/rawjson", "adapters/jsonrpc", "adapters/system/safefile", "adapters/system/programs", "adapters/system/usersocket",
			"application/shares",
		},
		notStd: []string{"os/signal", "net/http/**"}, libraries: mcpNames,
		why: "it carries messages between hosts and a workbench, and knows neither the configuration nor a use case",
	},
	{
		path: "adapters/observe/logs", project: []string{"domain", "adapters/system/safefile", "adapters/terminal"},
		notStd: []string{"os/exec", "os/signal", "net/**"},
		why:    "it keeps lines in a file and names hosts in them, whatever they say",
	},
	{
		path: "adapters/observe/figures", project: []string{"domain"}, notStd: world, why: "it counts and ranks durations, whatever took them",
	},
	{
		path:    "adapters/observe/telemetry",
		project: []string{"domain", "domain/rawjson", "ports", "application", "adapters/downstream/web/certificates", "adapters/system/safefile"},
		notStd:  []string{"os/exec", "os/signal"}, specs: []string{"go.opentelemetry.io/proto/otlp/**", "google.golang.org/protobuf/**", "google.golang.org/grpc"},
		libraries: slices.Concat(mcpNames, []string{"go.opentelemetry.io/otel/**", "github.com/go-logr/logr"}),
		why:       "it records what passes use cases and sessions, which it knows as ports, and exports it",
	},
	{
		path: "adapters/demo", project: []string{"adapters/jsonrpc", "domain/rawjson"}, libraries: mcpNames, notStd: []string{"net/**", "os/signal"},
		why: "it is a server and a host like any others: it knows the workbench from outside",
	},
	{
		path: "cmd/release", libraries: ginkgo, specs: []string{"github.com/google/jsonschema-go/jsonschema"},
		why: "it packs the built files, and links none of the program",
	},
	{
		path: "cmd/mcp-workbench", project: []string{"domain/**", "ports", "application/**", "adapters/**"},
		libraries: slices.Concat(mcpNames, []string{"github.com/spf13/cobra", "github.com/google/wire"}), specs: slices.Concat(features, []string{"github.com/goccy/go-yaml"}),
		why: "it joins the parts, and is the only package that knows wire",
	},
}
