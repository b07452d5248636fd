package deploy

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

// release is the folder with the files.
var release = filepath.Join("..", "..", "cmd", "release")

// manifests are the documents of kubernetes.yaml.
type manifests struct {
	config     core.ConfigMap
	deployment apps.Deployment
	service    core.Service
	budget     policy.PodDisruptionBudget
	network    networking.NetworkPolicy
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{release}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// readManifests reads each document strictly into the type of its kind.
func readManifests(t *testing.T) manifests {
	t.Helper()
	var m manifests
	into := map[string]any{
		"v1 ConfigMap": &m.config, "apps/v1 Deployment": &m.deployment, "v1 Service": &m.service,
		"policy/v1 PodDisruptionBudget": &m.budget, "networking.k8s.io/v1 NetworkPolicy": &m.network,
	}
	for _, document := range bytes.Split(read(t, "deploy", "kubernetes.yaml"), []byte("\n---\n")) {
		var kind struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal(document, &kind); err != nil {
			t.Fatal(err)
		}
		name := kind.APIVersion + " " + kind.Kind
		target, isKnown := into[name]
		if !isKnown {
			t.Fatalf("%q is there twice, or its type is not checked", name)
		}
		delete(into, name)
		if err := yaml.UnmarshalStrict(document, target, yaml.DisallowUnknownFields); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if len(into) > 0 {
		t.Fatalf("these documents are missing: %v", into)
	}
	return m
}

// containerfile returns a value of the recipe of the image, by a pattern with one group.
func containerfile(t *testing.T, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindSubmatch(read(t, "Containerfile"))
	if found == nil {
		t.Fatalf("the Containerfile has no %s", pattern)
	}
	return string(found[1])
}

func expect[T comparable](t *testing.T, what string, found, want T) {
	t.Helper()
	if found != want {
		t.Errorf("%s is %v, want %v", what, found, want)
	}
}

func TestKubernetesRunsTheImage(t *testing.T) {
	pod := readManifests(t).deployment.Spec.Template.Spec
	container := pod.Containers[0]

	expect(t, "the port", container.Ports[0].ContainerPort, 7345)
	expect(t, "the port of the image", containerfile(t, `WORKBENCH_HTTP=:(\d+)`), "7345")
	expect(t, "the user", *pod.SecurityContext.RunAsUser, 65532)
	expect(t, "the group of volumes", *pod.SecurityContext.FSGroup, 65532)
	expect(t, "the user of the image", containerfile(t, `USER (\S+)`), "65532:65532")
	expect(t, "the configuration", container.VolumeMounts[0].MountPath, filepath.Dir(containerfile(t, `WORKBENCH_CONFIG=(\S+)`)))
	expect(t, "the home", container.VolumeMounts[1].MountPath, containerfile(t, `HOME=(\S+)`))
	expect(t, "liveness", container.LivenessProbe.HTTPGet.Path, "/livez")
	expect(t, "readiness", container.ReadinessProbe.HTTPGet.Path, "/readyz")
}

func TestKubernetesLimitsWhatACopyCanDo(t *testing.T) {
	pod := readManifests(t).deployment.Spec.Template.Spec
	container := pod.Containers[0]

	expect(t, "not being root", *pod.SecurityContext.RunAsNonRoot, true)
	expect(t, "the account's token", *pod.AutomountServiceAccountToken, false)
	expect(t, "the read-only root", *container.SecurityContext.ReadOnlyRootFilesystem, true)
	expect(t, "gaining privileges", *container.SecurityContext.AllowPrivilegeEscalation, false)
	expect(t, "the dropped capabilities", container.SecurityContext.Capabilities.Drop[0], "ALL")
	expect(t, "a limit on memory", container.Resources.Limits.Memory().IsZero(), false)
	expect(t, "the Secret", container.EnvFrom[0].SecretRef.Name, "mcp-workbench")
}

func TestKubernetesGivesACopyTimeToEnd(t *testing.T) {
	spec := readManifests(t).deployment.Spec
	sleep := spec.Template.Spec.Containers[0].Lifecycle.PreStop.Sleep.Seconds

	// Calls under way have five seconds, and servers three by default.
	if grace := *spec.Template.Spec.TerminationGracePeriodSeconds; grace <= sleep+2*5 {
		t.Errorf("the grace period of %d seconds is too short for %d seconds of preStop and the end", grace, sleep)
	}
	expect(t, "the copies that may be missing in an update", spec.Strategy.RollingUpdate.MaxUnavailable.IntValue(), 0)
}

func TestKubernetesDocumentsFitTogether(t *testing.T) {
	m := readManifests(t)
	labels := m.deployment.Spec.Template.Labels
	for what, selector := range map[string]map[string]string{
		"the Deployment": m.deployment.Spec.Selector.MatchLabels, "the Service": m.service.Spec.Selector,
		"the budget": m.budget.Spec.Selector.MatchLabels, "the network policy": m.network.Spec.PodSelector.MatchLabels,
	} {
		expect(t, "the label that selects in "+what, selector["app"], labels["app"])
	}
	expect(t, "the ConfigMap", m.deployment.Spec.Template.Spec.Volumes[0].ConfigMap.Name, m.config.Name)
	expect(t, "the address of the Service", m.service.Spec.ClusterIP, core.ClusterIPNone)
	if less := int32(m.budget.Spec.MaxUnavailable.IntValue()); *m.deployment.Spec.Replicas <= less {
		t.Errorf("the budget lets %d of %d copies be missing", less, *m.deployment.Spec.Replicas)
	}
	for name, text := range m.config.Data {
		expect(t, name+" being JSON", json.Valid([]byte(text)), true)
		expect(t, "the name of the configuration", name, filepath.Base(containerfile(t, `WORKBENCH_CONFIG=(\S+)`)))
	}
}
