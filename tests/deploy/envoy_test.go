package deploy

import (
	"testing"

	bootstrap "github.com/envoyproxy/go-control-plane/envoy/config/bootstrap/v3"
	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	stateful "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/stateful_session/v3"
	manager "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	envelope "github.com/envoyproxy/go-control-plane/envoy/extensions/http/stateful_session/envelope/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/retry/host/previous_hosts/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"sigs.k8s.io/yaml"
)

// unpack reads a typed part of the configuration and applies the rules of its type.
func unpack[T interface {
	proto.Message
	ValidateAll() error
}](t *testing.T, packed *anypb.Any, into T,
) T {
	t.Helper()
	if err := packed.UnmarshalTo(into); err != nil {
		t.Fatal(err)
	}
	if err := into.ValidateAll(); err != nil {
		t.Fatal(err)
	}
	return into
}

// readEnvoy reads envoy.yaml strictly.
func readEnvoy(t *testing.T) (*manager.HttpConnectionManager, *cluster.Cluster) {
	t.Helper()
	text, err := yaml.YAMLToJSONStrict(read(t, "deploy", "envoy.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var configuration bootstrap.Bootstrap
	if err := protojson.Unmarshal(text, &configuration); err != nil {
		t.Fatal(err)
	}
	if err := configuration.ValidateAll(); err != nil {
		t.Fatal(err)
	}
	resources := configuration.GetStaticResources()
	filter := resources.GetListeners()[0].GetFilterChains()[0].GetFilters()[0]
	return unpack(t, filter.GetTypedConfig(), &manager.HttpConnectionManager{}), resources.GetClusters()[0]
}

func TestEnvoySendsAHostToItsCopy(t *testing.T) {
	connections, copies := readEnvoy(t)
	session := unpack(t, connections.GetHttpFilters()[0].GetTypedConfig(), &stateful.StatefulSession{})
	state := unpack(t, session.GetSessionState().GetTypedConfig(), &envelope.EnvelopeSessionState{})
	action := routeOf(connections)

	expect(t, "the header of a session", state.GetHeader().GetName(), "mcp-session-id")
	expect(t, "the hashed header", action.GetHashPolicy()[0].GetHeader().GetHeaderName(), "authorization")
	expect(t, "the policy", copies.GetLbPolicy(), cluster.Cluster_RING_HASH)
	expect(t, "the cluster", action.GetCluster(), copies.GetName())
}

func TestEnvoyCutsNoStreamAndSendsNoCallTwice(t *testing.T) {
	connections, _ := readEnvoy(t)
	action := routeOf(connections)

	expect(t, "a limit on time", action.GetTimeout().AsDuration(), 0)
	expect(t, "when a request is sent again", action.GetRetryPolicy().GetRetryOn(), "connect-failure")
}

func TestEnvoyFindsTheCopiesInKubernetesThatAreReady(t *testing.T) {
	_, copies := readEnvoy(t)
	service := readManifests(t).service
	address := copies.GetLoadAssignment().GetEndpoints()[0].GetLbEndpoints()[0].GetEndpoint().GetAddress().GetSocketAddress()

	expect(t, "the name", address.GetAddress(), service.Name)
	expect(t, "the port", int32(address.GetPortValue()), service.Spec.Ports[0].Port)
	expect(t, "the check", copies.GetHealthChecks()[0].GetHttpHealthCheck().GetPath(), "/readyz")
	expect(t, "leaving with the name", copies.GetIgnoreHealthOnHostRemoval(), true)
}

func routeOf(connections *manager.HttpConnectionManager) *route.RouteAction {
	return connections.GetRouteConfig().GetVirtualHosts()[0].GetRoutes()[0].GetRoute()
}
