package stdio

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// isBatchFile reports whether Windows starts the file at path with cmd.exe. It ignores
// spaces and dots at the end of a name, as Windows does.
func isBatchFile(path string) bool {
	name := strings.ToLower(strings.TrimRight(path, " ."))
	return strings.HasSuffix(name, ".bat") || strings.HasSuffix(name, ".cmd")
}

// maxShim is the size of the largest batch file that is read as one of npm, in bytes.
const maxShim = 8 << 10

// npmScript returns the script that a batch file of npm runs with Node: npm.cmd and npx.cmd that in the npm
// installation beside them, and those of installed packages, which npm writes with cmd-shim, the one that they name.
func npmScript(shim string) (script string, ok bool) {
	folder := filepath.Dir(shim)
	if name := strings.ToLower(filepath.Base(shim)); name == "npm.cmd" || name == "npx.cmd" {
		script = filepath.Join(folder, "node_modules", "npm", "bin", strings.TrimSuffix(name, ".cmd")+"-cli.js")
	} else {
		info, err := os.Stat(shim)
		if err != nil || !info.Mode().IsRegular() || info.Size() > maxShim {
			return "", false
		}
		text, err := os.ReadFile(shim)
		named := regexp.MustCompile(`(?s)SET "_prog=node"\r?\n.*"%_prog%"\s+"%dp0%\\([^"%]+\.[cm]?js)" %\*\s*$`).FindSubmatch(text)
		if err != nil || named == nil {
			return "", false
		}
		script = filepath.Join(folder, filepath.FromSlash(strings.ReplaceAll(string(named[1]), `\`, "/")))
	}
	info, err := os.Stat(script)
	return script, err == nil && info.Mode().IsRegular()
}

// batchCommandLine returns the command line with which cmd.exe runs a batch file so that
// its arguments arrive unchanged. It fails if an argument or the path contains a
// character that cmd.exe interprets even in quotes; the error names the argument by
// its number from 1, and the character.
//
// The form and the quoting are those of Rust's standard library
// (library/std/src/sys/args/windows.rs), which escapes percent signs and quotes; here
// they are refused, since a batch file that passes its arguments on interprets them
// again.
func batchCommandLine(path string, args []string) (string, error) {
	if found := unquotable(path); found != "" {
		return "", fmt.Errorf("its path contains %s, which cmd.exe would interpret", found)
	}
	var line strings.Builder
	// /e:ON and /v:OFF fix what cmd.exe expands, /d skips its AutoRun commands. It
	// strips the outer quotes of the text after /c.
	line.WriteString(`cmd.exe /e:ON /v:OFF /d /c ""` + path + `"`)
	for i, arg := range args {
		if found := unquotable(arg); found != "" {
			return "", fmt.Errorf("its argument %d contains %s, which cmd.exe would interpret: "+
				"use the program that the batch file starts as the command", i+1, found)
		}
		line.WriteByte(' ')
		line.WriteString(quotedForBatch(arg))
	}
	line.WriteByte('"')
	return line.String(), nil
}

// unquotable names the first character of a text that no quoting protects from
// cmd.exe, "" if there is none.
func unquotable(text string) string {
	for _, c := range text {
		switch c {
		case '"':
			return "a double quote"
		case '%':
			return "a percent sign"
		case '\r', '\n':
			return "a line break"
		case 0:
			return "a null character"
		}
	}
	return ""
}

// quotedForBatch returns an argument quoted so that cmd.exe passes it on unchanged. It adds
// quotes only where they are needed, since batch files compare arguments with words.
func quotedForBatch(arg string) string {
	if arg != "" && !strings.ContainsFunc(arg, needsQuotes) && !strings.HasSuffix(arg, `\`) {
		return arg
	}
	// A backslash before the closing quote is doubled, or programs would take the
	// quote for a part of the argument.
	backslashes := len(arg) - len(strings.TrimRight(arg, `\`))
	return `"` + arg + strings.Repeat(`\`, backslashes) + `"`
}

// needsQuotes reports whether the character can have a meaning for cmd.exe or a program.
func needsQuotes(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return false
	case strings.ContainsRune(`#$*+-./:?@\_`, c):
		return false
	}
	return true
}
