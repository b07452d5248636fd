package architecture_test

// room is a folder and what its code may import. The path and every list hold
// patterns: "x" is x, "x/*" is what is right below x, "x/**" is x and all below.
type room struct {
	path string
	// project is what of this project may be imported.
	project []string
	// std is what of the standard library may be; nil is all of it but notStd.
	std, notStd []string
	libraries   []string
	// specs is what the room's specs may import in addition, libraries too.
	specs []string
	why   string
}

// suites is the package that runs the specs of every room.
const suites = "tests/spec"

// The libraries, and parts of the standard library, that rules speak of.
var (
	ginkgo    = []string{"github.com/onsi/ginkgo/v2/**", "github.com/onsi/gomega/**"}
	mcpGo     = []string{"github.com/mark3labs/mcp-go/**"}
	processes = []string{"os/exec", "os/signal", "syscall"}
	world     = []string{"os/**", "net/**", "syscall"}
	kit       = []string{"tests/contract/**", "tests/fixtures/**"}
	features  = []string{"tests/workbenchtest", "tests/fixtures/**"}
)
