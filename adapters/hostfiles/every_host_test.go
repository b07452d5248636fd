package hostfiles_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
)

// usual are the files of hosts as these hosts, or people, write them. Each has the
// server "git" and a value that must not be shown.
var usual = map[string]string{
	"claude-desktop": `{
  "mcpServers": {
    "git": {
      "command": "git-mcp",
      "args": ["--stdio"],
      "env": {"TOKEN": "secret-of-git"}
    }
  },
  "globalShortcut": ""
}`,
	"claude-code": `{
  "numStartups": 3,
  "mcpServers": {
    "git": {
      "type": "stdio",
      "command": "git-mcp",
      "args": [
        "--stdio"
      ],
      "env": {
        "TOKEN": "secret-of-git"
      }
    }
  },
  "projects": {
    "/home/me/shop": {
      "mcpServers": {},
      "hasTrustDialogAccepted": true
    }
  }
}`,
	"cursor": `{
  // what I use
  "mcpServers": {
    "git": { "command": "git-mcp", "args": ["--stdio"], "env": { "TOKEN": "secret-of-git" } }, // daily
  }
}
`,
	"vscode": `{
	// For more information, visit the documentation
	"servers": {
		"git": {
			"type": "stdio",
			"command": "git-mcp",
			"args": ["--stdio"],
			"env": { "TOKEN": "secret-of-git" }
		}
	},
	"inputs": []
}
`,
	"windsurf": `{
  "mcpServers": {
    "git": {
      "command": "git-mcp",
      "args": ["--stdio"],
      "env": {"TOKEN": "secret-of-git"},
      "disabled": false
    }
  }
}
`,
	"codex": `model = "gpt-5.5"
# tools
[mcp_servers.git]
command = "git-mcp"
args = ["--stdio"]

[mcp_servers.git.env]
"TOKEN" = "secret-of-git"

[projects."/home/me/shop"]
trust_level = "trusted"
`,
	"gemini": `{
  "security": {
    "auth": {
      "selectedType": "oauth-personal"
    }
  },
  "mcpServers": {
    "git": {
      "command": "git-mcp",
      "args": [
        "--stdio"
      ],
      "env": {
        "TOKEN": "secret-of-git"
      }
    }
  }
}`,
	"opencode": `{
  "$schema": "https://opencode.ai/config.json", // as it writes it
  "mcp": {
    "git": {
      "type": "local",
      "command": ["git-mcp", "--stdio"],
      "environment": {"TOKEN": "secret-of-git"},
    },
  },
}
`,
}

// encodings are what editors and systems make of a text.
var encodings = map[string]func(string) string{
	"as it is":                 func(text string) string { return text },
	"with a byte order mark":   func(text string) string { return "\ufeff" + text },
	"with CR LF":               func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") },
	"as Windows has it":        func(text string) string { return "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n") },
	"without an end of line":   func(text string) string { return strings.TrimRight(text, "\n") },
	"with empty lines at last": func(text string) string { return text + "\n\n" },
	"with tabs":                func(text string) string { return strings.ReplaceAll(text, "  ", "\t") },
}

// broken are texts that no command may touch.
var broken = map[string]func(string) string{
	"in UTF-16": func(text string) string {
		var bytes strings.Builder
		bytes.WriteString("\xff\xfe")
		for _, unit := range utf16.Encode([]rune(text)) {
			bytes.WriteByte(byte(unit))
			bytes.WriteByte(byte(unit >> 8))
		}
		return bytes.String()
	},
	"cut off": func(text string) string {
		at := strings.Index(text, `"secret-of-git"`)
		return text[:at+5]
	},
	"with bytes that are no text": func(text string) string { return strings.Replace(text, "git-mcp", "git-\xff\xfe", 1) },
}

var _ = Describe("The file of every host", func() {
	// at places a text where the host has its file in a home folder of a system.
	at := func(host hostfiles.Host, system, text string) hostfiles.File {
		GinkgoHelper()
		home := GinkgoT().TempDir()
		m := hostfiles.Machine{Home: home, Getenv: func(string) string { return "" }}
		m.Config = filepath.Join(home, map[string]string{
			"linux": ".config", "darwin": "Library/Application Support", "windows": "AppData/Roaming",
		}[system])
		path := host.UserFile(m).Path
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
		Expect(host.IsPresent(m)).To(BeTrue())
		return host.UserFile(m)
	}
	text := func(file hostfiles.File) string {
		GinkgoHelper()
		got, err := os.ReadFile(file.Path)
		Expect(err).NotTo(HaveOccurred())
		return string(got)
	}

	for _, host := range hostfiles.Hosts() {
		for _, system := range []string{"linux", "darwin", "windows"} {
			for _, name := range slices.Sorted(maps.Keys(encodings)) {
				encode := encodings[name]
				It("is read, changed and restored: "+host.ID+", "+system+", "+name, func() {
					before := encode(usual[host.ID])
					file := at(host, system, before)
					servers, err := hostfiles.Read(file)
					Expect(err).NotTo(HaveOccurred())
					Expect(servers).To(HaveLen(1))
					Expect(servers[0].Settings.Command).To(Equal("git-mcp"))
					Expect(servers[0].Settings.Args).To(Equal([]string{"--stdio"}))
					Expect(servers[0].Settings.Env).To(Equal(map[string]string{"TOKEN": "secret-of-git"}))
					Expect(string(hostfiles.Masked(file, []byte(before)))).To(And(Not(BeEmpty()), Not(ContainSubstring("secret-of"))))

					connections := hostfiles.NewConnections(GinkgoT().TempDir())
					change, err := connections.Connect(file, "workbench", entry, []string{"git"})
					Expect(err).NotTo(HaveOccurred())
					Expect(connections.Apply(change, nil)).To(Succeed())
					Expect(text(file)).NotTo(ContainSubstring("git-mcp"))
					connected, err := hostfiles.Read(file)
					Expect(err).NotTo(HaveOccurred())
					Expect(connected).To(HaveExactElements(HaveField("Settings.Command", entry.Command)))

					change, err = connections.Disconnect(file, "workbench")
					Expect(err).NotTo(HaveOccurred())
					Expect(connections.Apply(change, nil)).To(Succeed())
					Expect(text(file)).To(Equal(before))
				})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(broken)) {
			spoil := broken[name]
			It("stays as it is when it is broken: "+host.ID+", "+name, func() {
				before := spoil(usual[host.ID])
				file := at(host, "linux", before)

				_, err := hostfiles.NewConnections(GinkgoT().TempDir()).Connect(file, "workbench", entry, nil)

				Expect(err).To(HaveOccurred())
				Expect(err.Error()).To(ContainSubstring(file.Path))
				Expect(err.Error()).NotTo(ContainSubstring("secr"))
				Expect(text(file)).To(Equal(before))
			})
		}
	}
})
