package consent

import (
	"io/fs"
	"os"

	"mcp-workbench/adapters/config"
)

// Watch watches the record that the user trusts a configuration that was found in the working directory,
// and the configuration too while it is not trusted. Without such a configuration it watches nothing. It
// calls watch with each path and with the file as last seen there, nil for none.
func (c Consent) Watch(configuration *config.Configuration, watch func(path string, seen fs.FileInfo)) {
	path, isTrusted := configuration.Path, configuration.Origin == config.FromWorkingDirectory
	if configuration.Untrusted != nil {
		path, isTrusted = configuration.Untrusted.Path, false
		seen, _ := os.Stat(path) // a missing file counts once it is there again
		watch(path, seen)
	}
	if path == "" || !isTrusted && configuration.Untrusted == nil {
		return
	}
	record, err := c.Records.Place(path)
	if err != nil {
		return // then trust cannot be recorded
	}
	var seen fs.FileInfo
	if isTrusted { // otherwise a record that is there already may be newer than the start
		if seen, err = os.Stat(record); err != nil {
			seen = configuration.File // it was there at the start, so this counts as a change
		}
	}
	watch(record, seen)
}
