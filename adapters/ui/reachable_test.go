package ui_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
)

var _ = Describe("A page for the keyboard and for screen readers", func() {
	sources := func() ui.Sources {
		return ui.Sources{
			Record: record{stored: []activity.Entry{
				call("dev", "git", "log", 20*time.Millisecond, domain.OutcomeOK), call("dev", "git", "push", time.Second, domain.OutcomeTimeout),
			}},
			Status: func(context.Context) []status.Answer {
				return []status.Answer{runningServer("dev", "git", "failed", ""), runningServer("dev", "db", "login", "")}
			},
			Tools: func(context.Context) []ui.Tool {
				definition := []byte(`{"name":"log","description":"Shows commits.","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}`)
				return []ui.Tool{
					{ID: domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "log"}, Tokens: 40, Definition: definition},
					{ID: domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "gc"}, Tokens: 60, Definition: definition},
				}
			},
			Stderr: func(context.Context, domain.ServerID, ui.Viewer) []string { return []string{"fatal: no network"} },
		}
	}
	paths := []string{
		"/ui/", "/ui/calls", "/ui/tools", "/ui/tools?show=never", "/ui/failures", "/ui/nothing", "/ui/server?toolbox=dev&server=git",
		"/ui/tool?toolbox=dev&server=git&tool=log",
	}
	// tags returns the opening tags of a page that match a pattern.
	tags := func(text, pattern string) []string {
		var found []string
		for _, tag := range regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(text, -1) {
			if regexp.MustCompile(pattern).MatchString(tag) {
				found = append(found, tag)
			}
		}
		return found
	}
	// without returns those of the tags that do not match another pattern.
	without := func(text, pattern, wanted string) []string {
		return slices.DeleteFunc(tags(text, pattern), regexp.MustCompile(wanted).MatchString)
	}

	for _, path := range paths {
		It("has names, headings and landmarks: "+path, func() {
			_, text := serve(sources(), everything).get(path)

			Expect(tags(text, `^<(main|h1|header><div|footer)\b`)).To(HaveLen(3))
			Expect(text).To(MatchRegexp(`<html lang="en">.*<title>[^<]+</title>.*<a class="skip" href="#main">.*<main id="main"`))
			level := 0
			for _, heading := range tags(text, `^<h[1-6]\b`) {
				next, _ := strconv.Atoi(heading[2:3])
				Expect(next).To(BeNumerically("<=", level+1), "the heading %s of %s", heading, path)
				level = next
			}
			Expect(without(text, `^<(nav|figure|ul class="attention"|svg[^>]*role|\w+[^>]*tabindex="0")`, `aria-label="[^"]+"`)).To(BeEmpty())
			Expect(without(text, `tabindex="0"`, `role="region"`)).To(BeEmpty())
			Expect(without(text, `^<svg\b`, `role="img"|aria-hidden="true"`)).To(BeEmpty())
			Expect(without(text, `^<img\b`, `alt="`)).To(BeEmpty())
			Expect(regexp.MustCompile(`<(a|button|summary)\b[^>]*>(<[^>]*>)*</(a|button|summary)>`).FindString(text)).To(BeEmpty())
			for _, input := range tags(text, `^<input [^>]*type="search"`) {
				id := regexp.MustCompile(` id="([^"]+)"`).FindStringSubmatch(input)
				Expect(id).NotTo(BeNil(), input)
				Expect(text).To(ContainSubstring(`<label for="` + id[1] + `"`))
			}
			seen := map[string]bool{}
			for _, tag := range tags(text, ` id="`) {
				id := regexp.MustCompile(` id="([^"]+)"`).FindStringSubmatch(tag)[1]
				Expect(seen).NotTo(HaveKey(id))
				seen[id] = true
			}
			Expect(tags(text, `role="status"`)).To(HaveLen(1))
		})
	}

	It("hides the regions with hints for pointers from screen readers", func() {
		_, text := serve(sources(), everything).get("/ui/")
		Expect(text).To(ContainSubstring(`<rect class="hit"`))
		Expect(strings.ReplaceAll(text, `<g aria-hidden="true"><rect class="hit"`, "")).NotTo(MatchRegexp(`(role="img"[^>]*>|/>|</path>)<rect class="hit"`))
	})

	DescribeTable("has texts with a contrast of at least 4.5", func(scheme string) {
		style, err := os.ReadFile("assets/style.css")
		Expect(err).NotTo(HaveOccurred())
		light, dark, found := strings.Cut(string(style), "@media (prefers-color-scheme: dark)")
		Expect(found).To(BeTrue())
		colours := coloursIn(light)
		if scheme == "dark" {
			maps.Copy(colours, coloursIn(dark))
		}
		for text, grounds := range map[string][]string{
			"text": {"ground", "card", "sunk"}, "calm": {"ground", "card", "sunk"}, "link": {"ground", "card", "sunk"}, "card": {"mark"},
			"good": {"ground", "card"}, "bad": {"ground", "card", "badground"}, "warn": {"card", "ground", "warnground"},
		} {
			for _, ground := range grounds {
				Expect(contrast(colours[text], colours[ground])).To(BeNumerically(">=", 4.5), "%s on %s", text, ground)
			}
		}
		for _, drawn := range []string{"half", "most", "bad", "mark"} { // graphics need 3 (WCAG 1.4.11)
			Expect(contrast(colours[drawn], colours["card"])).To(BeNumerically(">=", 3), drawn)
		}
	}, Entry("in light", "light"), Entry("in dark", "dark"))
})

// coloursIn returns the colours of the first :root in a style, by name.
func coloursIn(style string) map[string]string {
	_, rest, _ := strings.Cut(style, ":root {")
	rest, _, _ = strings.Cut(rest, "}")
	colours := map[string]string{}
	for _, found := range regexp.MustCompile(`--(\w+): (#[0-9a-f]+)`).FindAllStringSubmatch(rest, -1) {
		colours[found[1]] = found[2]
	}
	return colours
}

// contrast returns the ratio of two colours as WCAG 2.2 defines it.
func contrast(one, other string) float64 {
	a, b := luminance(one), luminance(other)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

func luminance(colour string) float64 {
	GinkgoHelper()
	if len(colour) == len("#fff") {
		colour = fmt.Sprintf("#%[1]c%[1]c%[2]c%[2]c%[3]c%[3]c", colour[1], colour[2], colour[3])
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		part, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		Expect(err).NotTo(HaveOccurred(), colour)
		linear := float64(part) / 255
		if linear <= 0.04045 {
			linear /= 12.92
		} else {
			linear = math.Pow((linear+0.055)/1.055, 2.4)
		}
		sum += weight * linear
	}
	return sum
}
