package architecture_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var (
	link        = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]*))?\)`)
	address     = regexp.MustCompile(`https?://([a-zA-Z0-9.-]+\.[a-z]+)`)
	codeLine    = regexp.MustCompile(`(?m)^(?:    |\$ )?((?:make|bin/mcp-workbench|mcp-workbench) .*)$`)
	pathInCode  = regexp.MustCompile(`^(?:adapters|application|cmd|domain|ports|tests)(?:/[\w.*-]+)*/?$`)
	pathInText  = regexp.MustCompile(`\b(?:adapters|application|cmd|domain|ports|tests)/[\w./-]*\.go\b`)
	fileInCode  = regexp.MustCompile(`^[\w-]+\.go$`)
	page        = regexp.MustCompile(`(?:[\w-]+/)*[A-Za-z][\w-]*\.md\b`)
	pageSection = regexp.MustCompile(`((?:[\w-]+/)*[A-Z]+\.md),? sections? (\d+)(?: (?:to|and) (\d+))?`)
	pageTitle   = regexp.MustCompile(`((?:[\w-]+/)*[A-Z]+\.md), "([^"]+)"`)
	ownSection  = regexp.MustCompile(`(?:^|[^d] )\bsections? (\d+)\b`)
	longFlag    = regexp.MustCompile(`(?:^|\s)(--[a-z][a-z-]+)`)
	ofProgram   = regexp.MustCompile(`^(?:bin/)?mcp-workbench ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?`)
	heading     = regexp.MustCompile(`(?m)^#+ (?:(\d+)\. )?(.*)$`)
)

// vouchedFor are the hosts of addresses in documents: each exists, or is reserved for
// examples (RFC 2606).
var vouchedFor = []string{
	"keepachangelog.com", "www.apple.com", "mcp.example.com", "idp.example.com", "app.example.com", "github.com", "raw.githubusercontent.com", "mcp.sentry.dev", "registry.modelcontextprotocol.io", "registry.example.com",
	"login.microsoftonline.com", "cognito-idp.eu-central-1.amazonaws.com",
}

// foreignPage is the file of a skill, as other programs read it.
const foreignPage = "SKILL.md"

// foreignFlags are flags of other programs that documents mention.
var foreignFlags = []string{"--label-filter", "--seed", "--help", "--version", "--scope", "--cli", "--server", "--init", "--ignore-scripts", "--omit", "--prefix", "--from", "--privileged", "--network", "--call", "--eval", "--node-options", "--rm"}

// tree is a project with what can be referred to in it.
type tree struct {
	files                            fs.FS
	names                            []string // paths of files and folders
	targets, commands, topics, flags []string
}

// danglingMentions says what documents and comments refer to that does not exist.
func danglingMentions(files fs.FS) []string {
	GinkgoHelper()
	t := newTree(files)
	var broken []string
	for _, name := range t.names {
		var missing []string
		switch {
		case path.Ext(name) == ".md", path.Ext(name) == ".txt" && strings.HasPrefix(name, "cmd/"):
			missing = t.missingIn(name, string(t.text(name)), true)
		case path.Ext(name) == ".go":
			missing = t.missingIn(name, t.comments(name), false)
		}
		for _, what := range missing {
			broken = append(broken, name+": "+what)
		}
	}
	return broken
}

func newTree(files fs.FS) tree {
	GinkgoHelper()
	t := tree{files: files}
	Expect(fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		t.names = append(t.names, name)
		if entry.IsDir() {
			return skip(files, name)
		}
		return nil
	})).To(Succeed())
	t.targets = groups(`(?m)^([a-z][a-z-]*):`, t.text("Makefile"))
	for _, name := range t.names {
		if strings.HasPrefix(name, "cmd/") && path.Ext(name) == ".go" {
			t.flags = append(t.flags, groups(`\(&[\w.]+, "([a-z-]+)"`, t.text(name))...)
			t.commands = append(t.commands, groups(`Use:\s*"([a-z-]+)`, t.text(name))...)
		}
		if path.Base(path.Dir(name)) == "help" && path.Ext(name) == ".md" {
			t.topics = append(t.topics, strings.TrimSuffix(path.Base(name), ".md"))
		}
	}
	return t
}

