package config

import (
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// protection is a setting of the root that protects the user of servers. Each file keeps its own for its servers:
// since they apply to the whole workbench, the stricter one of all files counts.
type protection struct {
	key string
	// strengthen gives a root the value of a file that it includes if that is stricter, and reports whether it is.
	strengthen func(root *Root, value any) bool
}

// unless returns how to strengthen a setting of which a value is stricter.
func unless(stricter bool, field func(*Root) *bool) func(*Root, any) bool {
	return func(root *Root, value any) bool {
		own := field(root)
		if value != stricter || *own == stricter {
			return false
		}
		*own = stricter
		return true
	}
}

var protections = []protection{
	{pinningKey, func(root *Root, value any) bool {
		text, _ := value.(string)
		return strengthen(&root.Pinning, domain.PinPolicy(text))
	}},
	{packagesKey, func(root *Root, value any) bool {
		text, _ := value.(string)
		return strengthen(&root.Packages, domain.PackagePolicy(text))
	}},
	{validateKey, func(root *Root, value any) bool {
		var given *bool
		if all, ok := value.(bool); ok {
			given = &all
		}
		return strengthen(&root.Definitions.Validation, validation(given))
	}},
	{logPayloadsKey, unless(false, func(root *Root) *bool { return &root.LogPayloads })},
	{readToolKey, unless(false, func(root *Root) *bool { return &root.ReadTool })},
	{statusKey, unless(true, func(root *Root) *bool { return &root.Status })},
	{activityKey, unless(false, func(root *Root) *bool { return &root.Activity.Off })},
}

// strengthen replaces a value by a stricter one, and reports whether that is stricter.
func strengthen[T interface{ Strictness() int }](own *T, other T) bool {
	if other.Strictness() <= (*own).Strictness() {
		return false
	}
	*own = other
	return true
}

// validation returns what a value of "validate" means, nil if the key is missing.
func validation(given *bool) definitions.Validation {
	switch {
	case given == nil:
		return definitions.ValidateUnseen
	case *given:
		return definitions.ValidateAll
	}
	return definitions.ValidateNone
}

// protect gives the root the protections of the included files where they are stricter. including is the file
// in use.
//
// Decision: a file that may come from others does not weaken the defaults either of a file that it includes, such as
// that of the user. Any other file is the user's own, who may log the payloads of all servers by one setting. Flags and
// variables count for all files.
func (i *includes) protect(including *document, root *Root) {
	for _, file := range i.files {
		if file.isProject {
			continue
		}
		for _, rule := range protections {
			setting, _ := settingNamed(rule.key)
			value, isSet := setting.standard, false // nil for a key without a default
			if m, ok := file.members.Get(rule.key); ok {
				value, isSet = setting.read(file.reader, m.Node)
			}
			if i.given.Exists(setting.path) || !isSet && !i.needTrust {
				continue
			}
			if own, ok := including.members.Get(rule.key); rule.strengthen(root, value) && ok {
				including.Warn(own.Key(), "the stricter setting of "+file.File+" counts, which this file includes")
			}
		}
	}
	root.Definitions.ReadTool = root.ReadTool && root.ToolMode != Dynamic
}
