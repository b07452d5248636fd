package config

import (
	"slices"
)

// changed looks for a trusted file, in use or included, that takes values from other files which the user does not
// trust. It returns the path of the first one and the reason, or an empty path and reason if all values are trusted.
func changed(options Options, source source, file *document, included *includes) (path, why string) {
	check := func(r *reader) string {
		values := slices.DeleteFunc(slices.Clone(r.fileValues), func(value FileValue) bool { return !value.InUse })
		switch {
		case len(values) == 0:
			return ""
		case options.TrustsValues == nil:
			return "values from other files decide what it runs"
		}
		return options.TrustsValues(r.File, values)
	}
	if source.origin == FromWorkingDirectory && source.untrusted == nil {
		if why := check(file.reader); why != "" {
			return file.File, why
		}
	}
	for _, file := range included.files {
		if !file.neededTrust {
			continue
		}
		if why := check(file.reader); why != "" {
			return file.File, why
		}
	}
	return "", ""
}

// distrusting returns the options with a file that is not trusted, whatever its bytes are.
func (o Options) distrusting(path, why string) Options {
	trusts := o.Trusts
	o.Trusts = func(file string, text []byte) (bool, string) {
		if file == path {
			return false, why
		}
		return trusts(file, text)
	}
	return o
}
