package plugins

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// Server is a server of a plugin.
type Server struct {
	Name string
	// Settings is an object of keys of the configuration: "type", and those of the transport. Its texts are literal.
	Settings json.RawMessage
	// Command is the file of the plugin that its command names, "" for none, as Deciding has it.
	Command string
}

// The reserved variables (section 9).
const (
	// RootVariable is the variable with the folder of the plugin.
	RootVariable = "PLUGIN_ROOT"
	// DataVariable is the variable with its private folder.
	DataVariable = "PLUGIN_DATA"
)

// What a plugin has at most.
const (
	maxServers = 200
	// maxCommand is the largest file that a command names, in bytes: all of it is read to notice a change.
	maxCommand = 1 << 30
)

// readServers reads mcp.json (section 7.2).
func (p *Plugin) readServers() {
	disable := func(problem, rule string) { p.report(ServersFile, problem+"; so no server is used", rule) }
	path, err := within(p.Root, ServersFile)
	if err != nil {
		disable("cannot be used: "+err.Error(), "4.1")
		return
	}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		p.Files[path], p.digests[ServersFile] = nil, "none"
		return
	}
	text, err := p.read(ServersFile)
	if errors.Is(err, safefile.ErrNotRegular) {
		disable("is no regular file", "6.2")
		return
	}
	if err != nil {
		disable("cannot be read: "+cause(err), "6.2")
		return
	}
	fields, err := document(text)
	if err != nil {
		disable(err.Error(), "7.2.2")
		return
	}
	servers, problem, rule := serversIn(fields)
	if problem != "" {
		disable(problem, rule)
		return
	}
	for _, entry := range servers {
		skip := func(problem, rule string) {
			p.report("server "+domain.QuotedName(entry.name), problem+"; so it is skipped", rule)
		}
		if len(p.Servers) == maxServers {
			skip(fmt.Sprintf("is beyond the first %d", maxServers), "7.2.2")
			continue
		}
		if server, problem := p.server(entry); problem == nil {
			p.Servers = append(p.Servers, server)
		} else {
			skip(problem.text, problem.rule)
		}
	}
}

// serversIn returns the servers of a file with these fields, or what is wrong with the file.
func serversIn(fields []member) (servers []member, problem, rule string) {
	found := map[string]json.RawMessage{}
	for _, field := range fields {
		if field.name != "$schema" && field.name != "mcpServers" {
			return nil, "has the unknown field " + domain.QuotedName(field.name), "7.2.1"
		}
		found[field.name] = field.value
	}
	schema := found["$schema"]
	switch {
	case schema == nil:
		return nil, `has no "$schema"`, "7.2.1"
	case rawjson.Kind(schema) != '"' || rawjson.Text(schema) != ServersSchema:
		return nil, `has another "$schema" than ` + ServersSchema + `, the version of "plugin.json"`, "7.2.2"
	case found["mcpServers"] == nil:
		return nil, `has no "mcpServers"`, "7.2.1"
	}
	servers, err := object(found["mcpServers"])
	if err != nil {
		return nil, `has "mcpServers", which ` + err.Error(), "7.2.1"
	}
	return servers, "", ""
}

// wrong is what is wrong with a server, and the rule that says so.
type wrong struct{ text, rule string }

func wrongf(rule, format string, args ...any) *wrong {
	return &wrong{fmt.Sprintf(format, args...), rule}
}

// server reads an entry of mcp.json.
func (p *Plugin) server(entry member) (Server, *wrong) {
	fields, err := object(entry.value)
	if err != nil {
		return Server{}, wrongf("7.2.1", "%s", err)
	}
	values := map[string]json.RawMessage{}
	for _, field := range fields {
		values[field.name] = field.value
	}
	kind := rawjson.Text(values["type"])
	legal := map[string][]string{
		"stdio": {"type", "command", "args", "env", "cwd"}, "streamable-http": {"type", "url", "headers"}, "sse": {"type", "url", "headers"},
	}[kind]
	switch {
	case values["type"] == nil:
		return Server{}, wrongf("7.2.1", `has no "type"`)
	case legal == nil:
		return Server{}, wrongf("7.2.1", `has a "type" other than "stdio", "streamable-http" and "sse"`)
	}
	for _, field := range fields {
		if !slices.Contains(legal, field.name) {
			return Server{}, wrongf("7.2.1", "has the field %s, which a server of the type %q cannot have", domain.QuotedName(field.name), kind)
		}
	}
	server := Server{Name: entry.name}
	var problem *wrong
	if kind == "stdio" {
		problem = p.program(&server, values)
	} else {
		problem = address(&server, kind, values)
	}
	return server, problem
}

