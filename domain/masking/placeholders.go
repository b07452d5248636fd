package masking

import (
	"fmt"
	"strings"
)

// What pages of servers write where a user is to put a value: YOUR_API_KEY, <your-key>, sk-xxxx, a variable as shells and other
// programs than the workbench refer to it, and ${input:id} as VS Code asks for it.
var (
	placeholder = pattern(`(?i)^(?:(?:[a-z]{2,8}[-_]){0,2}(?:<[^<>]*>|x{3,}|\*{3,}|\.{3}|…)|\[[a-z _-]+\]|(?:[a-z]{2,8}-)?your[-_ ].*|(?:insert|enter|replace|paste)[-_ ].*|your[a-z]+|.*[-_ ](?:here|placeholder))$`)
	ofOthers    = pattern(strings.ReplaceAll(`^(?:\$([A-Z][A-Z0-9_]*)|\$env:NAME|%NAME%|\{env:NAME\}|\$?\{\{\s*(?:(?:env|secrets|inputs)\.)?NAME\s*\}\})$`, "NAME", `([A-Za-z_][A-Za-z0-9_]*)`))
	ofInput     = pattern(`\$\{(?:input|env|secret):([^}]*)\}`)
	credential  = pattern(`(?i)^(?:bearer|basic|token)\s+`)
)

// InsteadOfPlaceholder says what to write instead of a value with a name that is a placeholder of a page, "" for others. It
// does not show the value.
func InsteadOfPlaceholder(name, value string) string {
	prefix := credential().FindString(value)
	variable := instead(strings.TrimPrefix(value, prefix), name)
	if variable == "" {
		return ""
	}
	return fmt.Sprintf("is a placeholder: write %q, and set %s where hosts are started", prefix+"${"+variable+"}", variable)
}

// instead returns the variable to refer to instead of a value, "" for one that is no placeholder.
func instead(value, name string) string {
	if found := ofOthers().FindStringSubmatch(value); found != nil {
		return strings.Join(found[1:], "") // only one of them matched
	}
	if found := ofInput().FindStringSubmatch(value); found != nil {
		name = found[1]
	} else if !placeholder().MatchString(value) {
		return ""
	}
	return VariableName(name)
}

// Argument returns the value of one of the arguments, and the name of its flag, which is before it or joined to it. Without a
// flag the name is "".
func Argument(args []string, i int) (name, value string) {
	if flag, rest, hasValue := strings.Cut(args[i], "="); hasValue {
		return flag, rest
	}
	if i > 0 && strings.HasPrefix(args[i-1], "-") {
		name = args[i-1]
	}
	return name, args[i]
}
