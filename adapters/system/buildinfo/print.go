package buildinfo

import (
	"encoding/json"
	"fmt"
	"io"
)

// Print writes the version of the program, or all information about the build as JSON. The argument release
// is the version of a release, "" for none.
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
