package find_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/gomega"

	"mcp-workbench/domain/finding"
	"mcp-workbench/tests/spec"
)

// questionSet has tools, and questions that some of them answer.
type questionSet struct {
	name string
	// tools are the ranked tools, and names their names in questions: "server/tool".
	tools []finding.Tool
	names []string
	// questions are in their original form.
	questions []question
	// byQuestion gives each question the same weight; otherwise each wanted tool has the same.
	byQuestion bool
}

// question has a query and the tools that it should find.
type question struct {
	// texts are asked one by one. A tool is found if one of them finds it.
	texts []string
	// translations are the texts in English, if they are in another language.
	translations []string
	// wanted are the tools to be found, each with its alternatives.
	wanted [][]string
}

// add adds a tool of a server.
func (s *questionSet) add(server string, definition json.RawMessage) (name string) {
	tool := finding.Read(definition)
	tool.Place = server
	s.tools = append(s.tools, tool)
	name = server + "/" + tool.Name
	s.names = append(s.names, name)
	return name
}

func decode(text []byte, into any) {
	ExpectWithOffset(1, json.Unmarshal(text, into)).To(Succeed())
}

// read returns the text of a file, uncompressed.
func read(path ...string) []byte {
	file, err := os.Open(filepath.Join(path...))
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	defer func() { _ = file.Close() }()
	var reader io.Reader = file
	if strings.HasSuffix(file.Name(), ".gz") {
		reader, err = gzip.NewReader(file)
		ExpectWithOffset(1, err).NotTo(HaveOccurred())
	}
	text, err := io.ReadAll(reader)
	ExpectWithOffset(1, err).NotTo(HaveOccurred())
	return text
}

// gradedQueries returns the queries of mcpproxy-go.
func gradedQueries() questionSet {
	set := questionSet{name: "mcpproxy-go", byQuestion: true}
	var corpus struct {
		Tools []struct{ Server, Tool, Description string }
	}
	decode(read("mcpproxy-go", "corpus_v1.tools.json"), &corpus)
	for _, tool := range corpus.Tools {
		definition := spec.Must(json.Marshal(map[string]string{"name": tool.Tool, "description": tool.Description}))
		set.add(tool.Server, definition)
	}
	var golden struct {
		Queries []struct {
			Query  string
			Labels []struct {
				Tool string `json:"tool_id"`
			}
		}
	}
	decode(read("mcpproxy-go", "retrieval_golden_v1.json"), &golden)
	for _, query := range golden.Queries {
		asked := question{texts: []string{query.Query}}
		for _, label := range query.Labels {
			asked.wanted = append(asked.wanted, []string{strings.Replace(label.Tool, ":", "/", 1)})
		}
		set.questions = append(set.questions, asked)
	}
	return set
}

// annotatedTasks returns the tasks of LiveMCPBench.
func annotatedTasks() questionSet {
	set := questionSet{name: "LiveMCPBench"}
	var servers []struct {
		Tools map[string]struct {
			Server string `json:"server_name"`
			Tools  []json.RawMessage
		}
	}
	decode(read("LiveMCPBench", "tools.json.gz"), &servers)
	named := map[string][]string{}
	for _, listed := range servers {
		for _, server := range listed.Tools {
			for _, definition := range server.Tools {
				name := set.add(server.Server, definition)
				_, tool, _ := strings.Cut(name, "/")
				named[tool] = append(named[tool], name)
			}
		}
	}
	var tasks []struct {
		Annotated struct{ Steps, Tools string } `json:"Annotator Metadata"`
	}
	decode(read("LiveMCPBench", "all_annotations.json.gz"), &tasks)
	for _, task := range tasks {
		asked := question{texts: entries(task.Annotated.Steps)}
		for _, tool := range slices.Compact(slices.Sorted(slices.Values(entries(task.Annotated.Tools)))) {
			if named[tool] != nil {
				asked.wanted = append(asked.wanted, named[tool])
			}
		}
		set.questions = append(set.questions, asked)
	}
	return set
}

var number = regexp.MustCompile(`^\s*\d+[.)]\s*`)

// entries returns the entries of a numbered list.
func entries(list string) (entries []string) {
	for line := range strings.Lines(list) {
		if entry := strings.TrimSpace(number.ReplaceAllString(line, "")); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

// ownQueries returns the queries over the published servers in tests/catalogs.
func ownQueries() questionSet { return queriesIn("queries.tsv", "catalogs") }

// heldOutQueries returns queries over other tools of the same servers. No weight was chosen with them.
func heldOutQueries() questionSet { return queriesIn("held_out.tsv", "catalogs, held out") }

// halves returns the sets that were written for one kind of query each. The ranking may be changed with the
// questions in the odd lines of a file; those in the even ones are held out.
func halves() (sets []questionSet) {
	for _, file := range []struct{ path, name string }{
		{"typing_errors.tsv", "typing errors"},
		{"abbreviations.tsv", "abbreviations"},
		{"named.tsv", "names of tools"},
		{"languages.tsv", "other languages"},
		{"languages.tsv", "the same in English"},
	} {
		set := queriesIn(file.path, file.name)
		half, heldOut := set, set
		half.questions, heldOut.questions, heldOut.name = nil, nil, set.name+", held out"
		for i, asked := range set.questions {
			if file.name == "the same in English" {
				asked.texts = asked.translations
			}
			if i%2 == 0 {
				half.questions = append(half.questions, asked)
			} else {
				heldOut.questions = append(heldOut.questions, asked)
			}
		}
		sets = append(sets, half, heldOut)
	}
	return sets
}

// noTool returns queries that no tool answers.
func noTool() questionSet { return queriesIn("no_tool.tsv", "no tool") }

// queriesIn returns the queries of a file over the published servers: a query, the tools that answer it, if any, and, in
// other languages, the query in English. One of these tools is enough, except in the file whose queries name tools.
func queriesIn(file, name string) questionSet {
	set := questionSet{name: name}
	paths := spec.Must(filepath.Glob("../../catalogs/*.json"))
	for _, path := range paths {
		var catalog struct {
			Server struct{ Name string }
			Tools  []json.RawMessage
		}
		decode(read(path), &catalog)
		for _, definition := range catalog.Tools {
			set.add(catalog.Server.Name, definition)
		}
	}
	for line := range strings.Lines(string(read(file))) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		asked := question{texts: columns[:1]}
		if len(columns) > 1 {
			tools := strings.Fields(columns[1])
			asked.wanted, asked.translations = [][]string{tools}, columns[2:]
			if file == "named.tsv" {
				asked.wanted = slices.Collect(slices.Chunk(tools, 1))
			}
		}
		set.questions = append(set.questions, asked)
	}
	return set
}
