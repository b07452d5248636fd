package hostfiles_test

import (
	"embed"
	"path"
	"strings"
)

//go:embed testdata/usual
var usualFiles embed.FS

// usual are the files of hosts as these hosts, or people, write them. Each has the
// server "git" and a value that must not be shown.
var usual = func() map[string]string {
	files, err := usualFiles.ReadDir("testdata/usual")
	if err != nil {
		panic(err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text, err := usualFiles.ReadFile(path.Join("testdata/usual", file.Name()))
		if err != nil {
			panic(err)
		}
		texts[strings.TrimSuffix(file.Name(), path.Ext(file.Name()))] = string(text)
	}
	return texts
}()
