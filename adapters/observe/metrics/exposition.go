package metrics

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/domain"
)

// The types of metrics.
const (
	counter   = "counter"
	gauge     = "gauge"
	histogram = "histogram"
	summary   = "summary"
)

// exposition is a text in the format of Prometheus.
type exposition struct{ strings.Builder }

// head writes the help and the type of a metric.
func (e *exposition) head(name, kind, help string) {
	_, _ = fmt.Fprintf(&e.Builder, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// number writes one series with a whole number. labels is the text between the braces, "" for
// none.
func (e *exposition) number(name, labels string, value int64) {
	e.line(name, labels, strconv.FormatInt(value, 10))
}

// seconds writes one series with a duration.
func (e *exposition) seconds(name, labels string, value time.Duration) {
	e.line(name, labels, seconds(value))
}

func (e *exposition) line(name, labels, value string) {
	if labels != "" {
		labels = "{" + labels + "}"
	}
	_, _ = fmt.Fprintf(&e.Builder, "%s%s %s\n", name, labels, value)
}

// figure writes a metric that has one series.
func (e *exposition) figure(name, kind, help string, value int64) {
	e.head(name, kind, help)
	e.number(name, "", value)
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) }

// serverLabels returns the labels of the series of a server.
func serverLabels(server domain.ServerID) string {
	return "toolbox=" + labelValue(string(server.Toolbox)) + ",server=" + labelValue(string(server.Server))
}

// labelValue returns the value of a label.
func labelValue(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(text, "�")) + `"`
}
