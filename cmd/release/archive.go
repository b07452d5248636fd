package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strings"
	"time"
)

// packed is a file of an archive, or a folder if its name ends with a slash.
type packed struct {
	name       string
	data       []byte
	executable bool
	// user is the owner of the file in an image; 0 is root.
	user int
}

func (p packed) isFolder() bool { return strings.HasSuffix(p.name, "/") }

func (p packed) mode() fs.FileMode {
	if p.executable || p.isFolder() {
		return 0o755
	}
	return 0o644
}

// packedAt is the time of every file. With real times, each archive would differ; ZIP
// has no times before 1980.
var packedAt = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// tarArchive returns a .tar.gz of the files, the same for the same files.
func tarArchive(files []packed) ([]byte, error) {
	archive, err := tarball(files)
	if err != nil {
		return nil, err
	}
	return compress(archive)
}

// tarball returns a .tar of the files, the same for the same files.
func tarball(files []packed) ([]byte, error) {
	var archive bytes.Buffer
	writer := tar.NewWriter(&archive)
	for _, file := range files {
		header := tar.Header{
			Typeflag: tar.TypeReg, Name: file.name, Size: int64(len(file.data)), Mode: int64(file.mode()),
			ModTime: packedAt, Format: tar.FormatUSTAR, Uid: file.user, Gid: file.user,
		}
		if file.isFolder() {
			header.Typeflag = tar.TypeDir
		}
		if err := writer.WriteHeader(&header); err != nil {
			return nil, fmt.Errorf("pack %s: %w", file.name, err)
		}
		if _, err := writer.Write(file.data); err != nil {
			return nil, fmt.Errorf("pack %s: %w", file.name, err)
		}
	}
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("finish the archive: %w", err)
	}
	return archive.Bytes(), nil
}

// zipArchive returns a .zip of the files, the same for the same files.
func zipArchive(files []packed) ([]byte, error) {
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for _, file := range files {
		header := zip.FileHeader{Name: file.name, Method: zip.Deflate, Modified: packedAt}
		header.SetMode(file.mode())
		entry, err := writer.CreateHeader(&header)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", file.name, err)
		}
		if _, err := entry.Write(file.data); err != nil {
			return nil, fmt.Errorf("pack %s: %w", file.name, err)
		}
	}
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("finish the archive: %w", err)
	}
	return archive.Bytes(), nil
}

// sumLine returns a line for sha256sum --check.
func sumLine(name string, data []byte) string {
	return fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)
}
