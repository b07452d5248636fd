package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

// scripted is a release with small programs for all platforms, without system packages and an
// image.
func scripted() *release {
	GinkgoHelper()
	o := spec.Must(parseOwner(ownerFile))
	v := spec.Must(newVersion("v1.2.3", time.Date(2026, time.November, 23, 10, 0, 0, 0, time.UTC)))
	r := &release{Owner: o, Version: v, documents: documents{
		licence: []byte("MIT License\n\nCopyright (c) 2026\n\nPermission is granted\n\nto all\n"), thirdParty: []byte("licences"),
		manPage: []byte(".TH X 1\n"), changelog: []byte("# Changelog\n"),
		completions: map[string][]byte{"bash": []byte("b"), "zsh": []byte("z"), "fish": []byte("f"), "powershell": []byte("p")},
	}}
	for _, p := range platforms {
		r.programs = append(r.programs, built{platform: p, data: []byte("program for " + p.String())})
	}
	for _, step := range []func(context.Context) error{r.makeArchives, r.makeNPM, r.makeBundles, r.makeManifests, r.makePlugin} {
		Expect(step(context.Background())).To(Succeed())
	}
	return r
}

func (r *release) file(name string) []byte {
	GinkgoHelper()
	for _, file := range r.files {
		if file.name == name {
			return file.data
		}
	}
	Fail("the release has no file " + name)
	return nil
}

// jsonFile decodes a file of a release.
func jsonFile(text []byte) (value map[string]any) {
	GinkgoHelper()
	Expect(json.Unmarshal(text, &value)).To(Succeed())
	return value
}

// archiveFiles returns the files of a .tar.gz by their names.
func archiveFiles(data []byte) map[string]string {
	GinkgoHelper()
	uncompressed := spec.Must(gzip.NewReader(bytes.NewReader(data)))
	files := map[string]string{}
	reader := tar.NewReader(uncompressed)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		Expect(err).NotTo(HaveOccurred())
		text := spec.Must(io.ReadAll(reader))
		files[header.Name] = string(text)
	}
}

