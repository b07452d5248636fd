package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/domain"
)

// What the help topic is compared with: the tables of this package.

func RootKeys() []string { return rootKeys.names() }

func ToolboxKeys() []string { return toolboxKeys.names() }

func CommonKeys() []string {
	return slices.Concat(commonKeys.names(), slices.Collect(maps.Keys(withoutEffect)))
}

func LimitNames() []string {
	var names []string
	for _, entry := range limits {
		names = append(names, entry.setting())
	}
	return names
}

// DescribedSettings returns the line of each setting of the root in the help topic.
func DescribedSettings() []string {
	var lines []string
	described := map[string]string{}
	for _, entry := range rootLimits() {
		described[entry.setting()] = entry.described()
	}
	for _, entry := range settings {
		text, isLimit := described[entry.name]
		if !isLimit {
			text = strings.ReplaceAll(entry.wanted, `"`, "`")
			if entry.standard != nil {
				text += fmt.Sprintf(", default `%v`", entry.standard)
			}
		}
		lines = append(lines, fmt.Sprintf("- `%s` (`%s`): %s.", entry.name, variableOf(entry.name), text))
	}
	return lines
}

// described returns the type, the default and the range of a limit.
func (l limit) described() string {
	limits := domain.DefaultLimits()
	standard := *l.field(&limits)
	switch {
	case strings.HasPrefix(l.wanted, "a duration"):
		return "duration, default `" + shownDuration(standard) + "`" + l.describedRange()
	case strings.HasPrefix(l.wanted, "a size"):
		return fmt.Sprintf("size, default `%s`, `%s` to `%s`", shownSize(standard), shownSize(l.min), shownSize(l.max))
	}
	return fmt.Sprintf("number, default `%d`, `%d` to `%d`", standard, l.min, l.max)
}

func (l limit) describedRange() string {
	switch {
	case l.min == 0:
		return ", `0` for no limit"
	case l.max == forever:
		return ", above 0"
	}
	return ", above 0, up to `" + shownDuration(l.max) + "`"
}

func shownDuration(nanoseconds int64) string {
	if nanoseconds == 0 {
		return "0"
	}
	text := time.Duration(nanoseconds).String()
	for _, rest := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, rest) {
			text = text[:len(text)-2]
		}
	}
	return text
}

func shownSize(bytes int64) string {
	if bytes%(1<<20) == 0 {
		return strconv.FormatInt(bytes>>20, 10) + "MiB"
	}
	if bytes%(1<<10) != 0 {
		return strconv.FormatInt(bytes/1000, 10) + "KB"
	}
	return strconv.FormatInt(bytes>>10, 10) + "KiB"
}

func RootKeysWith(trait string) []string { return rootKeys.with(trait) }
