package processtree_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestProcesstree(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "adapters/downstream/stdio/processtree")
}
