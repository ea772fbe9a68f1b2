import { expect, test } from '@jest/globals';
import type { KubernetesObject } from './testing/kubernetes-object.ts';
import { RELEASE, rendered, VALUE_SETS } from './testing/rendered.ts';

interface Endpoint {
  readonly relabelings: readonly { readonly targetLabel: string; readonly replacement?: string }[];
}

const metricsService = (objects: readonly KubernetesObject[]): KubernetesObject | undefined =>
  objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name.endsWith('-metrics'));

test.each(VALUE_SETS)(
  'with the values %s a Service leads to the metrics of all services, ready or not',
  async (set) => {
    const service = metricsService(await rendered({ set }));
    expect(service?.spec).toMatchObject({
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      ports: [{ name: 'admin', port: 9_000, targetPort: 'admin' }],
    });
    expect(service?.metadata.labels?.['release']).toBe(RELEASE);
  },
);

test('a Prometheus that goes by annotations finds it where they are switched on', async () => {
  const scrape = { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9000', 'prometheus.io/path': '/metrics' };
  const on = await rendered({ set: 'minimal', values: { 'monitoring.scrapeAnnotations': true } });
  expect(metricsService(on)?.metadata.annotations).toEqual(scrape);
  expect(metricsService(await rendered({ set: 'minimal' }))?.metadata.annotations).toBeUndefined();
});

test.each(['PodMonitor', 'ServiceMonitor'])(
  'a %s says of which release its series are, and relabels as it was asked to',
  async (kind) => {
    const relabeling = { sourceLabels: ['__meta_kubernetes_pod_node_name'], targetLabel: 'node' };
    const values = { 'monitoring.monitor': kind, 'monitoring.relabelings': [relabeling] };
    const monitor = (await rendered({ set: 'minimal', values })).find((object) => object.kind === kind);
    const { podMetricsEndpoints = [], endpoints = [] } = (monitor?.spec ?? {}) as Partial<
      Record<'podMetricsEndpoints' | 'endpoints', readonly Endpoint[]>
    >;
    const [endpoint] = [...podMetricsEndpoints, ...endpoints];
    expect(endpoint?.relabelings).toEqual([{ targetLabel: 'release', replacement: RELEASE }, relabeling]);
  },
);
