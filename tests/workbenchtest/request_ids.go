package workbenchtest

import (
	"encoding/json"

	"github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// RequestIDs returns the raw ids of requests, or of the requests that cancel notifications name.
func RequestIDs(lines []string) []string {
	ginkgo.GinkgoHelper()
	var ids []string
	for _, line := range lines {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Params struct {
				RequestID json.RawMessage `json:"requestId"`
			} `json:"params"`
		}
		Expect(json.Unmarshal([]byte(line), &m)).To(Succeed())
		if m.ID == nil {
			m.ID = m.Params.RequestID
		}
		ids = append(ids, string(m.ID))
	}
	return ids
}

// CancelledID returns the raw id that the server was told to cancel.
func (s Server) CancelledID() string {
	ginkgo.GinkgoHelper()
	ids := RequestIDs(s.ReceivedWith("notifications/cancelled"))
	Expect(ids).To(HaveLen(1))
	return ids[0]
}

// CalledID returns the raw id of the first call that the server received.
func (s Server) CalledID() string {
	ginkgo.GinkgoHelper()
	return RequestIDs(s.ReceivedWith("tools/call"))[0]
}