// program reads a server that is a program.
func (p *Plugin) program(server *Server, values map[string]json.RawMessage) *wrong {
	command, problem := p.command(server, values["command"])
	if problem != nil {
		return problem
	}
	settings := rawjson.Object{}.Text("type", "stdio").Text("command", command)
	if raw := values["args"]; raw != nil {
		if !isTexts(raw) {
			return wrongf("7.2.1", `has "args" that are no list of strings`)
		}
		var args []string
		_ = json.Unmarshal(raw, &args) // it is a list of strings
		for i := range args {
			args[i] = p.expanded(args[i])
		}
		settings = settings.Texts("args", args)
	}
	env, problem := p.environment(values["env"])
	if problem != nil {
		return problem
	}
	folder, problem := p.workingFolder(values["cwd"])
	if problem != nil {
		return problem
	}
	server.Settings = settings.Raw("env", env).Text("cwd", folder).JSON()
	return nil
}

// expanded returns a text with its placeholders replaced, once (section 9.2).
func (p *Plugin) expanded(text string) string {
	return strings.NewReplacer("${"+RootVariable+"}", p.Root, "${"+DataVariable+"}", p.Data).Replace(text)
}

// command returns the program that an entry names, and notes its file if it is one of the plugin.
func (p *Plugin) command(server *Server, raw json.RawMessage) (command string, problem *wrong) {
	text := rawjson.Text(raw)
	switch {
	case rawjson.Kind(raw) != '"' || text == "":
		return "", wrongf("7.2.1", `has no "command", which is a string that is not empty`)
	case !strings.HasPrefix(text, "./") && !isBareName(text):
		return "", wrongf("7.2.1", `has a "command" that is neither the name of a program nor a path that begins with "./"`)
	case !strings.HasPrefix(text, "./"):
		return text, nil
	}
	file, err := within(p.Root, text)
	if err != nil {
		return "", wrongf("4.1", `has a "command" that cannot be used: %s`, err)
	}
	server.Command = path.Clean(text)
	p.noteCommand(server.Command, file)
	return file, nil
}

// isBareName reports whether a text is the name of a program, as one word.
func isBareName(text string) bool {
	return text != "." && text != ".." && !strings.ContainsAny(text, "/\\:\x00 \t\r\n")
}

// noteCommand notes the file that a command names. On Windows its extension may be missing.
func (p *Plugin) noteCommand(name, file string) {
	candidates := []string{""}
	if runtime.GOOS == "windows" && filepath.Ext(file) == "" {
		candidates = append(candidates, ".com", ".exe", ".bat", ".cmd")
	}
	for _, extension := range candidates {
		info, _ := os.Stat(file + extension)
		p.Files[file+extension], p.digests[name+extension] = info, DigestOf(file+extension)
	}
}

// DigestOf returns the SHA-256 of a file in hexadecimal, "none" for one that cannot be read.
func DigestOf(path string) string {
	file, err := safefile.Open(path)
	if err != nil {
		return "none"
	}
	defer func() { _ = file.Close() }() // it was only read
	if info, err := file.Stat(); err != nil || info.Size() > maxCommand {
		return "none"
	}
	digest, err := safefile.DigestOf(io.LimitReader(file, maxCommand))
	if err != nil {
		return "none"
	}
	return digest
}

