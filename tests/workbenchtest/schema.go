package workbenchtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"github.com/tailscale/hujson"
)

// beyondSchema are the problems of configurations that JSON Schema cannot express, each by
// the program's message about it, with the reason.
var beyondSchema = map[string]string{
	`a second time`:                       "a schema sees a key once, however often it is there",
	`found "\$\{|environment variable|\$`: "variables have a syntax within texts, and belong to the environment",
	`WORKBENCH_`:                          "what variables of the environment say is not in the file",
	`--log-level`:                         "what flags say is not in the file",
	`--allow-foreign-config`:              "the modes and owner of a file are not in the file",
	`tool mode "dynamic"`:                 "names of toolboxes depend on another key, which a variable may set too",
	`a duration|a size`:                   "a text with a unit has no order in a schema",
	`, as "(transport|type)" says`:        "a schema cannot compare two values",
	`header`:                              "names of headers are those of a transport",
	`URL`:                                 "a schema cannot parse an address",
	`cannot be (read|opened)|permission`:  "the file itself cannot be read",
	`without a lock|"pinning": "off"`:     "a lock is another file",
	`configuration file that can be read`: "included files are not in the file",
	`inside each other`:                   "a schema has no depth",
	`other machines`:                      "where the workbench listens is not in the file",
}

// theSchema is the schema that the program prints.
var theSchema = sync.OnceValue(func() *jsonschema.Resolved {
	printed, err := exec.Command(programs.Workbench, "schema").Output()
	if err != nil {
		return nil // the specs of the command report the reason
	}
	var schema jsonschema.Schema
	if json.Unmarshal(printed, &schema) != nil {
		return nil
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
})

// judge checks that the schema and the program agree about the configuration that a
// launch names: both accept it, or both refuse it.
func (l Launch) judge(refused bool, output string) {
	ginkgo.GinkgoHelper()
	text := []byte(l.Config)
	if at := slices.Index(l.Args, "--config"); l.Config == "" && at >= 0 && at+1 < len(l.Args) {
		text, _ = os.ReadFile(l.Args[at+1]) // a file that cannot be read is not judged
	}
	plain, err := hujson.Standardize(text)
	var value any
	isPart := slices.Contains(l.Args, "--toolbox") && !refused // mistakes elsewhere do not count
	if isPart || l.Program != "" || err != nil || json.Unmarshal(plain, &value) != nil {
		return
	}
	gomega.Expect(theSchema()).NotTo(gomega.BeNil(), "the program prints a schema that can be resolved")
	failure := theSchema().Validate(value)
	if refused && failure == nil {
		for pattern := range beyondSchema {
			if regexp.MustCompile(pattern).MatchString(output) {
				return
			}
		}
	}
	gomega.Expect(failure != nil).To(gomega.Equal(refused), "the schema and the program differ about %s\nschema: %v\nprogram: %s", text, failure, output)
}
