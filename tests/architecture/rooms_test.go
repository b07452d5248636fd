package architecture_test

import (
	"slices"
)

// rooms is the import table. The first room that a folder matches counts.
var rooms = slices.Concat(coreRooms, connectionRooms, programRooms, testRooms)

// connectionRooms are those of hosts and of servers.
var connectionRooms = []room{
	{
		path: "adapters/jsonrpc", project: []string{"domain/rawjson"}, notStd: slices.Concat(processes, []string{"net/**"}),
		libraries: slices.Concat(mcpNames, []string{"golang.org/x/sys/unix"}),
		why:       "it is the framing of messages, not their meaning",
	},
	{
		path: "adapters/wording", project: []string{"domain", "domain/extensions", "domain/definitions", "domain/rawjson"},
		std: []string{
			"bytes", "cmp", "context", "embed", "encoding/json", "errors", "fmt", "maps", "slices", "sort", "strings", "time",
			"unicode/utf16",
		},
		libraries: mcpNames,
		why:       "it is pure: domain values in, texts for models and users out; no port, no I/O, no waiting",
	},
	{
		path: "adapters/mcpserver/host", project: []string{"domain", "ports", "adapters/jsonrpc", "domain/rawjson", "adapters/wording"},
		std: []string{
			"bytes", "cmp", "context", "crypto/rand", "encoding/json", "errors", "fmt", "log/slog", "slices", "strconv", "strings", "sync", "time",
		},
		libraries: mcpNames,
		why:       "it is one host as servers see it: it knows neither streams nor methods, and writes through the connection passed in",
	},
	{
		path: "adapters/mcpserver",
		project: []string{
			"domain", "domain/extensions", "domain/definitions", "domain/excerpts", "ports", "adapters/jsonrpc", "domain/rawjson",
			"adapters/mcpserver/host",
			"adapters/wording", "application/shares",
		}, notStd: world,
		libraries: mcpNames, specs: mcpGo,
		why: "it is the side of the host: streams are passed in, and use cases are reached through ports",
	},
	{
		path: "adapters/mcpserver/callers", project: []string{"domain", "application/shares"},
		notStd: slices.Concat(processes, []string{"os"}), libraries: slices.Concat(mcpNames, []string{"github.com/go-jose/go-jose/v4/**"}),
		why: "it decides who may call: it knows neither the configuration nor the calls, and sends no token",
	},
	{
		path: "adapters/mcpserver/httpserver", notStd: processes,
		project: []string{
			"adapters/mcpserver/callers", "adapters/jsonrpc", "domain/rawjson", "application/shares", "adapters/mcpserver", "adapters/mcpserver/host",
			"adapters/system/safefile",
		},
		libraries: mcpNames, specs: slices.Concat(mcpGo, []string{"domain/**", "ports"}),
		why: "it is HTTP towards hosts: it does not listen, start servers or check identities, and reaches the use cases through mcpserver",
	},
	{
		path: "adapters/observe/metrics", project: []string{"domain", "ports", "adapters/observe/figures", "adapters/system/ownprocess", "adapters/mcpserver/callers"},
		notStd: slices.Concat(processes, []string{"os"}),
		why:    "it counts and shows numbers, whatever they measure",
	},
	{
		path: "adapters/downstream/mcpclient", project: []string{"domain", "ports", "adapters/jsonrpc", "domain/rawjson"},
		notStd: world, libraries: mcpNames, specs: slices.Concat(kit, mcpGo),
		why: "it speaks MCP over any link, so it knows no transport and no process",
	},
	{
		path: "adapters/downstream/stdio/processtree", notStd: []string{"net/**"}, libraries: []string{"golang.org/x/sys/**"},
		why: "it finds and ends processes of any program, and its watchdog outlives the workbench, so it imports none of it",
	},
	{
		path: "adapters/downstream/web/certificates", project: []string{"adapters/system/safefile"}, notStd: processes,
		why: "it reads certificates and knows neither servers nor requests",
	},
	{
		path: "adapters/downstream/web", notStd: []string{"os/**"},
		project:   []string{"domain", "adapters/downstream/oauth", "adapters/downstream/oauth/logins", "adapters/downstream/web/certificates", "adapters/jsonrpc", "domain/rawjson"},
		libraries: mcpNames, specs: kit,
		why: "the transports for servers behind a URL share it, and it is not a transport itself",
	},
	{
		path: "adapters/downstream/oauth/logins", project: []string{"adapters/system/safefile"},
		notStd: []string{"os/exec", "os/signal", "net/**"}, specs: kit,
		why: "it keeps logins in files: it knows neither requests nor servers",
	},
	{
		path:    "adapters/downstream/oauth",
		project: []string{"domain", "adapters/config/keys", "adapters/system/safefile", "domain/rawjson", "adapters/downstream/oauth/logins", "adapters/downstream/web/certificates"},
		notStd:  []string{"os/exec", "os/signal"}, libraries: []string{"github.com/go-jose/go-jose/v4/**", "golang.org/x/oauth2", "golang.org/x/net/idna"}, specs: kit,
		why: "it logs in at authorization servers, and knows only the rules of MCP for that",
	},
	{
		path: "adapters/downstream/oauth/login",
		project: []string{
			"domain", "ports", "adapters/downstream/oauth", "adapters/downstream/oauth/logins", "adapters/downstream/web", "adapters/system/browser",
			"adapters/terminal", "adapters/wording",
		},
		libraries: mcpNames, specs: kit,
		why: "it leads people to authorization servers: it knows no configuration and no host",
	},
	{
		path: "adapters/downstream/*",
		project: []string{
			"domain", "domain/launcher", "domain/masking", "domain/excerpts", "ports", "adapters/jsonrpc", "domain/rawjson",
			"adapters/downstream/mcpclient",
			"adapters/downstream/stdio/*", "adapters/downstream/oauth", "adapters/downstream/web", "adapters/system/programs",
		},
		libraries: slices.Concat(mcpNames, []string{"golang.org/x/sys/**"}),
		// The specs of http show how it falls back to the older kind.
		specs: slices.Concat(kit, mcpGo, []string{"adapters/downstream/sse"}),
		why:   "a transport can be deleted with its folder, so it knows no other transport, no use case and no other adapter",
	},
}

// room is a folder and what its code may import. The path and every list hold
// patterns: "x" is x, "x/*" is what is right below x, "x/**" is x and all below.
type room struct {
	path string
	// project are the packages of this project that it may import.
	project []string
	// std are those of the standard library; nil stands for all but notStd.
	std, notStd []string
	libraries   []string
	// specs are the packages that the room's specs may import in addition, libraries too.
	specs []string
	why   string
}

// suites is the package that runs the specs of every room.
const suites = "tests/spec"

// The libraries, and parts of the standard library, that rules speak of.
var (
	ginkgo = []string{"github.com/onsi/ginkgo/v2/**", "github.com/onsi/gomega/**"}
	// mcpNames has the names and types of MCP. The packages of mcp-go beside it are for specs.
	mcpNames  = []string{"github.com/mark3labs/mcp-go/mcp"}
	mcpGo     = []string{"github.com/mark3labs/mcp-go/**"}
	processes = []string{"os/exec", "os/signal", "syscall"}
	world     = []string{"os/**", "net/**", "syscall"}
	kit       = []string{"tests/contract/**", "tests/fixtures/**"}
	features  = []string{"tests/workbenchtest", "tests/fixtures/**"}
)
