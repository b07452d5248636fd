package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// imageUser is the user that runs the program in the image, and owns its home.
const imageUser = 65532

// blob is a part of an image: a descriptor of the OCI image format.
type blob struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// layout collects the blobs of an image in the OCI image layout.
type layout struct{ files []packed }

func (l *layout) add(mediaType string, data []byte) blob {
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	l.files = append(l.files, packed{name: "blobs/sha256/" + sum, data: data})
	return blob{MediaType: mediaType, Digest: "sha256:" + sum, Size: len(data)}
}

func (l *layout) addJSON(mediaType string, value any) (blob, error) {
	text, err := asJSON(value)
	if err != nil {
		return blob{}, err
	}
	return l.add(mediaType, text), nil
}

// Image returns the name of the image's file.
func (r *release) Image() string { return program + "-" + r.Version.Number + "-image.tar" }

// makeImage creates an image for every Linux in one archive of the OCI image layout, without a daemon:
// the program, certificates and a home for its state.
func (r *release) makeImage(ctx context.Context) error {
	certificates, err := certificates(ctx)
	if err != nil {
		return err
	}
	var l layout
	var manifests []blob
	for _, p := range r.programs {
		if p.System != "linux" {
			continue
		}
		manifest, err := r.addImage(&l, p, certificates)
		if err != nil {
			return fmt.Errorf("make the image for %s: %w", p, err)
		}
		manifests = append(manifests, manifest)
	}
	const indexType = "application/vnd.oci.image.index.v1+json"
	every, err := l.addJSON(indexType, map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": manifests})
	if err != nil {
		return err
	}
	every.Annotations = map[string]string{"org.opencontainers.image.ref.name": r.Version.Number}
	index, err := asJSON(map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": []blob{every}})
	if err != nil {
		return err
	}
	files := append([]packed{{name: "oci-layout", data: []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {name: "index.json", data: index}}, l.files...)
	data, err := tarball(files)
	if err != nil {
		return err
	}
	r.add(r.Image(), data)
	return nil
}

// addImage adds the image for a platform and returns its manifest.
func (r *release) addImage(l *layout, p built, certificates []byte) (blob, error) {
	files, err := tarball(append([]packed{
		{name: program, data: p.data, executable: true},
		{name: "config/"},
		{name: "etc/"},
		{name: "etc/passwd", data: fmt.Appendf(nil, "workbench:x:%d:%d::/home/workbench:/\n", imageUser, imageUser)},
		{name: "etc/ssl/"},
		{name: "etc/ssl/certs/"},
		{name: "etc/ssl/certs/ca-certificates.crt", data: certificates},
		{name: "home/"},
		{name: "home/workbench/", user: imageUser},
		{name: "licenses/"},
		{name: "tmp/", user: imageUser},
	}, inFolder("licenses", r.documents.licences())...))
	if err != nil {
		return blob{}, err
	}
	compressed, err := compress(files)
	if err != nil {
		return blob{}, err
	}
	layer := l.add("application/vnd.oci.image.layer.v1.tar+gzip", compressed)
	labels := map[string]string{
		"io.modelcontextprotocol.server.name": r.Owner.RegistryName(), "org.opencontainers.image.description": r.Owner.Summary,
		"org.opencontainers.image.licenses": "MIT", "org.opencontainers.image.source": r.Owner.Repository,
		"org.opencontainers.image.title": "MCP Workbench", "org.opencontainers.image.version": r.Version.Number,
	}
	configuration, err := l.addJSON("application/vnd.oci.image.config.v1+json", map[string]any{
		"created": r.Version.Time.Format(time.RFC3339), "architecture": p.Architecture, "os": p.System,
		"config": map[string]any{
			"User": fmt.Sprintf("%d:%d", imageUser, imageUser), "WorkingDir": "/home/workbench", "Labels": labels,
			// A mounted configuration may belong to any user: the operator of the container decides what it is.
			"Env": []string{
				"HOME=/home/workbench", "PATH=/", "WORKBENCH_CONFIG=/config/workbench-config.json", "WORKBENCH_ALLOW_FOREIGN_CONFIG=1",
			},
			"Entrypoint": []string{"/" + program}, "Cmd": []string{"serve"},
			"Volumes": map[string]any{"/home/workbench": struct{}{}},
		},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(files))}},
	})
	if err != nil {
		return blob{}, err
	}
	const manifestType = "application/vnd.oci.image.manifest.v1+json"
	manifest, err := l.addJSON(manifestType, map[string]any{
		"schemaVersion": 2, "mediaType": manifestType, "config": configuration, "layers": []blob{layer}, "annotations": labels,
	})
	manifest.Platform = map[string]string{"os": p.System, "architecture": p.Architecture}
	return manifest, err
}

// certificates returns the certificates that Mozilla trusts, as PEM. They come from a module, so that
// every machine builds the same image.
func certificates(ctx context.Context) ([]byte, error) {
	output, err := exec.CommandContext(ctx, "go", "list", "-modfile=cmd/release/tools/go.mod", "-f", "{{.Dir}}", "golang.org/x/crypto/x509roots/fallback/bundle").Output()
	if err != nil {
		return nil, fmt.Errorf("find the certificates: %w", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(output)), "bundle.der"))
	if err != nil {
		return nil, fmt.Errorf("read the certificates: %w", err)
	}
	found, err := x509.ParseCertificates(data)
	if err != nil {
		return nil, fmt.Errorf("read the certificates: %w", err)
	}
	var text bytes.Buffer
	for _, certificate := range found {
		if err := pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}); err != nil {
			return nil, fmt.Errorf("write a certificate: %w", err)
		}
	}
	return text.Bytes(), nil
}
