package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/adapters/config/keys"
)

// What the help topic is compared with: the tables of this package.

func RootKeys() []string { return rootKeys.Names() }

func ToolboxKeys() []string { return toolboxKeys.Names() }

func CommonKeys() []string {
	return slices.Concat(commonKeys.Names(), slices.Collect(maps.Keys(withoutEffect)))
}

func LimitNames() []string {
	var names []string
	for _, limit := range limitKeys {
		names = append(names, limitsKey+"."+limit.Name)
	}
	return names
}

// DescribedSettings returns the line of each setting of the root in the help topic.
func DescribedSettings() []string {
	var lines []string
	for _, entry := range settings {
		text := strings.ReplaceAll(entry.wanted, `"`, "`")
		if entry.Kind == keys.Number {
			text = described(entry.Bounds, entry.standard.(int64))
		} else if entry.HasDefault {
			text += fmt.Sprintf(", default `%s`", entry.Default)
		}
		lines = append(lines, fmt.Sprintf("- `%s` (`%s`): %s.", entry.Name, variableOf(entry.Name), text))
	}
	return lines
}

// described returns the type, the default and the range of a limit.
func described(b *keys.Bounds, standard int64) string {
	switch b.Unit {
	case keys.Sizes:
		return fmt.Sprintf("size, default `%s`, `%s` to `%s`", shownSize(standard), shownSize(b.Min), shownSize(b.Max))
	case keys.Numbers:
		return fmt.Sprintf("number, default `%d`, `%d` to `%d`", standard, b.Min, b.Max)
	}
	text := "duration, default `" + shownDuration(standard) + "`"
	switch {
	case b.Min == 0:
		return text + ", `0` for no limit"
	case b.Max == math.MaxInt64:
		return text + ", above 0"
	}
	return text + ", above 0, up to `" + shownDuration(b.Max) + "`"
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

func RootKeysWith(traits keys.Trait) []string { return rootKeys.With(traits).Names() }
