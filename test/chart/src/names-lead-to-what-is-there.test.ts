import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  podsOf,
  selects,
  type KubernetesObject,
  type Labels,
  type Pod,
  type Selector,
  type ServicePort,
} from './testing/kubernetes-object.ts';
import { NAMESPACE, rendered, VALUE_SETS } from './testing/rendered.ts';

/** Settings that lead out of the release. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'CALLBACK_URL',
  'GOTIFY_URL',
  'MATTERMOST_URL',
  'PUBLIC_URL',
  'PUSHOVER_URL',
  'PUSH_URL',
  'SLACK_URL',
  'SMTP_URL',
  'TWILIO_API_URL',
]);

describe.each(VALUE_SETS)('with the values %s', (set) => {
  let objects: readonly KubernetesObject[];
  let pods: readonly Pod[];
  const ofKind = (kind: string): readonly KubernetesObject[] => objects.filter((object) => object.kind === kind);
  const names = (kind: string): readonly string[] => ofKind(kind).map(({ metadata }) => metadata.name);

  beforeAll(async () => {
    objects = await rendered({ set });
    pods = podsOf(objects);
  });

  test('every object is the only one of its kind and name, and in the namespace of the release', () => {
    const all = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
    const elsewhere = objects.filter(({ metadata }) => (metadata.namespace ?? NAMESPACE) !== NAMESPACE);
    expect(elsewhere.map(({ metadata }) => metadata.name)).toEqual([]);
  });

  test('every URL in the settings of services is that of a Service with this port', () => {
    const urls = ofKind('ConfigMap').flatMap(({ data = {} }) =>
      Object.entries(data)
        .filter(([name]) => /^[A-Z_]+_URL$/.test(name) && !OUTSIDE.has(name))
        .map(([, value]) => value),
    );
    const known = ofKind('Service').flatMap(({ metadata, spec }) =>
      (spec.ports ?? []).map(({ port }) => `http://${metadata.name}:${port}`),
    );
    expect(urls.length).toBeGreaterThan(40);
    expect(urls.filter((url) => !known.includes(url))).toEqual([]);
  });

  test('every Service leads to pods, at a port that they have', () => {
    const astray = ofKind('Service').filter(({ spec }) => {
      const behind = pods.filter(({ labels }) => selects({ matchLabels: spec.selector as Labels }, labels));
      const has = ({ targetPort }: ServicePort): boolean =>
        behind.some(({ containers }) =>
          containers.some(({ ports = [] }) =>
            ports.some(({ name, containerPort }) => [name, containerPort].includes(targetPort)),
          ),
        );
      return !(spec.ports ?? []).every(has);
    });
    expect(astray.map(({ metadata }) => metadata.name)).toEqual([]);
  });

  test('every budget, scaler and way in is of something that is there', () => {
    const scaled = [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')];
    expect(scaled.filter(({ spec }) => !names('Deployment').includes(spec.scaleTargetRef?.name ?? ''))).toEqual([]);
    const budgets = ofKind('PodDisruptionBudget');
    expect(
      budgets.filter(({ spec }) => !pods.some(({ labels }) => selects(spec.selector as Selector, labels))),
    ).toEqual([]);
    const text = JSON.stringify([...ofKind('Ingress'), ...ofKind('HTTPRoute')]);
    const backends = [
      ...text.matchAll(/"service":\{"name":"([^"]+)"/g),
      ...text.matchAll(/"backendRefs":\[\{"name":"([^"]+)"/g),
    ].map(([, name = '']) => name);
    expect(backends.filter((name) => !names('Service').includes(name))).toEqual([]);
  });

  test('every ConfigMap and account that a pod of the release names is there, or was there before it', () => {
    const missing = pods.flatMap(({ owner, spec, containers }) => {
      const maps = [
        ...containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef?.name)),
        ...(spec.volumes ?? []).map(({ configMap }) => configMap?.name),
      ].filter((name) => name !== undefined);
      return maps.filter((name) => !names('ConfigMap').includes(name)).map((name) => `${owner}: ${name}`);
    });
    expect(missing).toEqual([]);
    if (names('ServiceAccount').length === 0) return;
    expect(pods.filter(({ spec }) => !names('ServiceAccount').includes(spec.serviceAccountName ?? ''))).toEqual([]);
  });
});

test('every alert links to the runbook where it is', async () => {
  const rules = (await rendered({ set: 'everything' })).filter(({ kind }) => kind === 'PrometheusRule');
  const text = JSON.stringify(rules);
  const links = [...text.matchAll(/"runbook_url":"([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toHaveLength([...text.matchAll(/"alert":/g)].length);
  expect(links).toContain('https://wiki.example.com/tocsin#tocsinwatchdog');
  expect(links.filter((link) => !link.startsWith('https://wiki.example.com/tocsin#'))).toEqual([]);
});

test('what is rendered does not change from one time to the next', async () => {
  expect(await rendered({ set: 'everything' })).toEqual(await rendered({ set: 'everything' }));
});
