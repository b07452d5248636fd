package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What the help topic is compared with: the tables of this package.

func RootKeys() []string { return rootKeys.names() }

func ToolboxKeys() []string { return toolboxKeys.names() }

func CommonKeys() []string {
	return slices.Concat(commonKeys.names(), slices.Collect(maps.Keys(withoutEffect)))
}

func LimitNames() []string {
	var names []string
	for _, limit := range limitKeys {
		names = append(names, limitsKey+"."+limit.name)
	}
	return names
}

// DescribedSettings returns the line of each setting of the root in the help topic.
func DescribedSettings() []string {
	var lines []string
	for _, entry := range settings {
		text := strings.ReplaceAll(entry.wanted, `"`, "`")
		if entry.bounds != nil {
			text = entry.bounds.described(entry.standard.(int64))
		} else if entry.standard != nil {
			text += fmt.Sprintf(", default `%v`", entry.standard)
		}
		lines = append(lines, fmt.Sprintf("- `%s` (`%s`): %s.", entry.name, variableOf(entry.name), text))
	}
	return lines
}

// described returns the type, the default and the range of a limit.
func (b *bounds) described(standard int64) string {
	switch b.unit {
	case sizes:
		return fmt.Sprintf("size, default `%s`, `%s` to `%s`", shownSize(standard), shownSize(b.min), shownSize(b.max))
	case numbers:
		return fmt.Sprintf("number, default `%d`, `%d` to `%d`", standard, b.min, b.max)
	}
	text := "duration, default `" + shownDuration(standard) + "`"
	switch {
	case b.min == 0:
		return text + ", `0` for no limit"
	case b.max == math.MaxInt64:
		return text + ", above 0"
	}
	return text + ", above 0, up to `" + shownDuration(b.max) + "`"
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
