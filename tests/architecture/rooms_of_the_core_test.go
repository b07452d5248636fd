package architecture_test

// judgedSchemas are for specs in which a library judges random schemas.
var judgedSchemas = []string{"github.com/google/jsonschema-go/jsonschema", "tests/fixtures/schemas"}

// coreRooms are the rooms that reach the world through ports only.
var coreRooms = []room{
	{
		path: "domain",
		std: []string{
			"cmp", "crypto/sha256", "encoding/base64", "encoding/hex", "encoding/json", "errors", "fmt", "iter", "maps", "net/netip", "net/url",
			"path", "reflect", "slices", "strconv", "strings", "time", "unicode", "unicode/utf8",
		},
		libraries: []string{"golang.org/x/text/unicode/norm"},
		why:       "it is values and pure functions: no project package, no library except tables of Unicode, no context, no I/O",
	},
	{
		path: "domain/definitions", project: []string{"domain", "domain/rawjson"},
		std:   []string{"slices", "strings", "unicode", "unicode/utf8"},
		specs: judgedSchemas,
		why:   "it is pure: definitions in, texts out; its specs compare it with a library",
	},
	{
		path: "domain/arguments", project: []string{"domain", "domain/definitions", "domain/rawjson"},
		std:   []string{"bytes", "encoding/json", "fmt", "maps", "math/big", "slices", "strconv", "strings"},
		specs: judgedSchemas,
		why:   "it is pure: definitions and arguments in, problems and adjusted ones out; its specs compare it with a library",
	},
	{
		path: "domain/extensions", project: []string{"domain", "domain/rawjson"},
		std: []string{"encoding/json", "net/url", "slices", "strings"},
		why: "it is pure: definitions of tools with pages and entries of skills in, edited ones out; it knows no host and no server",
	},
	{
		path: "domain/finding", project: []string{"domain/rawjson"},
		std: []string{"cmp", "encoding/json", "hash/maphash", "maps", "math", "math/bits", "regexp", "slices", "strings", "sync", "unicode", "unicode/utf8"},
		why: "it is pure: tools and words in, ranks out; it reads nothing and knows no server",
	},
	{
		path: "domain/excerpts", project: []string{"domain/rawjson"},
		std: []string{"bytes", "encoding/json", "slices", "strconv", "strings", "unicode/utf8"},
		why: "it is pure: results in, shorter results and descriptions out; no protocol, no I/O",
	},
	{
		path: "domain/masking", project: []string{"domain", "domain/launcher"},
		std: []string{"fmt", "regexp", "slices", "strings", "sync"},
		why: "it is pure: names and texts in, what may be shown of them out; it knows no key of a configuration",
	},
	{
		path: "ports", project: []string{"domain"},
		std: []string{"context", "encoding/json", "time"},
		why: "it is interfaces only, in the words of the domain",
	},
	{
		path: "application/shares", std: []string{"container/heap", "container/list", "context", "errors", "fmt", "slices", "sync"},
		why: "it divides what all callers use: numbers and names in, who waits or gives up out; it knows no caller and no protocol",
	},
	{
		path: "application/pinning", project: []string{"domain", "ports"},
		std: []string{"cmp", "errors", "maps", "slices", "strings", "sync/atomic"},
		why: "it is decisions: it knows the lock through ports, and no session",
	},
	{
		path: "application/sessions", project: []string{"domain", "domain/arguments", "domain/extensions", "domain/rawjson", "ports", "application/pinning", "application/shares"},
		std: []string{
			"context", "encoding/json", "errors", "fmt", "log/slog", "maps", "math/rand/v2", "runtime", "slices", "strings", "sync", "sync/atomic",
			"time",
		},
		why: "it is the policy of sessions: it knows no use case, and reaches servers and the host through ports",
	},
	{
		path: "application/sharing", project: []string{"domain", "domain/rawjson", "ports", "application/shares"},
		std: []string{"bytes", "container/list", "context", "encoding/json", "errors", "fmt", "log/slog", "maps", "slices", "strings", "sync", "time"},
		why: "it is a layer between sessions and servers: it knows neither the policy of one host nor the transports",
	},
	{
		path: "application/results", project: []string{"domain", "domain/excerpts", "domain/rawjson", "ports", "application/shares"},
		std: []string{"bytes", "context", "crypto/rand", "encoding/json", "slices", "strconv", "strings", "sync", "sync/atomic", "unicode/utf8"},
		why: "it is policy about results: it knows no session and no text for a model, and what runs a program is a port",
	},
	{
		path: "application/setup", project: []string{"domain", "domain/launcher", "domain/masking", "domain/rawjson"},
		std: []string{"bytes", "cmp", "embed", "encoding/json", "errors", "fmt", "maps", "net/url", "path", "regexp", "slices", "strings", "sync", "unicode"},
		why: "it is decisions: it reads and writes no file",
	},
	{
		path: "application", project: []string{"domain", "domain/arguments", "domain/extensions", "domain/definitions", "domain/finding", "domain/rawjson", "ports", "application/*"},
		std: []string{
			"cmp", "context", "encoding/json", "errors", "fmt", "hash/maphash", "log/slog", "maps", "math/rand/v2", "slices", "strconv", "strings", "sync",
			"sync/atomic", "time", "unicode", "unicode/utf8",
		},
		why: "it is policy: it knows neither processes, files nor protocols, and reaches the world through ports",
	},
	{
		path: "domain/rawjson",
		std: []string{
			"bytes", "encoding/binary", "encoding/json", "errors", "fmt", "math/bits", "strconv", "strings", "sync", "unicode/utf8",
		},
		libraries: []string{"github.com/go-json-experiment/json/jsontext", "github.com/tailscale/hujson"},
		why:       "it is JSON text only: no protocol, no I/O, no project package",
	},
	{
		path: "domain/launcher", project: []string{"domain"}, std: []string{"cmp", "path", "regexp", "slices", "strconv", "strings"},
		why: "it reads command lines: no file, no PATH, and no policy",
	},
}
