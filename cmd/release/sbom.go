package main

import "time"

// component is a part of a bill of materials of CycloneDX 1.6.
type component struct {
	Type     string           `json:"type"`
	Ref      string           `json:"bom-ref"`
	Name     string           `json:"name"`
	Version  string           `json:"version"`
	Licences []map[string]any `json:"licenses"`
	PURL     string           `json:"purl,omitempty"`
}

// billOfMaterials returns the components of the programs, as CycloneDX 1.6. It has the time of the commit
// and no serial number, so that it is the same each time.
func billOfMaterials(v version, libraries []library) ([]byte, error) {
	own := component{
		Type: "application", Ref: program, Name: program, Version: v.Number,
		Licences: []map[string]any{{"license": map[string]string{"id": "MIT"}}},
	}
	components, refs := []component{}, []string{}
	for _, l := range libraries {
		c := component{Type: "library", Name: l.path, Version: l.version, PURL: "pkg:golang/" + l.path + "@" + l.version}
		c.Ref, c.Licences = c.PURL, []map[string]any{{"expression": l.licence}}
		components, refs = append(components, c), append(refs, c.Ref)
	}
	return asJSON(map[string]any{
		"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":     map[string]any{"timestamp": v.Time.Format(time.RFC3339), "component": own},
		"components":   components,
		"dependencies": []map[string]any{{"ref": program, "dependsOn": refs}},
	})
}
