package architecture_test

// judgedSchemas are for specs in which a library judges random schemas.
var judgedSchemas = []string{"github.com/google/jsonschema-go/jsonschema", "tests/fixtures/schemas"}

// coreRooms are the rooms that reach the world through ports only.
var coreRooms = []room{
	{
		path: "domain",
		std: []string{
			"cmp", "crypto/sha256", "encoding/base64", "encoding/hex", "encoding/json", "errors", "fmt", "maps", "net/url",
			"path", "slices", "strconv", "strings", "time", "unicode", "unicode/utf8",
		},
		libraries: []string{"golang.org/x/text/unicode/norm"},
		why:       "it is values and pure functions: no project package, no library but tables of Unicode, no context, no I/O",
	},
	{
		path: "domain/definitions", project: []string{"domain", "domain/rawjson"},
		std:   []string{"slices", "strings", "unicode", "unicode/utf8"},
		specs: judgedSchemas,
		why:   "it is pure: definitions in, texts out; a library judges it in its specs only",
	},
	{
		path: "domain/arguments", project: []string{"domain", "domain/definitions", "domain/rawjson"},
		std:   []string{"bytes", "encoding/json", "math/big", "slices", "strconv", "strings"},
		specs: judgedSchemas,
		why:   "it is pure: definitions and arguments in, problems out; a library judges it in its specs only",
	},
	{
		path: "domain/protocol", project: []string{"domain"},
		std: []string{"encoding/base64", "slices", "strings"}, specs: mcpGo,
		why: "it is names and rules of MCP for both sides; mcp-go judges them in its specs, and is not linked: it would be 5 % of a start",
	},
	{
		path: "domain/serverconfig", project: []string{"domain"},
		std: []string{"bytes", "cmp", "encoding/json", "fmt", "maps", "net/url", "regexp", "slices", "strings", "sync"},
		why: "it is what the configuration writes about a server: values and pure functions, no file",
	},
	{
		path: "ports", project: []string{"domain"},
		std: []string{"context", "encoding/json", "time"},
		why: "it is interfaces only, in the words of the domain",
	},
	{
		path: "application/pinning", project: []string{"domain", "ports"},
		std: []string{"cmp", "errors", "maps", "slices", "strings", "sync/atomic"},
		why: "it is decisions: it knows the lock through ports, and no session",
	},
	{
		path: "application/sessions", project: []string{"domain", "domain/rawjson", "ports", "application/pinning"},
		std: []string{
			"context", "encoding/json", "errors", "fmt", "log/slog", "maps", "math/rand/v2", "slices", "strings", "sync", "sync/atomic",
			"time",
		},
		why: "it is the policy of sessions: it knows no use case, and reaches servers and the host through ports",
	},
	{
		path: "application/pinnedstart", project: []string{"domain", "ports", "application/pinning"},
		std: []string{"context", "errors", "log/slog"},
		why: "it is between sessions and transports: it knows neither, and no process, file or registry",
	},
	{
		path: "application/sharing", project: []string{"domain", "domain/rawjson", "ports"},
		std: []string{"bytes", "context", "encoding/json", "errors", "log/slog", "maps", "slices", "strings", "sync", "time"},
		why: "it is between sessions and servers: it knows neither the policy of one host nor how a server is reached",
	},
	{
		path: "application/setup", project: []string{"domain", "domain/launcher", "domain/serverconfig"},
		std: []string{"cmp", "fmt", "path", "slices", "strings"},
		why: "it is decisions: nothing is read and nothing is written here",
	},
	{
		path: "application", project: []string{"domain", "domain/arguments", "domain/definitions", "ports", "application/*"},
		std: []string{
			"context", "encoding/json", "errors", "fmt", "log/slog", "maps", "math/rand/v2", "slices", "strings", "sync",
			"sync/atomic", "time",
		},
		why: "it is policy: it knows neither processes, files nor protocols, and reaches the world through ports",
	},
	{
		path: "domain/rawjson",
		std: []string{
			"bytes", "encoding/binary", "encoding/json", "errors", "fmt", "math/bits", "strconv", "sync", "unicode/utf8",
		},
		libraries: []string{"github.com/go-json-experiment/json/jsontext"},
		why:       "it is JSON text and nothing else: no protocol, no I/O, no project package",
	},
	{
		path: "domain/launcher", project: []string{"domain"}, std: []string{"cmp", "slices", "strings"},
		why: "it is words of a command line: no file, no PATH, and no judgement of what is started",
	},
	{
		path: "domain/webaddress", std: []string{"net/netip", "net/url", "path", "strconv", "strings"},
		why: "it judges texts, for the configuration and for what is served alike",
	},
	{
		path: "domain/textedit", project: []string{"domain/rawjson"}, notStd: world,
		libraries: []string{"github.com/tailscale/hujson", "github.com/pelletier/go-toml/v2/**"},
		why:       "it turns a text into a text: no file, no meaning of what is in it",
	},
}
