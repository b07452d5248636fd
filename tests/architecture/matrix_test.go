package architecture_test

import (
	"fmt"
	"go/ast"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// matrixPage has the rows of the matrix, whose ids lead to their specs.
const matrixPage = "tests/acceptance/MATRIX.md"

// rowsOfTheMatrix are the letters of its rows, in the order of the page, with the last number of
// each, and the numbers of rows that another row took in. A row keeps its number.
var rowsOfTheMatrix = []struct {
	letters string
	last    int
	joined  []int
}{
	{"L", 17, []int{8, 13, 15}},
	{"W", 15, []int{2, 14, 15}},
	{"H", 8, []int{2}},
	{"U", 8, nil},
	{"S", 34, []int{19, 22, 29, 32, 34}},
	{"C", 7, []int{4}},
	{"G", 7, []int{3, 4}},
	{"R", 4, []int{2, 4}},
	{"X", 9, nil},
	{"A", 11, nil},
	{"T", 9, nil},
	{"K", 8, nil},
	{"P", 10, nil},
	{"M", 12, nil},
	{"B", 7, []int{3, 4, 6, 7}},
	{"SH", 10, []int{3, 4}},
	{"TB", 3, nil},
	{"TE", 5, []int{3, 5}},
	{"TG", 10, nil},
	{"TH", 10, []int{10}},
	{"TO", 6, nil},
	{"TP", 6, []int{6}},
	{"TQ", 7, nil},
	{"TS", 8, nil},
	{"TT", 16, []int{12}},
	{"FP", 5, nil},
	{"TL", 4, nil},
	{"RG", 3, nil},
	{"PL", 5, nil},
}

var (
	rowID   = regexp.MustCompile(`\b[A-Z]{1,2}\d\d\b`)
	rowLine = regexp.MustCompile(`(?m)^- ([A-Z]{1,2}\d\d): `)
)

var _ = Describe("The matrix", func() {
	It("has a spec under its id for each row, and no other", func() {
		page := spec.Must(fs.ReadFile(root(), matrixPage))

		Expect(misplacedRows(string(page), readProject())).To(BeEmpty())
	})

	It("has every row", func() {
		page := spec.Must(fs.ReadFile(root(), matrixPage))
		var want, got []string
		for _, group := range rowsOfTheMatrix {
			for number := 1; number <= group.last; number++ {
				if !slices.Contains(group.joined, number) {
					want = append(want, fmt.Sprintf("%s%02d", group.letters, number))
				}
			}
		}

		for _, row := range rowLine.FindAllStringSubmatch(string(page), -1) {
			got = append(got, row[1])
		}
		Expect(got).To(Equal(want))
	})

	planted := func(page string) []string {
		GinkgoHelper()
		return misplacedRows(page, plantedProject("tests/acceptance/x_test.go",
			"package x\n\nvar _ = It(\"works\", Label(\"slow\", \"W01\"), func() {})\n\n// FuzzX is row W13 of the matrix.\nfunc FuzzX() {}\n"))
	}

	It("is complete when page and specs agree", func() {
		Expect(planted("- W01: works\n- W13: holds\n")).To(BeEmpty())
	})

	It("is not when a row has no spec", func() {
		Expect(planted("- W01: works\n- W13: holds\n- W02: works too\n")).To(
			Equal([]string{"row W02: no spec has its id"}))
	})

	It("is not when a spec has an id that the page does not have", func() {
		Expect(planted("- W13: holds\n")).To(
			Equal([]string{"tests/acceptance/x_test.go has the id W01, which the page does not say"}))
	})
})

// misplacedRows says which rows of the page have no spec with their id, and which ids
// of specs are not on the page.
func misplacedRows(page string, p project) []string {
	var broken []string
	tested := map[string]bool{}
	for _, row := range rowLine.FindAllStringSubmatch(page, -1) {
		tested[row[1]] = false
	}
	for _, s := range p.sources {
		for _, id := range rowsIn(s) {
			if _, isRow := tested[id]; !isRow {
				broken = append(broken, fmt.Sprintf("%s has the id %s, which the page does not say", s.path, id))
			}
			tested[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(tested)) {
		if !tested[id] {
			broken = append(broken, fmt.Sprintf("row %s: no spec has its id", id))
		}
	}
	return broken
}

// rowsIn returns the ids in labels of specs, and in comments that say that they are
// of the matrix.
func rowsIn(s source) []string {
	var ids []string
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if function, ok := call.Fun.(*ast.Ident); ok && function.Name == "Label" {
			ids = append(ids, labels(call)...)
		}
		return true
	})
	for _, comment := range s.syntax.Comments {
		text := strings.Join(strings.Fields(comment.Text()), " ")
		if strings.Contains(text, "of the matrix") {
			ids = append(ids, rowID.FindAllString(text, -1)...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// labels returns the ids among the arguments of a call.
func labels(call *ast.CallExpr) []string {
	var ids []string
	for _, argument := range call.Args {
		literal, ok := argument.(*ast.BasicLit)
		if !ok {
			continue
		}
		text, err := strconv.Unquote(literal.Value)
		if err == nil && rowID.FindString(text) == text {
			ids = append(ids, text)
		}
	}
	return ids
}
