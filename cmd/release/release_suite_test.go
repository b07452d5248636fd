package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

func TestRelease(t *testing.T) { spec.Run(t, "The files of a release") }

var _ = Describe("An archive", func() {
	files := []packed{
		{name: "p-v1/p", data: []byte("program"), executable: true},
		{name: "p-v1/LICENSE", data: bytes.Repeat([]byte("text "), 1000)},
	}

	It("has the files, with an executable program, as .tar.gz", func() {
		data := spec.Must(tarArchive(files))

		uncompressed := spec.Must(gzip.NewReader(bytes.NewReader(data)))
		reader := tar.NewReader(uncompressed)
		for _, file := range files {
			header := spec.Must(reader.Next())
			Expect(header.Name).To(Equal(file.name))
			Expect(header.FileInfo().Mode().Perm()).To(Equal(file.mode()))
			Expect(io.ReadAll(reader)).To(Equal(file.data))
		}
		_, err := reader.Next()
		Expect(err).To(MatchError(io.EOF))
	})

	It("has the files, with an executable program, as .zip", func() {
		data := spec.Must(zipArchive(files))

		reader := spec.Must(zip.NewReader(bytes.NewReader(data), int64(len(data))))
		Expect(reader.File).To(HaveLen(len(files)))
		for i, file := range files {
			Expect(reader.File[i].Name).To(Equal(file.name))
			Expect(reader.File[i].Mode().Perm()).To(Equal(file.mode()))
			content := spec.Must(reader.File[i].Open())
			Expect(io.ReadAll(content)).To(Equal(file.data))
		}
	})

	It("has the same bytes each time", func() {
		first := spec.Must(tarArchive(files))
		Expect(tarArchive(files)).To(Equal(first))
		first = spec.Must(zipArchive(files))
		Expect(zipArchive(files)).To(Equal(first))
	})

	It("has folders and owners as .tar, for images", func() {
		data := spec.Must(tarball([]packed{{name: "home/", user: 7}}))

		header := spec.Must(tar.NewReader(bytes.NewReader(data)).Next())
		Expect(header.Typeflag).To(BeEquivalentTo(tar.TypeDir))
		Expect(header.Uid).To(Equal(7))
	})

	It("has a sum in the form of sha256sum", func() {
		Expect(sumLine("p.zip", []byte("abc"))).To(Equal(
			"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  p.zip\n"))
	})
})
