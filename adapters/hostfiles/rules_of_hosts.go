package hostfiles

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
)

// How hosts name tools of servers in their rules.
var (
	claudeNaming   = []naming{{"mcp__", "__"}}
	geminiNaming   = []naming{{"mcp_", "_"}, {"", "__"}}
	opencodeNaming = []naming{{"", "_"}}
	gooseNaming    = []naming{{"", "__"}}
	cursorNaming   = []naming{{"Mcp(", ":"}}
	zedNaming      = []naming{{"mcp:", ":"}}
)

// ruleFile reads rules of one file.
type ruleFile struct {
	path   string
	format textedit.Format
	rules  []rule
	err    error
}

// read returns the members at a path in the file, none for a file that does not exist.
func (f *ruleFile) read(path ...string) []textedit.Member {
	if f.err != nil || f.path == "" {
		return nil
	}
	text, err := LoadIfThere(f.path)
	if err != nil || text == nil {
		f.err = err
		return nil
	}
	members, err := f.format.Read(text, path)
	if err != nil {
		f.err = fmt.Errorf("read the rules in %s: %w", f.path, err)
	}
	return members
}

// source names a member of the file.
func (f *ruleFile) source(member string) string { return fmt.Sprintf("%q of %s", member, f.path) }

func (f *ruleFile) add(effect effect, names, member string, isConditional bool) {
	f.rules = append(f.rules, rule{effect: effect, names: names, isConditional: isConditional, source: f.source(member)})
}

// lists adds the rules of members that are lists of names, in the order of effects. A name with parentheses depends on arguments.
func (f *ruleFile) lists(path []string, effects ...listed) {
	members := f.read(path...)
	for _, list := range effects {
		for _, member := range members {
			var names []string
			if member.Name != list.member || json.Unmarshal(member.Value, &names) != nil {
				continue
			}
			for _, name := range names {
				names, isConditional := name, false
				if list.condition != "" {
					names, _, isConditional = strings.Cut(name, list.condition)
				}
				if strings.Count(names, "__") == 1 && strings.HasPrefix(names, "mcp__") && !strings.HasSuffix(names, "*") {
					names += "__*" // a server
				}
				f.add(list.effect, names, strings.Join(append(slices.Clone(path), list.member), "."), isConditional)
			}
		}
	}
}

// listed is a member with names of tools.
type listed struct {
	member    string
	effect    effect
	condition string // what begins a condition after a name, "" for nothing
}

// collected returns the rules of files.
func collected(files []*ruleFile) (rules []rule, err error) {
	for _, file := range files {
		err = cmp.Or(err, file.err)
		rules = append(rules, file.rules...)
	}
	return rules, err
}

// ruleFiles returns rules that read adds, file by file.
func ruleFiles(format textedit.Format, paths []string, read func(*ruleFile)) ([]rule, error) {
	var files []*ruleFile
	for _, path := range paths {
		file := &ruleFile{path: path, format: format}
		read(file)
		files = append(files, file)
	}
	return collected(files)
}

// system returns the folder of a program's settings for all users.
func (m Machine) system(linux, mac, windows string) string {
	switch m.System {
	case "darwin":
		return filepath.Join("/Library/Application Support", mac)
	case "windows":
		return windows
	}
	return filepath.Join("/etc", linux)
}

// filesIn returns the files in folders with an extension.
func filesIn(extension string, folders ...string) (paths []string) {
	for _, folder := range folders {
		if folder != "" {
			found, _ := filepath.Glob(filepath.Join(folder, "*"+extension)) // the pattern is valid
			paths = append(paths, found...)
		}
	}
	return paths
}