// groups returns the first group of every match.
func groups(pattern, text string) []string {
	var names []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	return names
}

func (t tree) text(name string) string {
	GinkgoHelper()
	return string(spec.Must(fs.ReadFile(t.files, name)))
}

// comments returns the comments of a Go file, each as one line a paragraph.
func (t tree) comments(name string) string {
	GinkgoHelper()
	syntax := spec.Must(parser.ParseFile(token.NewFileSet(), name, t.text(name), parser.ParseComments))
	var text strings.Builder
	for _, comment := range syntax.Comments {
		text.WriteString(strings.Join(strings.Fields(comment.Text()), " ") + "\n")
	}
	return text.String()
}

// missingIn says what a text refers to that does not exist.
func (t tree) missingIn(name, text string, isDocument bool) []string {
	var missing []string
	add := func(what string) {
		if what != "" && !slices.Contains(missing, what) {
			missing = append(missing, what)
		}
	}
	code := groups("`([^`\n]+)`", text)
	if isDocument {
		code = append(code, groups(codeLine.String(), text)...)
	}
	for _, piece := range code {
		t.eachMissingInCode(piece, isDocument, add)
	}
	for _, mentioned := range append(page.FindAllString(text, -1), pathInText.FindAllString(text, -1)...) {
		if path.Base(mentioned) != foreignPage {
			add(t.missingFile(mentioned))
		}
	}
	for _, reference := range pageSection.FindAllStringSubmatch(text, -1) {
		add(t.missingSection(reference[1], reference[2]))
		add(t.missingSection(reference[1], reference[3]))
	}
	for _, reference := range pageTitle.FindAllStringSubmatch(text, -1) {
		if file := t.file(reference[1]); file != "" && !slices.Contains(t.titles(file), reference[2]) {
			add(fmt.Sprintf("%s has no section %q", reference[1], reference[2]))
		}
	}
	if !isDocument {
		return missing
	}
	for _, reference := range link.FindAllStringSubmatch(text, -1) {
		add(t.missingTarget(name, reference[1], reference[2]))
	}
	for _, reference := range ownSection.FindAllStringSubmatch(text, -1) {
		add(t.missingSection(name, reference[1]))
	}
	for _, host := range groups(address.String(), text) {
		if !slices.Contains(vouchedFor, host) {
			add("the list of checked addresses lacks " + host)
		}
	}
	return missing
}

// eachMissingInCode passes on what a piece of code in a text refers to.
func (t tree) eachMissingInCode(code string, isDocument bool, add func(string)) {
	if targets, ok := strings.CutPrefix(code, "make "); ok {
		for target := range strings.FieldsSeq(targets) {
			if strings.HasPrefix(target, "#") {
				break
			}
			if !strings.ContainsAny(target, "=.") && !slices.Contains(t.targets, target) {
				add("there is no make target " + target)
			}
		}
	}
	if !isDocument {
		return
	}
	if pathInCode.MatchString(code) || fileInCode.MatchString(code) {
		add(t.missingFile(code))
	}
	for _, flag := range groups(longFlag.String(), code) {
		if !slices.Contains(t.flags, strings.TrimPrefix(flag, "--")) && !slices.Contains(foreignFlags, flag) {
			add("there is no flag " + flag)
		}
	}
	switch words := ofProgram.FindStringSubmatch(code); {
	case words == nil:
	case words[1] == "help":
		if words[2] != "" && !slices.Contains(t.topics, words[2]) {
			add("there is no help topic " + words[2])
		}
	case !slices.Contains(t.commands, words[1]):
		add("there is no command " + words[1])
	}
}

