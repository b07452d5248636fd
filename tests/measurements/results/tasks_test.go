package results_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// task is a question whose answer is in one result of a server.
type task struct {
	question string
	server   string
	// call is the number of the call in the recording.
	call int
	// answer matches the answer in the text that the model is shown.
	answer *regexp.Regexp
	// looks are the model's questions about a cut result, one after the other, until the answer is shown: members
	// of the arguments of read_result.
	looks []look
	// selects is the program in the call of a model that uses select; selectLooks follow it.
	selects     string
	selectLooks []look
}

// look is an argument of read_result.
type look struct{ member, value string }

func jq(program string) look      { return look{"select", program} }
func grep(expression string) look { return look{"grep", expression} }

func text(answer string) *regexp.Regexp { return regexp.MustCompile(regexp.QuoteMeta(answer)) }

// tasks has wrong first guesses if a model cannot know the shape, since it has never seen a result of the tool.
var tasks = []task{
	{
		question: "the integrity of zod in a lock file", server: "filesystem", call: 0, answer: text("sha512-g8W2D2kU6a8untc053fX1u"),
		looks:   []look{jq(`.packages["node_modules/zod"].integrity`), jq(`.content | fromjson | .packages["node_modules/zod"].integrity`)},
		selects: `.packages["node_modules/zod"].integrity`, selectLooks: []look{jq(`.content | fromjson | .packages["node_modules/zod"].integrity`)},
	},
	{
		question: "the errors in a log of 6,000 lines", server: "filesystem", call: 1, answer: text("charge of order 20417 declined"),
		looks:   []look{grep(` ERROR `)},
		selects: `split("\n")[] | select(test(" ERROR "))`, selectLooks: []look{grep(` ERROR `)},
	},
	{
		question: "row 7,421 of a table of 9,000", server: "filesystem", call: 2, answer: text("7421,2026-06-02,SKU-01547,2,873.99,DE"),
		looks:   []look{grep(`^7421,`)},
		selects: `.content | split("\n")[] | select(startswith("7421,"))`,
	},
	{
		question: "the file with the assembly of P-256 for POWER", server: "filesystem", call: 4, answer: text("p256_asm_ppc64le.s"),
		looks:   []look{grep(`p256_asm`)},
		selects: `.. | objects | select(.name? // "" | test("p256_asm")) | .name`, selectLooks: []look{grep(`p256_asm`)},
	},
	{
		question: "the size of proc.go among 600 files", server: "filesystem", call: 5, answer: text("235.06 KB"),
		looks:   []look{grep(` proc\.go`)},
		selects: `.[] | select(.name == "proc.go") | .size`, selectLooks: []look{grep(` proc\.go`)},
	},
	{
		question: "where the tests of net/http/pprof are", server: "filesystem", call: 6, answer: text("/net/http/pprof/pprof_test.go"),
		looks:   []look{grep(`pprof_test`)},
		selects: `.content | split("\n")[] | select(test("pprof_test"))`,
	},
	{
		question: "a constant in three source files", server: "filesystem", call: 7, answer: text("DefaultMaxIdleConnsPerHost = 2"),
		looks:   []look{grep(`DefaultMaxIdleConnsPerHost =`)},
		selects: `.content | split("\n")[] | select(test("DefaultMaxIdleConnsPerHost ="))`,
	},
	{
		question: "the cause of one of 140 incidents", server: "memory", call: 0, answer: regexp.MustCompile(`incident-333"[^}]*full disk in component-232`),
		looks:   []look{jq(`.entities[] | select(.name == "incident-333")`)},
		selects: `.entities[] | select(.name == "incident-333")`,
	},
	{
		question: "when one of 2,500 orders was placed", server: "postgres", call: 0, answer: text("2026-07-21T12:06:00.000Z"),
		looks:   []look{jq(`.[] | select(.id == 2118)`)},
		selects: `.[] | select(.id == 2118) | {id, placed}`,
	},
	{
		question: "the largest order of one city", server: "postgres", call: 1, answer: text("901.25"),
		looks:   []look{jq(`map(select(.city == "Quito")) | max_by(.total | tonumber)`)},
		selects: `map(select(.city == "Quito")) | max_by(.total | tonumber)`,
	},
	{
		question: "what a setting of the database does", server: "postgres", call: 2, answer: text("Sets the WAL size that triggers a checkpoint."),
		looks:   []look{jq(`.[] | select(.name == "max_wal_size")`)},
		selects: `.[] | select(.name == "max_wal_size") | .description`, selectLooks: []look{jq(`.[] | select(.name == "max_wal_size")`)},
	},
	{
		question: "which views have a column for xmin", server: "postgres", call: 3, answer: text("backend_xmin"),
		looks:   []look{jq(`.[] | select(.column_name | test("xmin")) | {table_name, column_name}`)},
		selects: `.[] | select(.column_name | test("xmin")) | {table_name, column_name}`,
	},
	{
		question: "the arguments of one of 3,300 functions", server: "postgres", call: 4, answer: text("replacement jsonb, create_if_missing boolean"),
		looks:   []look{jq(`.[] | select(.proname == "jsonb_set")`)},
		selects: `.[] | select(.proname == "jsonb_set") | .arguments`,
	},
	{
		question: "the name of a product by its number", server: "postgres", call: 5, answer: text("Lamp Aqua 343"),
		looks:   []look{jq(`.[] | select(.sku == "SKU-02401")`)},
		selects: `.rows[] | select(.sku == "SKU-02401")`, selectLooks: []look{jq(`.[] | select(.sku == "SKU-02401")`)},
	},
	{
		question: "which of 400 commits fixed halt_error", server: "git", call: 0, answer: text("fix halt and halt_error to stop command immediately"),
		looks:   []look{jq(`.commits[] | select(.subject | test("halt_error"))`)},
		selects: `.commits[] | select(.message | test("halt_error"))`, selectLooks: []look{jq(`.commits[] | select(.subject | test("halt_error")) | {hash, subject}`)},
	},
	{
		question: "which of 100 commits raised a limit", server: "git", call: 1, answer: text("increase the array index limit to 2^29"),
		looks:   []look{jq(`.commits[] | select(.subject | test("limit"))`)},
		selects: `.commits[] | select(.subject | test("limit"; "i"))`,
	},
	{
		question: "what a diff of 34 files says about ltrimstr", server: "git", call: 3, answer: text("functions to emit error on non-string input"),
		looks:   []look{grep(`ltrimstr`)},
		selects: `.diff | split("\n")[] | select(test("ltrimstr"))`,
	},
	{
		question: "an open point in one file, of 4,000 matches", server: "ripgrep", call: 1, answer: text("use singleflight for dialing and addConnCalls"),
		looks:   []look{grep(`h2_bundle\.go:.*TODO: use`)},
		selects: `split("\n")[] | select(test("h2_bundle.go:.*TODO: use"))`, selectLooks: []look{grep(`h2_bundle\.go:.*TODO: use`)},
	},
	{
		question: "whether one of 1,000 files is there", server: "ripgrep", call: 2, answer: text("InvalidOldCRLnextUpdateTest11EE.crt"),
		looks:   []look{grep(`OldCRLnextUpdate`)},
		selects: `split("\n")[] | select(test("OldCRLnextUpdate"))`, selectLooks: []look{grep(`OldCRLnextUpdate`)},
	},
	{
		question: "the handle of a heading on a page", server: "playwright", call: 1, answer: text("[ref=e2725]"),
		looks:   []look{grep(`heading "Select statements"`)},
		selects: `.. | strings | select(test("Select statements"))`, selectLooks: []look{grep(`heading "Select statements"`)},
	},
}