// rulesOfClaude returns those of Claude Code (its permissions reference). What is denied counts before what is asked
// about, and both before what is allowed.
func rulesOfClaude(m Machine) ([]rule, error) {
	managed := m.system("claude-code", "ClaudeCode", `C:\Program Files\ClaudeCode`)
	paths := append(filesIn(".json", filepath.Join(managed, "managed-settings.d")), filepath.Join(managed, "managed-settings.json"),
		filepath.Join(m.orHome("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), m.project(".claude", "settings.json"), m.project(".claude", "settings.local.json"))
	return strictest(ruleFiles(textedit.JSON, paths, permissionLists))
}

func permissionLists(file *ruleFile) {
	file.lists([]string{"permissions"}, listed{"ask", asks, "("}, listed{"deny", denies, "("})
}

// strictest sorts rules so that those count that deny, then those that ask.
func strictest(rules []rule, err error) ([]rule, error) {
	slices.SortStableFunc(rules, func(a, b rule) int { return cmp.Compare(a.effect, b.effect) })
	return rules, err
}

// rulesOfCursor returns those of Cursor's CLI (its permissions reference).
func rulesOfCursor(m Machine) ([]rule, error) {
	return ruleFiles(textedit.JSON, []string{m.home(".cursor", "cli-config.json"), m.project(".cursor", "cli.json")}, func(file *ruleFile) {
		file.lists([]string{"permissions"}, listed{"deny", denies, ""})
		for i, rule := range file.rules {
			file.rules[i].names = strings.TrimSuffix(rule.names, ")")
		}
	})
}

// rulesOfGoose returns those of Goose (its permission modes).
func rulesOfGoose(m Machine) ([]rule, error) {
	path := m.dotConfig("goose", "permission.yaml")
	if root := m.Getenv("GOOSE_PATH_ROOT"); root != "" {
		path = filepath.Join(root, "config", "permission.yaml")
	} else if m.isWindows() {
		path = m.config("Block", "goose", "config", "permission.yaml")
	}
	return ruleFiles(textedit.YAML, []string{path}, func(file *ruleFile) {
		file.lists([]string{"user"}, listed{"ask_before", asks, ""}, listed{"never_allow", denies, ""})
	})
}

// rulesOfQwen returns those of Qwen Code (its settings reference).
func rulesOfQwen(m Machine) ([]rule, error) {
	folder := m.system("qwen-code", "QwenCode", `C:\ProgramData\qwen-code`)
	paths := []string{filepath.Join(folder, "settings.json"), m.home(".qwen", "settings.json"), m.project(".qwen", "settings.json")}
	return strictest(ruleFiles(textedit.JSON, paths, func(file *ruleFile) {
		permissionLists(file)
		excludedTools(file)
	}))
}

func excludedTools(file *ruleFile) {
	file.lists([]string{"tools"}, listed{"exclude", denies, "("})
	file.lists(nil, listed{"excludeTools", denies, "("})
}

// rulesOfGemini returns those of Gemini CLI (its policy engine): policies of the project, those of the user, what
// settings exclude, and policies of the administrator, each by their priority.
func rulesOfGemini(m Machine) ([]rule, error) {
	system := m.system("gemini-cli", "GeminiCli", `C:\ProgramData\gemini-cli`)
	policies := func(folder string) ([]rule, error) {
		return ruleFiles(textedit.TOML, filesIn(".toml", folder), policyRules)
	}
	own, ownErr := policies(m.home(".gemini", "policies"))
	project, projectErr := policies(m.project(".gemini", "policies"))
	admin, adminErr := policies(filepath.Join(system, "policies"))
	settings := []string{filepath.Join(system, "settings.json"), m.home(".gemini", "settings.json"), m.project(".gemini", "settings.json")}
	excluded, err := ruleFiles(textedit.JSON, settings, excludedTools)
	return slices.Concat(project, own, excluded, admin), cmp.Or(err, projectErr, ownErr, adminErr)
}

// policyRules adds the rules of a policy of Gemini CLI.
func policyRules(file *ruleFile) {
	type policy struct {
		ToolName, CommandPrefix, Modes any
		McpName, Decision, Subagent    string
		ArgsPattern, CommandRegex      string
		Priority                       float64
		Interactive                    *bool
		ToolAnnotations                map[string]any
	}
	var policies []policy
	for _, member := range file.read("rule") {
		var next policy
		if err := json.Unmarshal(member.Value, &next); err != nil {
			file.err = fmt.Errorf("read the rules in %s: one has another form", file.path)
			return
		}
		policies = append(policies, next)
	}
	slices.SortStableFunc(policies, func(a, b policy) int { return cmp.Compare(a.Priority, b.Priority) })
	effects := map[string]effect{"deny": denies, "ask_user": asks}
	for _, next := range policies {
		modes, _ := next.Modes.([]any)
		isConditional := cmp.Or(next.ArgsPattern, next.Subagent) != "" || len(modes) > 0 || next.Interactive != nil || next.ToolAnnotations != nil
		if next.CommandPrefix != nil || next.CommandRegex != "" {
			continue // about commands of the shell
		}
		names, isList := next.ToolName.([]any)
		if !isList {
			names = []any{cmp.Or(next.ToolName, any(anyTool))}
		}
		for _, name := range names {
			file.add(effects[next.Decision], fmt.Sprint(name), "rule", isConditional)
			file.rules[len(file.rules)-1].server = next.McpName
		}
	}
}

// rulesOfOpencode returns those of opencode (its permissions reference), and those of its agents.
func rulesOfOpencode(m Machine) ([]rule, error) {
	var paths []string
	for _, name := range []string{"config.json", "opencode.json", "opencode.jsonc"} {
		paths = append(paths, m.dotConfig("opencode", name))
	}
	for _, name := range []string{"opencode.json", "opencode.jsonc"} {
		paths = append(paths, m.project(name), m.project(".opencode", name))
	}
	return ruleFiles(textedit.JSON, paths, func(file *ruleFile) {
		for _, member := range file.read() {
			if member.Name == "permissions" {
				permissionList(file, member.Value, false, "permissions")
			}
			if member.Name == "permission" && len(member.Value) > 0 && member.Value[0] == '{' {
				permissions(file, false, "permission")
			}
			if !slices.Contains([]string{"agent", "agents", "mode"}, member.Name) || len(member.Value) == 0 || member.Value[0] != '{' {
				continue
			}
			for _, agent := range file.read(member.Name) {
				var has struct {
					Permission, Tools map[string]any
					Permissions       json.RawMessage
				}
				_ = json.Unmarshal(agent.Value, &has) // a permission can be one word, for all tools
				permissionList(file, has.Permissions, true, member.Name+"."+agent.Name+".permissions")
				if has.Permission != nil {
					permissions(file, true, member.Name, agent.Name, "permission")
				}
				if has.Tools != nil {
					permissions(file, true, member.Name, agent.Name, "tools")
				}
			}
		}
	})
}

// permissions adds the rules of an object at a path of a file of opencode. A value is a word, or an object with words for
// patterns of arguments.
func permissions(file *ruleFile, isConditional bool, path ...string) {
	effects := map[string]effect{`"ask"`: asks, `"deny"`: denies, "false": denies}
	for _, member := range file.read(path...) {
		var words map[string]json.RawMessage
		if json.Unmarshal(member.Value, &words) != nil {
			words = map[string]json.RawMessage{anyTool: member.Value}
		}
		for pattern, word := range words {
			file.add(effects[string(word)], member.Name, strings.Join(path, "."), isConditional || pattern != anyTool)
		}
	}
}

// permissionList adds the rules of a list of opencode 2 (its permissions reference).
func permissionList(file *ruleFile, list json.RawMessage, isConditional bool, place string) {
	effects := map[string]effect{"ask": asks, "deny": denies}
	var permissions []struct{ Action, Resource, Effect string }
	_ = json.Unmarshal(list, &permissions) // another form sets nothing
	for _, rule := range permissions {
		file.add(effects[rule.Effect], rule.Action, place, isConditional || rule.Resource != anyTool)
	}
}

// rulesOfAmp returns those of Amp (its manual), of which the first one that matches counts.
func rulesOfAmp(m Machine) ([]rule, error) {
	var paths []string
	for _, name := range []string{"settings.json", "settings.jsonc"} {
		paths = append(paths, m.home(".config", "amp", name), m.project(".amp", name))
	}
	return ruleFiles(textedit.JSON, paths, func(file *ruleFile) {
		effects := map[string]effect{"ask": asks, "reject": denies, "delegate": denies}
		for _, member := range file.read() {
			var permissions []struct {
				Tool, Action, Context string
				Matches               map[string]any
			}
			if member.Name != "amp.permissions" || json.Unmarshal(member.Value, &permissions) != nil {
				continue
			}
			for _, next := range slices.Backward(permissions) {
				file.add(effects[next.Action], next.Tool, member.Name, next.Matches != nil || next.Context != "" || next.Action == "delegate")
			}
		}
		file.lists(nil, listed{"amp.tools.disable", denies, ""})
	})
}

// rulesOfZed returns those of Zed (its tool permissions).
func rulesOfZed(m Machine) ([]rule, error) {
	path := m.dotConfig("zed", "settings.json")
	if m.isWindows() {
		path = m.config("Zed", "settings.json")
	}
	return ruleFiles(textedit.JSON, []string{path, m.project(".zed", "settings.json")}, func(file *ruleFile) {
		effects := map[string]effect{"deny": denies, "confirm": asks}
		at := []string{"agent", "tool_permissions", "tools"}
		for _, tool := range file.read(at...) {
			var set struct {
				Default       string
				AlwaysDeny    []any `json:"always_deny"`
				AlwaysConfirm []any `json:"always_confirm"`
			}
			_ = json.Unmarshal(tool.Value, &set) // another form sets nothing
			file.add(effects[set.Default], tool.Name, strings.Join(at, "."), false)
			if len(set.AlwaysDeny)+len(set.AlwaysConfirm) > 0 {
				file.add(denies, tool.Name, strings.Join(at, "."), true)
			}
		}
	})
}
