package config_test

import (
	"fmt"
	"strings"
	"testing"

	"mcp-workbench/adapters/config"
)

// largeFile returns a file of 5 MB with 1,000 toolboxes of five servers.
func largeFile(value string) []byte {
	var file strings.Builder
	file.WriteString("{\n  \"toolboxes\": {\n")
	for box := range 1000 {
		fmt.Fprintf(&file, "    \"box-%d\": {\n      \"description\": \"Tools of box %d\",\n      \"mcpServers\": {\n", box, box)
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
