package workbenchtest

import "mcp-workbench/tests/fixtures/script"

// WithTools returns a server that lists tools of these names and answers every
// call with "done".
func WithTools(names ...string) script.Script {
	var s script.Script
	for _, name := range names {
		s.Tools = append(s.Tools, script.Tool(name))
	}
	s.Rules = []script.Rule{script.Answer("", script.Text("done"))}
	return s
}

// Listed returns the definition of script.Tool as open_toolbox shows it.
func Listed(tool, server, toolbox string) string {
	return Shown(script.Tool(tool), server, toolbox)
}

// Shown returns a definition as open_toolbox shows it.
func Shown(definition, server, toolbox string) string {
	return definition[:len(definition)-1] +
		`,"server":` + Quote(server) + `,"toolbox":` + Quote(toolbox) + `}`
}

// InDev returns the toolbox that most specs are about.
func InDev(servers ...Server) Toolbox {
	return NewToolbox("dev", servers...)
}

// Hanging returns a server with a tool that it never answers, and one that it answers.
func Hanging() script.Script {
	s := WithTools("hang", "read")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "hang"},
		script.Answer("read", script.Text("done")),
	}
	return s
}
