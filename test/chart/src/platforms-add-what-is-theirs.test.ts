import { describe, expect, test } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { parse } from 'yaml';
import { podsOf, type KubernetesObject, type Pod } from './testing/kubernetes-object.ts';
import { CHART, KUBERNETES_VERSION, rendered, runHelm, VALUE_SETS, valuesFile } from './testing/rendered.ts';
import { sourceOf } from './testing/sources.ts';

const podsWith = async (values: Readonly<Record<string, unknown>>, set = 'minimal'): Promise<readonly Pod[]> =>
  podsOf(await rendered({ set, values }));
const servicesOf = (pods: readonly Pod[]): readonly Pod[] =>
  pods.filter(({ component }) => SERVICES.some((service) => service === component));
const settingOf = (objects: readonly KubernetesObject[], service: string, name: string): string | undefined =>
  objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === `tocsin-${service}`)?.data?.[name];

describe('every service takes', () => {
  test('volumes, which the Job that prepares has too, and containers before and beside it', async () => {
    const pods = await podsWith({
      'defaults.extraVolumes': [{ name: 'vault', emptyDir: {} }],
      'defaults.extraVolumeMounts': [{ name: 'vault', mountPath: '/vault' }],
      'defaults.extraInitContainers': [{ name: 'first', image: 'first:1' }],
      'defaults.extraContainers': [{ name: 'beside', image: 'beside:1' }],
      'defaults.podAnnotations': { 'example.com/inject': 'true' },
    });
    const mounting = pods.filter(({ containers }) => JSON.stringify(containers).includes('"mountPath":"/vault"'));
    expect(mounting.map(({ component }) => component).toSorted()).toEqual([...SERVICES, 'prepare'].toSorted());
    for (const { spec } of mounting) expect(spec.volumes?.map(({ name }) => name)).toContain('vault');
    for (const { annotations, containers } of servicesOf(pods)) {
      expect(containers.map(({ name }) => name)).toEqual(expect.arrayContaining(['first', 'beside']));
      expect(annotations['example.com/inject']).toBe('true');
    }
  });

  test('the seconds for which a new pod has to be ready', async () => {
    const objects = await rendered({ set: 'minimal', values: { 'defaults.minReadySeconds': 7 } });
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ spec }) => spec.minReadySeconds)).toEqual(deployments.map(() => 7));
  });
});

test('presets of the operator are where alert-ingest reads them', async () => {
  const objects = await rendered({ set: 'minimal', values: { 'webhookPresets.existingConfigMap': 'our-presets' } });
  const folder = settingOf(objects, 'alert-ingest', 'WEBHOOK_PRESETS_DIR');
  const reading = podsOf(objects).filter(({ spec }) => JSON.stringify(spec.volumes).includes('"our-presets"'));
  expect(reading.map(({ component }) => component)).toEqual(['alert-ingest']);
  expect(reading[0]?.containers).toMatchObject([
    { volumeMounts: expect.arrayContaining([{ name: 'presets', mountPath: folder, readOnly: true }]) },
  ]);
  const without = await rendered({ set: 'minimal' });
  expect(settingOf(without, 'alert-ingest', 'WEBHOOK_PRESETS_DIR')).toBeUndefined();
});

test('pods are replaced when a Secret changes that the chart makes, and only then', async () => {
  const keys = { 'secrets.existingSecret': '', 'secrets.internalSigningKey': 'a-key-of-at-least-32-characters-x' };
  const checksum = async (apiKey: string): Promise<readonly unknown[]> =>
    servicesOf(await podsWith({ ...keys, 'secrets.bootstrapApiKey': apiKey })).map(
      ({ annotations }) => annotations['checksum/secrets'],
    );
  const one = '3f6f2a52-0f3c-4b9e-9d0e-3b6f2f0a9c11';
  expect(await checksum(one)).toEqual(await checksum(one));
  expect(await checksum(one)).not.toEqual(await checksum(one.replace('3f', '4f')));
});

test('keys that are generated are the same in the Secret and in the checksum of all pods', async () => {
  const args = ['template', 'tocsin', CHART, '--kube-version', KUBERNETES_VERSION, '--values', valuesFile('minimal')];
  const inCluster = [
    '--api-versions',
    'authorization.k8s.io/v1/SelfSubjectAccessReview',
    '--set',
    'secrets.check=false',
  ];
  const text = await runHelm([...args, ...inCluster, '--set', 'secrets.existingSecret=']);
  expect(new Set(text.match(/checksum\/secrets: \w+/g)).size).toBe(1);
  expect(text).toMatch(/BOOTSTRAP_API_KEY: \S{40,}/);
  const [, vapid = ''] = /VAPID_PRIVATE_KEY: (\S+)/.exec(text) ?? [];
  const written = Buffer.from(vapid, 'base64').toString();
  expect(Buffer.from(written, 'base64')).toHaveLength(32);
});

