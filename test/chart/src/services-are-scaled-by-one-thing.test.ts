import { describe, expect, test } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { settledTopics } from './testing/calls.ts';
import { podsOf, type KubernetesObject } from './testing/kubernetes-object.ts';
import { NAMESPACE, RELEASE, rendered, VALUE_SETS } from './testing/rendered.ts';
import { sourceOf } from './testing/sources.ts';

const KEDA = { 'keda.prometheusAddress': 'http://prometheus:9090' };
const named = (objects: readonly KubernetesObject[], kind: string): readonly string[] =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

test.each(VALUE_SETS)(
  'with the values %s no Deployment is scaled twice, and one that is scaled says no number itself',
  async (set) => {
    const objects = await rendered({ set });
    const scaled = [...named(objects, 'HorizontalPodAutoscaler'), ...named(objects, 'ScaledObject')];
    expect(scaled).toEqual([...new Set(scaled)]);
    const fixed = objects.filter(({ kind, spec }) => kind === 'Deployment' && spec.replicas !== undefined);
    expect(fixed.map(({ metadata }) => metadata.name).filter((name) => scaled.includes(name))).toEqual([]);
    expect(new Set([...scaled, ...fixed.map(({ metadata }) => metadata.name)]).size).toBe(
      named(objects, 'Deployment').length,
    );
  },
);

test.each(VALUE_SETS)('with the values %s exactly those of two pods or more have a budget', async (set) => {
  const objects = await rendered({ set });
  const least = (name: string): number => {
    const of = (kind: string): KubernetesObject | undefined =>
      objects.find((object) => object.kind === kind && object.metadata.name === name);
    const scaled = of('HorizontalPodAutoscaler')?.spec.minReplicas ?? of('ScaledObject')?.spec.minReplicaCount;
    return scaled ?? of('Deployment')?.spec.replicas ?? 0;
  };
  const deployments = named(objects, 'Deployment').filter((name) =>
    SERVICES.some((service) => name.endsWith(`-${service}`)),
  );
  expect(named(objects, 'PodDisruptionBudget')).toEqual(deployments.filter((name) => least(name) > 1));
});

describe('by lag', () => {
  // A flood adds no pods.
  const settling = [...settledTopics()]
    .map(([service, topics]) => [service, topics.filter((topic) => topic !== 'alert-commands-bulk.v1')] as const)
    .filter(([, topics]) => topics.length > 0);

  test.each(settling)('%s is scaled by the lag of the topics that it settles', async (service, topics) => {
    const values = { ...KEDA, [`services.${service}.autoscaling.by`]: 'lag' };
    const scaler = (await rendered({ set: 'minimal', values })).find(({ kind }) => kind === 'ScaledObject');
    const [trigger] = scaler?.spec.triggers ?? [];
    const query = trigger?.metadata.query ?? '';
    expect(trigger?.type).toBe('prometheus');
    expect(query).toContain(`namespace="${NAMESPACE}",release="${RELEASE}",service="${service}"`);
    expect(/topic=~"([^"]*)"/.exec(query)?.[1]?.split('|')).toEqual(topics);
  });

  test('the metric that is asked for is documented', async () => {
    const values = { ...KEDA, 'services.notifier.autoscaling.by': 'lag' };
    const scaler = (await rendered({ set: 'minimal', values })).find(({ kind }) => kind === 'ScaledObject');
    const [, metric = ''] = /(\w+_lag)\{/.exec(scaler?.spec.triggers?.[0]?.metadata.query ?? '') ?? [];
    expect(sourceOf('docs/metrics.md')).toContain(`\`${metric}\``);
  });

  test.each(SERVICES.filter((service) => !settling.some(([name]) => name === service)))(
    '%s cannot be, and this is said',
    async (service) => {
      const values = { ...KEDA, [`services.${service}.autoscaling.by`]: 'lag' };
      await expect(rendered({ set: 'minimal', values })).rejects.toThrow(
        `${service} settles no topic and so has no lag`,
      );
    },
  );

  test('no service can be without a Prometheus to ask, and this is said', async () => {
    const values = { 'services.notifier.autoscaling.by': 'lag' };
    await expect(rendered({ set: 'minimal', values })).rejects.toThrow('keda.prometheusAddress is needed');
  });
});

describe('by CPU', () => {
  /** Measured at 20 alerts a second: MiB of the process, and thousandths of a core that are not yet a reason for another. */
  const USED: Readonly<Record<string, { readonly memory: number; readonly cpu: number }>> = {
    gateway: { memory: 170, cpu: 50 },
    'alert-ingest': { memory: 130, cpu: 50 },
    'alert-processor': { memory: 150, cpu: 50 },
  };

  test.each(Object.entries(USED))(
    '%s asks for what it uses, and its target leaves room above that',
    async (service, used) => {
      const values = { [`services.${service}.autoscaling.by`]: 'cpu' };
      const objects = await rendered({ set: 'minimal', values });
      const pod = podsOf(objects).find(({ component }) => component === service);
      const requests = pod?.containers[0]?.resources?.requests;
      const scaler = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler');
      const percent = Number(/"averageUtilization":(\d+)/.exec(JSON.stringify(scaler))?.[1]);
      expect(Number.parseInt(requests?.['memory'] ?? '')).toBeGreaterThanOrEqual(used.memory);
      expect((Number.parseInt(requests?.['cpu'] ?? '') * percent) / 100).toBeGreaterThanOrEqual(4 * used.cpu);
    },
  );
});
