package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/system/atomicfile"
)

// schemaFile is the JSON Schema of the configuration as a file beside it, for editors.
type schemaFile struct {
	path   string
	text   []byte
	before []byte // nil when it does not exist
}

// addSchema lets the file be written with its schema beside it. If somebody else's file
// is in that place, it returns its path, and there is no schema.
func (f *ownFile) addSchema() (foreign string, err error) {
	schema, isOurs, err := newSchemaFile(f.path)
	if err != nil {
		return "", err
	}
	if !isOurs {
		return schema.path, nil
	}
	f.schema = &schema
	return "", nil
}

// newSchemaFile returns the schema beside a configuration, and whether its place is free
// or has an older schema of this program.
func newSchemaFile(configuration string) (file schemaFile, isOurs bool, err error) {
	name := strings.TrimSuffix(filepath.Base(configuration), filepath.Ext(configuration)) + ".schema.json"
	file.path = filepath.Join(filepath.Dir(configuration), name)
	if file.text, err = schemaOfConfiguration(); err != nil {
		return file, false, err
	}
	if _, err := os.Lstat(file.path); errors.Is(err, fs.ErrNotExist) {
		return file, true, nil
	}
	file.before, err = hostfiles.Load(file.path)
	if err != nil {
		return file, false, nil //nolint:nilerr // what cannot be read is not ours, and is left alone
	}
	return file, isSchemaOfConfiguration(file.before), nil
}

// isSchemaOfConfiguration reports whether a text is the schema, of any version of this
// program.
func isSchemaOfConfiguration(text []byte) bool {
	var is struct{ Title string }
	return json.Unmarshal(text, &is) == nil && is.Title == config.SchemaTitle
}

// reference returns how a configuration beside the file names it: as a relative
// reference of RFC 3986, so that both can be moved together.
func (f schemaFile) reference() string {
	return (&url.URL{Path: "./" + filepath.Base(f.path)}).String()
}

// write writes the file. It has no secrets, so others may read it.
func (f schemaFile) write() error {
	if err := atomicfile.ReplaceIf(f.path, f.before, f.text, 0o644); err != nil {
		return fmt.Errorf("write the schema of the configuration: %w", err)
	}
	return nil
}

// takeBack undoes write.
func (f schemaFile) takeBack() error {
	if f.before == nil {
		return os.Remove(f.path)
	}
	return atomicfile.ReplaceIf(f.path, f.text, f.before, 0o644)
}
