package jsonrpc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// noise is text that servers write between their messages.
var noise = []string{
	"", "\r", "server started", `{"level":"info"}`, `{"jsonrpc":"2.0","id":1,"result":`, `[]`, "7", "null", "\x1b[32mok\x1b[0m", "\xff\xfe\x00",
	`{"jsonrpc":"1.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":{},"result":{}}`, strings.Repeat("[", 11_000), strings.Repeat("x", 3000),
}

// messagesIn returns the messages in a stream.
func messagesIn(source *chunks) []string {
	var messages []string
	reader, scanner := jsonrpc.NewLineReader(source, 1<<20), rawjson.NewScanner()
	for {
		line, err := reader.Next()
		if err != nil {
			return messages
		}
		if message, err := jsonrpc.ParseMessage(scanner, line); err == nil {
			messages = append(messages, fmt.Sprintf("%s %s", message.ID, message.Result))
		}
	}
}

var _ = Describe("Messages among noise", func() {
	It("are all read in order, however the stream is cut", Label("W15"), func() {
		for round := range uint64(10) {
			random := rand.New(rand.NewPCG(uint64(GinkgoRandomSeed()), round))
			var stream bytes.Buffer
			var want []string
			for i := range 100 {
				for range random.IntN(4) {
					stream.WriteString(noise[random.IntN(len(noise))] + "\n")
				}
				id, body := json.RawMessage(fmt.Sprint(i)), json.RawMessage(`"`+strings.Repeat("b", random.IntN(5000))+`"`)
				want = append(want, fmt.Sprintf("%s %s", id, body))
				stream.WriteString(lineOf(jsonrpc.Result(id, body)))
			}
			sizes := []byte{byte(random.UintN(256)), byte(random.UintN(256)), byte(random.UintN(256))}

			got := messagesIn(&chunks{text: stream.Bytes(), sizes: sizes})

			Expect(got).To(Equal(want))
		}
	})
})