test('the key of push messages to browsers is in notifier alone, which starts without it', async () => {
  const objects = await rendered({ set: 'minimal' });
  const holders = objects.filter((object) => JSON.stringify(object).includes('VAPID_PRIVATE_KEY'));
  expect(holders.map(({ metadata }) => metadata.name)).toEqual(['tocsin-notifier']);
  expect(JSON.stringify(holders)).toMatch(/"key":"VAPID_PRIVATE_KEY","optional":true/);
});

describe('addresses', () => {
  test('are those of the cluster, where nothing is said', async () => {
    const objects = await rendered({ set: 'minimal' });
    for (const field of ['ipFamilyPolicy', 'ipFamilies']) expect(JSON.stringify(objects)).not.toContain(field);
    expect(settingOf(objects, 'gateway', 'HOST')).toBe('0.0.0.0');
  });

  test('of both families are those of every Service, and services listen on all of them', async () => {
    const values = { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6', 'IPv4'] };
    const objects = await rendered({ set: 'demo', values });
    const services = objects.filter(({ kind }) => kind === 'Service');
    expect(services.length).toBeGreaterThan(8);
    for (const { spec } of services) expect(spec).toMatchObject(values);
    for (const setting of ['HOST', 'ADMIN_HOST']) expect(settingOf(objects, 'notifier', setting)).toBe('::');
  });
});

test('no class of an Ingress is taken for granted', async () => {
  const ingressWith = async (values: Readonly<Record<string, unknown>>): Promise<string> => {
    const on = { publicUrl: 'https://tocsin.example.com', 'gateway.ingress.enabled': true, ...values };
    return JSON.stringify((await rendered({ set: 'minimal', values: on })).find(({ kind }) => kind === 'Ingress'));
  };
  expect(await ingressWith({})).not.toMatch(/ingressClassName|nginx/);
  expect(await ingressWith({ 'gateway.ingress.className': 'nginx' })).toMatch(/"ingressClassName":"nginx"/);
});

describe('the demo', () => {
  test('puts the address of its port-forward into mails, unless a public one is said', async () => {
    const link = async (values: Readonly<Record<string, unknown>>): Promise<string | undefined> =>
      settingOf(await rendered({ set: 'demo', values }), 'notifier', 'PUBLIC_URL');
    expect(await link({})).toBe('http://127.0.0.1:8080');
    expect(sourceOf('charts/tocsin/templates/NOTES.txt')).toContain('port-forward service/{{ $name }}-gateway 8080:');
    expect(await link({ publicUrl: 'https://tocsin.example.com' })).toBe('https://tocsin.example.com');
  });

  test('is the only one that guesses it', async () => {
    expect(settingOf(await rendered({ set: 'minimal' }), 'notifier', 'PUBLIC_URL')).toBeUndefined();
  });
});

describe('nothing is left behind', () => {
  test('by a hook that failed: Kubernetes removes its Job, and Helm what the Job needs', async () => {
    const values = { 'mongodb.existingSecret': '', 'mongodb.uri': 'mongodb://db/?replicaSet=rs0' };
    const hooks = (await rendered({ set: 'minimal', values })).filter(({ metadata }) =>
      metadata.annotations?.['helm.sh/hook']?.includes('pre-install'),
    );
    const helpers = hooks.filter(({ kind }) => kind !== 'Job');
    expect(helpers.map(({ kind }) => kind).toSorted()).toEqual(['NetworkPolicy', 'Secret', 'ServiceAccount']);
    // Helm removes what succeeded when a later hook fails.
    for (const { metadata } of helpers)
      expect(metadata.annotations?.['helm.sh/hook-delete-policy']).toContain('hook-succeeded');
    expect(hooks.find(({ kind }) => kind === 'Job')?.spec.ttlSecondsAfterFinished).toBe(3_600);
  });

  test('and a Job of the release itself stays, so that it is not made again', async () => {
    const jobs = (await rendered({ set: 'demo' })).filter(({ kind }) => kind === 'Job');
    expect(jobs).toHaveLength(2);
    expect(jobs.filter(({ spec }) => spec.ttlSecondsAfterFinished !== undefined)).toEqual([]);
  });
});

test.each(VALUE_SETS)('with the values %s a service may take 20 s to listen without four warnings', async (set) => {
  const probes = servicesOf(await podsWith({}, set)).map(({ containers }) => containers.at(-1)?.startupProbe);
  for (const probe of probes) {
    const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = probe ?? {};
    expect(Math.ceil((20 - initialDelaySeconds) / periodSeconds)).toBeLessThanOrEqual(3);
    expect(initialDelaySeconds + periodSeconds * failureThreshold).toBeGreaterThanOrEqual(300);
  }
});

test('a catalogue of charts knows its icon, its licence and who looks after it', () => {
  const chart = parse(sourceOf('charts/tocsin/Chart.yaml')) as Readonly<Record<string, unknown>>;
  expect(chart).toMatchObject({
    icon: expect.stringMatching(/^data:image\/svg/),
    maintainers: [{ name: expect.stringMatching(/\S/) }],
    annotations: { 'artifacthub.io/license': 'Apache-2.0' },
  });
});
