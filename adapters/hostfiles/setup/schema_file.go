package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/system/safefile"
)

// schemaFile is the JSON Schema of the configuration as a file beside it, for editors.
type schemaFile struct {
	path   string
	text   []byte
	before []byte // nil if it does not exist
}

// addSchema makes the schema be written beside the file, unless there is a file of another
// program. It returns the path of the schema.
func (f *ownFile) addSchema() (path string, err error) {
	name := strings.TrimSuffix(filepath.Base(f.path), filepath.Ext(f.path)) + ".schema.json"
	file := schemaFile{path: filepath.Join(filepath.Dir(f.path), name)}
	if file.text, err = f.program.Schema(); err != nil {
		return file.path, err
	}
	if _, err := os.Lstat(file.path); !errors.Is(err, fs.ErrNotExist) {
		file.before, err = hostfiles.Load(file.path)
		if err != nil || !isSchema(file.before) {
			return file.path, nil //nolint:nilerr // a file that cannot be read was not written by the workbench
		}
	}
	f.schema = &file
	return file.path, nil
}

// isSchema reports whether a text is the schema of any version of this program.
func isSchema(text []byte) bool {
	var schema struct{ Title string }
	return json.Unmarshal(text, &schema) == nil && schema.Title == config.SchemaTitle
}

// write writes the file. It has no secrets, so others may read it.
func (f schemaFile) write() error {
	if err := safefile.ReplaceIf(f.path, f.before, f.text, 0o644); err != nil {
		return fmt.Errorf("write the schema of the configuration: %w", err)
	}
	return nil
}

// undo undoes write.
func (f schemaFile) undo() error {
	if f.before == nil {
		return os.Remove(f.path)
	}
	return safefile.ReplaceIf(f.path, f.text, f.before, 0o644)
}
