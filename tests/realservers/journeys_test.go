package realservers_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// call is one call of a journey.
type call struct {
	tool, arguments string
	outcome         outcome
}

// outcome is the answer of a server to a call.
type outcome string

const (
	success outcome = "a result"
	failure outcome = "a result with isError"
)

// everythingJourney uses every tool that the server lists, correctly and
// incorrectly.
func everythingJourney() []call {
	long := `{"message":"` + strings.Repeat("0123456789abcdef", 1<<16) + `"}`
	return []call{
		{"echo", `{"message":"hello"}`, success},
		{"echo", `{"message":"<>&\u2028\ud83d\ude00\u0000\u001b[31m ü 語"}`, success},
		{"echo", `{"message":"half of a pair: \ud800"}`, success},
		{"echo", long, success},
		{"echo", `{"message":"twice","message":"named"}`, success},
		{"echo", `{"message":"","unknown":{"big":9007199254740993,"tiny":1e-400}}`, success},
		{"echo", `{}`, failure},
		{"echo", `{"message":9007199254740993}`, failure},
		{"get-sum", `{"a":9007199254740993,"b":0.1}`, success},
		{"get-sum", `{"a":1e400,"b":1}`, failure},
		{"get-annotated-message", `{"messageType":"error","includeImage":true}`, success},
		{"get-annotated-message", `{"messageType":"debug"}`, success},
		{"get-env", `{}`, success},
		{"get-resource-links", `{"count":10}`, success},
		{"get-resource-links", `{"count":11}`, failure},
		{"get-resource-reference", `{"resourceType":"Text","resourceId":7}`, success},
		{"get-resource-reference", `{"resourceType":"Blob","resourceId":8}`, success},
		{"get-resource-reference", `{"resourceType":"Text","resourceId":-1}`, failure},
		{"get-structured-content", `{"location":"Chicago"}`, success},
		{"get-structured-content", `{"location":"Atlantis"}`, failure},
		{"get-tiny-image", `{}`, success},
		{"gzip-file-as-resource", `{"name":"a.gz","data":"data:text/plain,hello","outputType":"resource"}`, success},
		{"gzip-file-as-resource", `{"name":"b.gz","data":"data:text/plain,hello"}`, success},
		{"gzip-file-as-resource", `{"data":"file:///etc/hostname"}`, failure},
		{"toggle-simulated-logging", `{}`, success},
		{"toggle-simulated-logging", `{}`, success},
		{"toggle-subscriber-updates", `{}`, success},
		{"toggle-subscriber-updates", `{}`, success},
		{"trigger-long-running-operation", `{"duration":0.01,"steps":2}`, success},
		{"simulate-research-query", `{"topic":"bytes"}`, failure},
	}
}

// filesystemJourney reads in one half of the directory and writes in the other.
func filesystemJourney(directory string) []call {
	in := func(name string) string { return filepath.ToSlash(filepath.Join(directory, name)) }
	path := func(name string) string { return fmt.Sprintf(`{"path":%q}`, in(name)) }
	written := fmt.Sprintf(`{"path":%q,"content":"one\ntwo\n\u00fc \ud83d\ude00\n"}`, in("written/new.txt"))
	edit := func(text string) string {
		return fmt.Sprintf(`{"path":%q,"edits":[{"oldText":%q,"newText":"<2>"}]}`, in("written/new.txt"), text)
	}
	move := fmt.Sprintf(`{"source":%q,"destination":%q}`, in("written/new.txt"), in("written/sub/moved.txt"))
	return []call{
		{"list_allowed_directories", `{}`, success},
		{"list_directory", path("read"), success},
		{"list_directory_with_sizes", path("read"), success},
		{"directory_tree", path("read"), success},
		{"search_files", fmt.Sprintf(`{"path":%q,"pattern":"**/*.txt"}`, in("read")), success},
		{"get_file_info", path("read/untouched.txt"), success},
		{"read_file", path("read/lines.txt"), success},
		{"read_text_file", fmt.Sprintf(`{"path":%q,"tail":1}`, in("read/lines.txt")), success},
		{"read_media_file", path("read/pixel.png"), success},
		{"read_media_file", path("read/data.bin"), success},
		{"read_multiple_files", fmt.Sprintf(`{"paths":[%q,%q]}`, in("read/lines.txt"), in("read/absent.txt")), success},
		{"write_file", written, success},
		{"edit_file", edit("two"), success},
		{"edit_file", edit("three"), failure},
		{"create_directory", path("written/sub"), success},
		{"move_file", move, success},
		{"read_text_file", path("written/sub/moved.txt"), success},
		{"read_text_file", path("written/new.txt"), failure},
		{"read_text_file", `{"path":"/etc/passwd"}`, failure},
		{"read_text_file", `{"path":7}`, failure},
	}
}

// prepareFiles makes the half of the directory that is only read, once.
func prepareFiles(directory string) {
	GinkgoHelper()
	picture, err := base64.StdEncoding.DecodeString(pixel)
	Expect(err).NotTo(HaveOccurred())
	read := filepath.Join(directory, "read")
	Expect(os.MkdirAll(filepath.Join(read, "deep", "er"), 0o755)).To(Succeed())
	for name, content := range map[string]string{
		"lines.txt":        "first\nsecond <&>\u2028\nlast",
		"untouched.txt":    "no step reads this file, so its times stay",
		"pixel.png":        string(picture),
		"data.bin":         "\x00\xff\xfe not a text",
		"deep/er/down.txt": "",
	} {
		file := filepath.Join(read, filepath.FromSlash(name))
		Expect(os.WriteFile(file, []byte(content), 0o600)).To(Succeed())
		Expect(os.Chtimes(file, time.Unix(1_700_000_000, 0), time.Unix(1_700_000_000, 0))).To(Succeed())
	}
}

// emptyWritten empties the half of the directory that is written to.
func emptyWritten(directory string) {
	GinkgoHelper()
	written := filepath.Join(directory, "written")
	Expect(os.RemoveAll(written)).To(Succeed())
	Expect(os.Mkdir(written, 0o755)).To(Succeed())
}
