package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"text/template"
)

//go:embed templates
var templates embed.FS

// render returns a file of the folder templates with the values of the release.
func render(name string, values any) ([]byte, error) {
	parsed, err := template.New(name).Delims("[[", "]]").Option("missingkey=error").ParseFS(templates, "templates/"+name)
	if err != nil {
		return nil, fmt.Errorf("read the template %s: %w", name, err)
	}
	var text bytes.Buffer
	if err := parsed.Execute(&text, values); err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return text.Bytes(), nil
}

// rendered is a file of the release and the template that it is made from.
type rendered struct{ name, template string }

// addRendered adds files with the values of the release.
func (r *release) addRendered(files []rendered) error {
	for _, file := range files {
		text, err := render(file.template, r)
		if err != nil {
			return err
		}
		r.add(file.name, text)
	}
	return nil
}

// asJSON returns a value as a JSON file, without escapes for < and >.
func asJSON(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return text.Bytes(), nil
}