var _ = Describe("A release", func() {
	It("has the same bytes each time", func() {
		Expect(scripted().files).To(Equal(scripted().files))
	})

	It("has a launcher for npm that names a package for each platform, in the same version, and has no install script", func() {
		r := scripted()
		files := archiveFiles(r.file("npm/mcp-workbench-1.2.3.tgz"))
		manifest := jsonFile([]byte(files["package/package.json"]))

		Expect(manifest["optionalDependencies"]).To(HaveLen(len(platforms)))
		Expect(manifest["optionalDependencies"]).To(HaveKeyWithValue("@example/mcp-workbench-win32-arm64", "1.2.3"))
		Expect(manifest).NotTo(HaveKey("scripts"))
		Expect(manifest["mcpName"]).To(Equal(jsonFile(r.file("server.json"))["name"]))
		Expect(files["package/bin/mcp-workbench.js"]).To(HavePrefix("#!/usr/bin/env node\n"))

		Expect(files["package/bin/mcp-workbench.js"]).NotTo(MatchRegexp(`process\.std(in|out)[^ ]`), "Node would make the program's pipes non-blocking")

		fitting := archiveFiles(r.file("npm/mcp-workbench-darwin-x64-1.2.3.tgz"))
		Expect(fitting["package/bin/mcp-workbench"]).To(Equal("program for darwin-amd64"))
		Expect(jsonFile([]byte(fitting["package/package.json"]))).To(And(
			HaveKeyWithValue("os", ConsistOf("darwin")), HaveKeyWithValue("cpu", ConsistOf("x64")), Not(HaveKey("scripts"))))
	})

	DescribeTable("names the sums of the archives in", func(file string, system string) {
		r := scripted()
		for _, architecture := range []string{"amd64", "arm64"} {
			sum := spec.Must(r.Sum(r.Archive(system, architecture)))
			Expect(string(r.file(file))).To(ContainSubstring(sum))
		}
	},
		Entry("install.sh, for Linux", "install.sh", "linux"),
		Entry("install.sh, for macOS", "install.sh", "darwin"),
		Entry("install.ps1", "install.ps1", "windows"),
		Entry("the formula, for Linux", "homebrew/mcp-workbench.rb", "linux"),
		Entry("the formula, for macOS", "homebrew/mcp-workbench.rb", "darwin"),
		Entry("the manifest of Scoop", "scoop/mcp-workbench.json", "windows"),
		Entry("the manifest of winget", "winget/Example.MCPWorkbench.installer.yaml", "windows"),
	)

	It("has only addresses and names of an owner from the file of the owner", func() {
		for _, file := range scripted().files {
			if strings.HasSuffix(file.name, ".json") || strings.HasSuffix(file.name, ".yaml") || strings.HasSuffix(file.name, ".rb") {
				Expect(string(file.data)).To(And(Not(ContainSubstring("[[")), Not(ContainSubstring("OWNER"))), file.name)
			}
		}
		for _, name := range []string{"install.sh", "install.ps1", "formula.rb", "scoop.json", "winget-installer.yaml", "README.md", "npm.md", "launcher.js"} {
			Expect(string(spec.Must(templates.ReadFile("templates/"+name)))).NotTo(ContainSubstring("example"), name)
		}
	})

	It("has links that start the program, in the form of each host", func() {
		page := string(scripted().file("links.md"))
		link := func(start string) *url.URL {
			GinkgoHelper()
			_, rest, found := strings.Cut(page, "("+start)
			Expect(found).To(BeTrue(), start)
			text, _, _ := strings.Cut(rest, ")")
			return spec.Must(url.Parse(start + text))
		}
		cursor := spec.Must(base64.StdEncoding.DecodeString(link("cursor://").Query().Get("config")))
		code := spec.Must(url.QueryUnescape(link("vscode:").RawQuery))
		for _, config := range []string{string(cursor), link("https://vscode.dev").Query().Get("config"), code} {
			Expect(jsonFile([]byte(config))).To(And(HaveKeyWithValue("command", "mcp-workbench"), HaveKeyWithValue("args", ConsistOf("serve"))))
		}
		Expect(jsonFile([]byte(code))).To(HaveKeyWithValue("name", "workbench"))
	})

	It("has bundles whose manifest starts their program", func() {
		r := scripted()
		data := r.file("mcp-workbench-1.2.3-windows-amd64.mcpb")
		reader := spec.Must(zip.NewReader(bytes.NewReader(data), int64(len(data))))
		manifest := spec.Must(reader.Open("manifest.json"))
		text := spec.Must(io.ReadAll(manifest))

		server, _ := jsonFile(text)["server"].(map[string]any)
		program := spec.Must(reader.Open(server["entry_point"].(string)))
		Expect(io.ReadAll(program)).To(BeEquivalentTo("program for windows-amd64"))
	})

	It("has archives with a README for the archive, completions and a manual page", func() {
		r := scripted()
		files := archiveFiles(r.file("mcp-workbench-1.2.3-linux-arm64.tar.gz"))
		Expect(files["mcp-workbench-1.2.3-linux-arm64/README.md"]).To(ContainSubstring("mcp-workbench-1.2.3-linux-arm64.tar.gz"))
		for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES", "man/mcp-workbench.1", "completions/_mcp-workbench"} {
			Expect(files).To(HaveKey("mcp-workbench-1.2.3-linux-arm64/" + name))
		}
	})

	It("has an Agent Plugin that starts this version", func() {
		r := scripted()
		Expect(jsonFile(r.file("agent-plugin/plugin.json"))).To(And(HaveKeyWithValue("name", "mcp-workbench"), HaveKeyWithValue("version", "1.2.3"),
			HaveKeyWithValue("$schema", "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json")))
		server := jsonFile(r.file("agent-plugin/mcp.json"))["mcpServers"].(map[string]any)["workbench"].(map[string]any)
		Expect(server).To(And(HaveKeyWithValue("type", "stdio"), HaveKeyWithValue("command", "npx"), HaveKeyWithValue("args", ContainElement(HaveSuffix("@1.2.3")))))
	})
})