// file returns the path of a file or folder that is mentioned by its path, a pattern
// or its name alone, "" when there is none.
func (t tree) file(mentioned string) string {
	mentioned = strings.TrimSuffix(strings.TrimSuffix(mentioned, "/"), "/**")
	for _, name := range t.names {
		matched, _ := path.Match(mentioned, name)
		if matched || !strings.Contains(mentioned, "/") && path.Base(name) == mentioned {
			return name
		}
	}
	return ""
}

func (t tree) missingFile(mentioned string) string {
	if t.file(mentioned) == "" {
		return "there is no file " + mentioned
	}
	return ""
}

// missingTarget judges a link from one page to another, or to a section of it.
func (t tree) missingTarget(from, to, anchor string) string {
	if strings.Contains(to, "://") {
		return ""
	}
	target := from
	if to != "" {
		target = path.Join(path.Dir(from), to)
	}
	if _, err := fs.Stat(t.files, target); err != nil {
		return "there is no file " + target
	}
	if anchor == "" {
		return ""
	}
	for _, title := range heading.FindAllStringSubmatch(t.text(target), -1) {
		whole := strings.TrimLeft(title[0], "# ")
		if anchor == anchorOf(whole) {
			return ""
		}
	}
	return target + " has no section with the anchor " + anchor
}

// anchorOf returns the anchor that a title gets in rendered Markdown.
func anchorOf(title string) string {
	plain := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(title), "")
	return strings.ReplaceAll(plain, " ", "-")
}

func (t tree) titles(file string) []string {
	var titles []string
	for _, title := range heading.FindAllStringSubmatch(t.text(file), -1) {
		titles = append(titles, title[2])
	}
	return titles
}

// missingSection checks the number of a section; it returns "" for an existing one.
func (t tree) missingSection(mentioned, number string) string {
	file := t.file(mentioned)
	if number == "" || file == "" {
		return ""
	}
	for _, title := range heading.FindAllStringSubmatch(t.text(file), -1) {
		if title[1] == number {
			return ""
		}
	}
	return mentioned + " has no section " + number
}

