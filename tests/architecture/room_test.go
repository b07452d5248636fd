package architecture_test

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
