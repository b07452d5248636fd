package hostfiles_test

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
	"copilot": `{
  "mcpServers": {
    "git": {
      "type": "local",
      "command": "git-mcp",
      "tools": ["*"],
      "args": ["--stdio"],
      "env": {
        "TOKEN": "secret-of-git"
      }
    }
  }
}
`,
	"zed": `// Zed settings
//
// For information on how to configure Zed, see the documentation
{
  "telemetry": { "metrics": false },
  "context_servers": {
    "git": {
      "source": "custom",
      "command": "git-mcp",
      "args": ["--stdio"],
      "env": { "TOKEN": "secret-of-git" }, // mine
    },
  },
  "ui_font_size": 16,
}
`,
	"cline": `{
  "mcpServers": {
    "git": {
      "autoApprove": [],
      "disabled": false,
      "timeout": 60,
      "type": "stdio",
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
	"roo": `{
  "mcpServers": {
    "git": {
      "command": "git-mcp",
      "args": ["--stdio"],
      "env": {"TOKEN": "secret-of-git"},
      "alwaysAllow": []
    }

  }
}`,
	"kiro":     asKiro,
	"lmstudio": asKiro,
	"amp": `{
  "amp.notifications.enabled": false,
  "amp.mcpServers": {
    "git": {
      "command": "git-mcp",
      "args": ["--stdio"],
      "env": {"TOKEN": "secret-of-git"}
    }
  },
  "amp.tools.disable": []
}
`,
	"qwen": `{
  "security": {
    "auth": {
      "selectedType": "openai"
    }
  },
  // tools
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
  },
  "$version": 3
}`,
	"crush": `{
  "$schema": "https://charm.land/crush.json",
  "mcp": {
    "git": {
      "type": "stdio",
      "command": "git-mcp",
      "args": ["--stdio"],
      "timeout": 120,
      "disabled": false,
      "env": {
        "TOKEN": "secret-of-git"
      }
    }
  }
}
`,
	"kimi": `{
  "mcpServers": {
    "git": {
      "command": "git-mcp",
      "args": ["--stdio"],
      "env": {"TOKEN": "secret-of-git"},
      "startupTimeoutMs": 60000
    }
  }
}
`,
	"antigravity": asKiro,
	"warp": `{
  "mcpServers": {
    "git": {
      "command": "git-mcp",
      "args": ["--stdio"],
      "env": {"TOKEN": "secret-of-git"},
      "working_directory": null
    }
  }
}
`,
	"goose": `GOOSE_PROVIDER: openai
extensions:
  developer:
    enabled: true
    type: builtin
    name: developer
    bundled: true
  # mine
  git:
    enabled: true
    type: stdio
    name: git
    description: ''
    cmd: git-mcp
    args:
    - --stdio
    envs:
      TOKEN: secret-of-git
    env_keys: []
    timeout: 300
    bundled: null
    available_tools: []
GOOSE_MODEL: secret-of-the-model
`,
	"continue": `name: Main Config
version: 1.0.0
schema: v1
models:
  - name: GPT
    apiKey: secret-of-the-model
mcpServers:
  # mine
  - name: git
    command: git-mcp
    args: ["--stdio"]
    env:
      TOKEN: "secret-of-git"
`,
}

// asKiro is a file in the form of Kiro, LM Studio and Antigravity.
const asKiro = `{
  "mcpServers": {
    "git": {
      "command": "git-mcp",
      "args": [
        "--stdio"
      ],
      "env": {
        "TOKEN": "secret-of-git"
      },
      "disabled": false
    }
  }
}
`
