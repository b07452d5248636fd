package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcp-workbench/adapters/config"
)

// largeFile returns a file of 5 MB with 1,000 toolboxes of five servers.
func largeFile(value string) []byte {
	var file strings.Builder
	file.WriteString("{\n  \"toolboxes\": {\n")
	for toolbox := range 1000 {
		fmt.Fprintf(&file, "    \"box-%d\": {\n      \"description\": \"Tools of box %d\",\n      \"mcpServers\": {\n", toolbox, toolbox)
		for server := range 5 {
			fmt.Fprintf(&file, "        \"server-%d\": { // comment\n          \"command\": \"${BIN:-/usr/bin}/npx\",\n          \"args\": [", server)
			for arg := range 20 {
				fmt.Fprintf(&file, "\"--option-%d=%s\", ", arg, value)
			}
			file.WriteString("],\n          \"env\": {")
			for variable := range 10 {
				fmt.Fprintf(&file, "\"VARIABLE_%d\": \"%s\", ", variable, value)
			}
			file.WriteString("},\n          \"toolFilters\": [\"read_file\", \"write_file\"]\n        },\n")
		}
		file.WriteString("      },\n    },\n")
	}
	file.WriteString("  },\n}\n")
	return []byte(file.String())
}

func BenchmarkLoad(b *testing.B) {
	cases := []struct {
		name string
		data []byte
	}{
		{"valid", largeFile("${HOME}/a")},
		{"150,000 problems", largeFile("${")},
		{"150,000 problems in one line", []byte(strings.NewReplacer("\n", " ", "// comment", "").Replace(string(largeFile("${"))))},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			for b.Loop() {
				_, err := config.LoadBytes(c.data, []string{"HOME=/home/me"}, transports())
				if (err == nil) != (c.name == "valid") {
					b.Fatal(err)
				}
			}
		})
	}
}

// A start of a program loads a file like this one.
func BenchmarkLoadSmallFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "c.json")
	text := `{"logLevel": "info", "limits": {"connect": "30s"}, "toolboxes": {`
	for i := range 5 {
		text += fmt.Sprintf(`"box-%d": {"description": "Tools of box %d", "mcpServers": {
			"one": {"command": "npx", "args": ["-y", "a-server", "--root", "${HOME}"], "env": {"TOKEN": "${HOME}"}, "toolFilters": ["read_file", "write_file"]},
			"two": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${HOME}"}},
		}},`, i, i)
	}
	if err := os.WriteFile(path, []byte(text+"}}"), 0o600); err != nil {
		b.Fatal(err)
	}
	environ := []string{"HOME=/home/me"}
	for i := range 40 {
		environ = append(environ, fmt.Sprintf("VARIABLE_%d=value", i))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := config.Load(config.Options{Path: path, Environ: environ}, transports()); err != nil {
			b.Fatal(err)
		}
	}
}