// smallResults are calls whose results every host passes on whole.
var smallResults = []struct {
	server string
	call   int
}{
	{"filesystem", 8},
	{"filesystem", 9},
	{"memory", 1},
	{"memory", 2},
	{"postgres", 6},
	{"git", 4},
	{"git", 5},
	{"git", 6},
	{"ripgrep", 3},
	{"playwright", 0},
	{"everything", 0},
	{"everything", 1},
	{"everything", 2},
}

const (
	// most is the largest share of the tokens with whole results that the tasks with cut results may take together, and
	// with select each task. mostEstimated is the same without select by an estimate, which counts less for numbers.
	most, mostEstimated = 0.35, 0.40
	// mostMore is the largest share that results that fit may add to a conversation where every result is small.
	mostMore = 0.03
)

var _ = Describe("Twenty tasks over long results of published servers", func() {
	It("reach the answer with results that fit, with and without select, and take few tokens", func() {
		runs := measureAll(hosts[0], hosts[len(hosts)-1])

		expectAnswers(runs)
		expectGoals(runs, tokens(estimates, runs), mostEstimated)
	})

	// With the race detector, seven hosts take minutes.
	It("do so at every host, as counted by a tokenizer", Label("npm"), SpecTimeout(10*time.Minute), func() {
		if _, err := exec.LookPath("node"); err != nil {
			Skip("Node is not here")
		}
		if _, err := os.Stat(filepath.Join(npmFolder, "node_modules", "gpt-tokenizer")); err != nil {
			Skip("the tokenizer is not installed: run make npm")
		}
		runs := measureAll(hosts...)
		sums := tokens(tokenCounts, runs)
		GinkgoWriter.Println(tableOfHosts(runs, sums) + "\n" + tableOfTasks(runs, sums))

		expectAnswers(runs)
		expectGoals(runs, sums, most)
	})
})

func expectAnswers(runs []measured) {
	GinkgoHelper()
	Expect(tasks).To(HaveLen(20))
	for _, m := range runs {
		for i, t := range tasks {
			Expect(m.fitting[i].found).To(BeTrue(), "%s: %s: after %.3000s", m.host.name, t.question, m.fitting[i].last())
			Expect(m.selecting[i].found).To(BeTrue(), "%s with select: %s: after %.3000s", m.host.name, t.question, m.selecting[i].last())
		}
	}
}

func expectGoals(runs []measured, sums map[*conversation]int, mostFitting float64) {
	GinkgoHelper()
	for _, m := range runs {
		whole, fitting, _ := m.compared(m.whole)
		Expect(sum(fitting, sums)).To(BeNumerically("<=", mostFitting*float64(sum(whole, sums))), m.host.name)
		for i, t := range tasks {
			if whole := m.whole[i]; whole.found {
				if !m.fitting[i].cut {
					Expect(sums[m.fitting[i]]).To(BeNumerically("<=", (1+mostMore)*float64(sums[whole])), "%s: %s", m.host.name, t.question)
				}
				Expect(sums[m.selecting[i]]).To(BeNumerically("<=", most*float64(sums[whole])), "%s: %s", m.host.name, t.question)
			}
		}
		Expect(sums[m.smallFitting]).To(BeNumerically("<=", (1+mostMore)*float64(sums[m.small])), "%s: small results", m.host.name)
	}
}
