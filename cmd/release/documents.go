package main

import (
	"context"
	"fmt"
	"os"
	"strings"
)

// documents are the files beside the program that are the same for every system.
type documents struct {
	licence, thirdParty, manPage, bill, changelog []byte
	// completions are scripts by the name of the shell.
	completions map[string][]byte
}

// licences returns the files with the licences of the program and of what it contains.
func (d documents) licences() []packed {
	return []packed{{name: "LICENSE", data: d.licence}, {name: "THIRD_PARTY_LICENSES", data: d.thirdParty}}
}

// shells are the shells that the program has completions for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// newDocuments collects the documents. The program at path, which must run on this machine, writes
// the completions and the texts of the manual page.
func newDocuments(ctx context.Context, path string, v version, programs []built) (documents, error) {
	d := documents{completions: map[string][]byte{}}
	libraries, err := librariesOf(ctx, programs)
	if err != nil {
		return documents{}, err
	}
	d.thirdParty = thirdPartyLicences(libraries)
	if d.bill, err = billOfMaterials(v, libraries); err != nil {
		return documents{}, err
	}
	for file, data := range map[string]*[]byte{"LICENSE": &d.licence, "CHANGELOG.md": &d.changelog} {
		if *data, err = os.ReadFile(file); err != nil {
			return documents{}, fmt.Errorf("read a document: %w", err)
		}
	}
	for _, shell := range shells {
		script, err := runProgram(ctx, path, "completion", shell)
		if err != nil {
			return documents{}, err
		}
		d.completions[shell] = []byte(script)
	}
	d.manPage, err = manPage(ctx, path, v)
	return d, err
}

// manPage returns the manual page, from the program's help about itself and each command.
func manPage(ctx context.Context, path string, v version) ([]byte, error) {
	commands, err := runProgram(ctx, path, "__complete", "")
	if err != nil {
		return nil, err
	}
	help, err := runProgram(ctx, path, "--help")
	if err != nil {
		return nil, err
	}
	var page strings.Builder
	fmt.Fprintf(&page, ".TH MCP\\-WORKBENCH 1 %s %q \"User Commands\"\n", v.Time.Format("2006-01-02"), "mcp-workbench "+v.Number)
	page.WriteString(".SH NAME\nmcp\\-workbench \\- MCP server that puts all your MCP servers behind two tools, grouped into toolboxes\n")
	page.WriteString(".SH SYNOPSIS\n.B mcp\\-workbench\n.RI [ command ]\n.RI [ flags ]\n")
	writePreformatted(&page, ".SH DESCRIPTION", help)
	page.WriteString(".SH COMMANDS\n")
	for line := range strings.Lines(commands) {
		name, _, isCommand := strings.Cut(line, "\t")
		if !isCommand {
			continue
		}
		text, err := runProgram(ctx, path, name, "--help")
		if err != nil {
			return nil, err
		}
		text, _, _ = strings.Cut(text, "\nGlobal Flags:")
		writePreformatted(&page, ".SS "+roff(name), text)
	}
	page.WriteString(".SH ENVIRONMENT\n.TP\n.B WORKBENCH_CONFIG\nThe configuration file, if\n.B \\-\\-config\ndoes not name one.\n")
	page.WriteString(".SH \"SEE ALSO\"\n.B mcp\\-workbench help\n.I topic\nprints the reference, and\n.B mcp\\-workbench help\nlists its topics.\n")
	return []byte(page.String()), nil
}

// writePreformatted writes a section that keeps the lines of its text.
func writePreformatted(page *strings.Builder, heading, text string) {
	fmt.Fprintf(page, "%s\n.nf\n", heading)
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		page.WriteString(roff(strings.TrimRight(line, "\n")) + "\n")
	}
	page.WriteString(".fi\n")
}

// roff returns a line with escapes, so that roff prints it unchanged.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\(ga", "^", `\(ha`, "~", `\(ti`, "…", "...").Replace(line)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line
	}
	return line
}