// environment returns the variables of a program: those of the entry, then the reserved ones.
func (p *Plugin) environment(raw json.RawMessage) (env json.RawMessage, problem *wrong) {
	var given []member
	if raw != nil {
		var err error
		if given, err = object(raw); err != nil {
			return nil, wrongf("7.2.1", `has an "env", which %s`, err)
		}
	}
	variables := rawjson.Object{}
	for _, variable := range given {
		name := variable.name
		switch {
		case name == RootVariable, name == DataVariable:
			return nil, wrongf("9.2", "sets %s, which the workbench sets", name)
		case rawjson.Kind(variable.value) != '"':
			return nil, wrongf("7.2.1", `has %s in "env", which is not a string`, domain.QuotedName(name))
		case name == "", strings.ContainsAny(name, "=\x00"):
			return nil, wrongf("7.2.1", `has %s in "env", which cannot be the name of a variable`, domain.QuotedName(name))
		case runtime.GOOS == "windows" && (strings.EqualFold(name, RootVariable) || strings.EqualFold(name, DataVariable)):
			continue // it is replaced (section 9.1)
		}
		variables = variables.Text(name, p.expanded(rawjson.Text(variable.value)))
	}
	return variables.Text(RootVariable, p.Root).Text(DataVariable, p.Data).JSON(), nil
}

// workingFolder returns the folder in which a program is started.
func (p *Plugin) workingFolder(raw json.RawMessage) (folder string, problem *wrong) {
	const inRoot, inData = "${" + RootVariable + "}", "${" + DataVariable + "}"
	if raw == nil {
		return p.Root, nil
	}
	text := rawjson.Text(raw)
	root, rest := p.Root, text
	switch {
	case rawjson.Kind(raw) != '"':
		return "", wrongf("7.2.1", `has a "cwd" that is not a string`)
	case strings.HasPrefix(text, "./"):
	case text == inRoot, strings.HasPrefix(text, inRoot+"/"):
		rest = "./" + strings.TrimPrefix(text, inRoot)
	case text == inData, strings.HasPrefix(text, inData+"/"):
		root, rest = p.Data, "./"+strings.TrimPrefix(text, inData)
	default:
		return "", wrongf("7.2.1", `has a "cwd" that begins neither with "./" nor with %s or %s`, inRoot, inData)
	}
	folder, err := within(root, p.expanded(rest))
	if err != nil {
		return "", wrongf("4.1", `has a "cwd" that leads out of the folder`)
	}
	return folder, nil
}

// address reads a server at an address.
func address(server *Server, kind string, values map[string]json.RawMessage) *wrong {
	text := rawjson.Text(values["url"])
	if rawjson.Kind(values["url"]) != '"' || text == "" {
		return wrongf("7.2.1", `has no "url", which is a string that is not empty`)
	}
	if problem := addressProblem(text); problem != "" {
		return wrongf("7.2.1", `has a "url" %s`, problem)
	}
	headers := rawjson.Object{}
	seen := map[string]bool{}
	var given []member
	if raw := values["headers"]; raw != nil {
		var err error
		if given, err = object(raw); err != nil {
			return wrongf("7.2.1", `has "headers", which %s`, err)
		}
	}
	for _, header := range given {
		name := strings.ToLower(header.name)
		switch {
		case rawjson.Kind(header.value) != '"' || !web.IsHeaderName(name) || !web.IsHeaderValue(rawjson.Text(header.value)):
			return wrongf("7.2.1", `has %s in "headers", which is no valid header`, domain.QuotedName(header.name))
		case seen[name]:
			return wrongf("7.2.1", "has the header %s twice", domain.QuotedName(header.name))
		case !web.IsOwnHeader(name): // those of the workbench take precedence
			headers = headers.Raw(header.name, header.value)
		}
		seen[name] = true
	}
	server.Settings = rawjson.Object{}.Text("type", kind).Text("url", text).Raw("headers", headers.JSON()).JSON()
	return nil
}

// addressProblem returns what is wrong with the address of a server, "" for nothing.
func addressProblem(text string) string {
	parsed, err := url.Parse(text)
	switch {
	case err != nil || parsed.Host == "" || parsed.Hostname() == "" || parsed.Scheme != "http" && parsed.Scheme != "https":
		return "that is no absolute address with http or https"
	case parsed.User != nil:
		return "with a user name"
	case strings.Contains(text, "#"):
		return "with a fragment"
	case parsed.Scheme == "http" && !isLoopback(parsed.Hostname()):
		return "with http, which only localhost and loopback addresses can have"
	}
	return ""
}

// isLoopback reports whether a host is exactly localhost or an address of this machine.
func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
