package buildinfo

import (
	"encoding/json"
	"fmt"
	"io"
)

// Print writes the version of the program, or what it was built from as JSON. For a release it is the
// version of the release.
func Print(out io.Writer, release string, asJSON bool) error {
	var err error
	if asJSON {
		err = json.NewEncoder(out).Encode(Read(release))
	} else {
		_, err = fmt.Fprintf(out, "mcp-workbench %s\n", Version(release))
	}
	if err != nil {
		return fmt.Errorf("write the version: %w", err)
	}
	return nil
}