var _ = Describe("A reference of a document or comment", func() {
	It("exists", func() {
		Expect(danglingMentions(root())).To(BeEmpty())
	})

	// The smallest project with something of everything that can be referred to.
	project := func(name, text string) fs.FS {
		files := fstest.MapFS{
			"Makefile":                     {Data: []byte("test: build ## Run\nquick:\n")},
			"README.md":                    {Data: []byte("# P\n\n## 2. Use it\n")},
			"cmd/p/run.go":                 {Data: []byte("package main\n\nvar _ = f(&x, \"config\", \"\")\n\nvar _ = c{Use: \"serve\"}\n")},
			"cmd/p/help/configuration.md":  {Data: []byte("# C\n")},
			"tests/contract/doc.go":        {Data: []byte("// Package contract is.\npackage contract\n")},
			"tests/acceptance/CONTRACT.md": {Data: []byte("# C\n\n## 4. Open\n\n## 5. Use\n")},
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
		return files
	}

	DescribeTable("is found in documents",
		func(text string) { Expect(danglingMentions(project("PAGE.md", text))).To(BeEmpty()) },
		Entry(nil, "see [it](README.md#2-use-it), `tests/contract`, `tests/*/doc.go` and `doc.go`"),
		Entry(nil, "`make test quick PKG=./x`, `mcp-workbench serve --config F`, `mcp-workbench help configuration`"),
		Entry(nil, "## 1. Here\n\nsection 1, README.md section 2, tests/acceptance/CONTRACT.md sections 4 to 5, README.md, \"Use it\""),
	)

	DescribeTable("is missed in documents",
		func(text, missing string) {
			Expect(danglingMentions(project("PAGE.md", text))).To(ConsistOf("PAGE.md: " + missing))
		},
		Entry(nil, "see [it](GONE.md)", "there is no file GONE.md"),
		Entry(nil, "see [it](README.md#gone)", "README.md has no section with the anchor gone"),
		Entry(nil, "`tests/gone`", "there is no file tests/gone"),
		Entry(nil, "`gone.go`", "there is no file gone.go"),
		Entry(nil, "GONE.md", "there is no file GONE.md"),
		Entry(nil, "`make test gone`", "there is no make target gone"),
		Entry(nil, "    make gone", "there is no make target gone"),
		Entry(nil, "`mcp-workbench gone`", "there is no command gone"),
		Entry(nil, "`mcp-workbench help gone`", "there is no help topic gone"),
		Entry(nil, "`--gone`", "there is no flag --gone"),
		Entry(nil, "section 7", "PAGE.md has no section 7"),
		Entry(nil, "tests/acceptance/CONTRACT.md sections 4 to 6", "tests/acceptance/CONTRACT.md has no section 6"),
		Entry(nil, "README.md, \"Gone\"", "README.md has no section \"Gone\""),
		Entry(nil, "https://gone.example/", "the list of checked addresses lacks gone.example"),
	)

	DescribeTable("is missed in comments",
		func(comment, missing string) {
			Expect(danglingMentions(project("domain/x.go", "package domain\n\n// x is "+comment+"\nvar x int\n"))).To(ConsistOf("domain/x.go: " + missing))
		},
		Entry(nil, "in GONE.md.", "there is no file GONE.md"),
		Entry(nil, "in tests/gone/x.go.", "there is no file tests/gone/x.go"),
		Entry(nil, "as tests/acceptance/CONTRACT.md section 9 says.", "tests/acceptance/CONTRACT.md has no section 9"),
		Entry(nil, "as README.md, \"Gone\", says.", "README.md has no section \"Gone\""),
		Entry(nil, "for `make gone`.", "there is no make target gone"),
	)
})

// topicsFolder has the help topics. What a spec can compare with values of the program
// is compared beside these: keys, limits, flags, exit codes.
const topicsFolder = "cmd/mcp-workbench/help"

var _ = Describe("The help topics", func() {
	topic := func(name string) string {
		GinkgoHelper()
		return string(spec.Must(fs.ReadFile(root(), topicsFolder+"/"+name)))
	}
	// program is the text of all code of the program in a folder and below.
	program := func(folder string) string {
		GinkgoHelper()
		var text strings.Builder
		for _, s := range readProject().sources {
			if s.isProduction() && strings.HasPrefix(s.path, folder) {
				code := spec.Must(fs.ReadFile(root(), s.path))
				text.Write(code)
			}
		}
		return text.String()
	}

	It("quote messages that the program has", func() {
		_, section, found := strings.Cut(topic("troubleshooting.md"), "## What you may see\n")
		Expect(found).To(BeTrue())
		code := program("")

		messages := groups("(?m)^- `([^`]+)`", section)
		messages = append(messages, groups("(?m)^- .* or `([^`]+)`", section)...)
		Expect(len(messages)).To(BeNumerically(">=", 5))
		for _, message := range messages {
			Expect(strings.Contains(code, message)).To(BeTrue(), message)
		}
	})

	It("name methods of the protocol as the program does", func() {
		topics := spec.Must(fs.Glob(root(), topicsFolder+"/*.md"))
		Expect(len(topics)).To(BeNumerically(">=", 7))
		// The names are those of mcp-go and of the room that has what it lacks.
		folder := spec.Must(exec.Command("go", "list", "-f", "{{.Dir}}", mcpNames[0]).Output())
		names := spec.Must(os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "types.go")))
		methods := string(names) + program("adapters/jsonrpc/")

		for _, name := range topics {
			for _, method := range groups("`(server/discover|(?:notifications|tools|prompts|completion|resources|tasks|subscriptions|logging)/[a-zA-Z/_]+)`", topic(path.Base(name))) {
				Expect(strings.Contains(methods, "\""+method+"\"")).To(BeTrue(), "%s in %s", method, name)
			}
		}
	})
})
