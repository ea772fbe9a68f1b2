import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { podsOf, type Container, type KubernetesObject, type Pod, type Probe } from './testing/kubernetes-object.ts';
import { rendered, VALUE_SETS } from './testing/rendered.ts';
import { quoted, sourceOf, tableAfter } from './testing/sources.ts';

/** Words in the names of settings that hold something secret. */
const SECRET = /PASSWORD|SECRET|TOKEN|_KEY$|_URI$|API_KEY/;
/** The gateway has no database, and no setting of one. */
const NO_SECRET = 'mongodb://none.invalid';

/** The requirements of the profile `restricted` of Kubernetes for a container. */
const RESTRICTED = {
  allowPrivilegeEscalation: false,
  drop: ['ALL'],
  privileged: false,
  runAsNonRoot: true,
  type: 'RuntimeDefault',
};

/** The variables that Node reads by itself. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS'];

/** The settings of a service by docs/operations.md. */
function settingsOf(service: string): ReadonlySet<string> {
  const page = sourceOf('docs/operations.md');
  const common = tableAfter(page, '## Settings of every service').flatMap(([names]) => quoted(names));
  const own = ['## Settings of single services', '### Settings of text messages, calls and pushes']
    .flatMap((heading) => tableAfter(page, heading))
    .filter(([, services = '']) => services.split(', ').includes(service))
    .flatMap(([names]) => quoted(names));
  const elsewhere = /^`ACCOUNT_NAME` .*/m.exec(page)?.[0].includes(`(${service})`) === true ? ['ACCOUNT_NAME'] : [];
  return new Set([...common, ...own, ...elsewhere, ...OF_NODE]);
}

/** A line for each container of which `problem` says something. */
function containersWith(
  pods: readonly Pod[],
  problem: (container: Container, pod: Pod) => string | undefined,
): string[] {
  return pods.flatMap((pod) =>
    pod.containers.flatMap((container) => {
      const found = problem(container, pod);
      return found === undefined ? [] : [`${pod.owner}, ${container.name}: ${found}`];
    }),
  );
}

describe.each(VALUE_SETS)('with the values %s', (set) => {
  let objects: readonly KubernetesObject[];
  let pods: readonly Pod[];
  let services: readonly Pod[];

  beforeAll(async () => {
    objects = await rendered({ set });
    pods = podsOf(objects);
    services = pods.filter(({ component }) => SERVICES.some((service) => service === component));
  });

  test('the seven services and a Job that prepares for them are there', () => {
    expect(services.map(({ component }) => component).toSorted()).toEqual(SERVICES.toSorted());
    expect(pods.filter(({ component }) => component === 'prepare')).toHaveLength(1);
  });

  test('every container asks for CPU and memory, and has an end to its memory', () => {
    const without = containersWith(pods, ({ resources }) => {
      const said = [resources?.requests?.['cpu'], resources?.requests?.['memory'], resources?.limits?.['memory']];
      return said.every(Boolean) ? undefined : JSON.stringify(resources);
    });
    expect(without).toEqual([]);
  });

  test('gateway and alert-ingest, which accept, ask for at least as much CPU as each other service', () => {
    const cpuOf = ({ containers }: Pod): number => Number.parseInt(containers[0]?.resources?.requests?.['cpu'] ?? '');
    const accepts = ({ component }: Pod): boolean => component === 'gateway' || component === 'alert-ingest';
    const accepting = services.filter(accepts).map(cpuOf);
    const others = services.filter((pod) => !accepts(pod)).map(cpuOf);
    expect(Math.min(...accepting)).toBeGreaterThanOrEqual(Math.max(...others));
  });

  test('every service has a startup, a live and a ready probe', () => {
    const without = containersWith(services, ({ startupProbe, livenessProbe, readinessProbe }) =>
      startupProbe && livenessProbe && readinessProbe ? undefined : 'a probe is missing',
    );
    expect(without).toEqual([]);
  });

  test('a ready probe looks whether a service can work, a live probe only whether it turns', () => {
    const path = (probe: Probe | undefined): string | undefined => probe?.httpGet?.path;
    const wrong = containersWith(services, ({ startupProbe, livenessProbe, readinessProbe }) => {
      const paths = [startupProbe, livenessProbe, readinessProbe].map(path);
      return paths.join(' ') === '/livez /livez /readyz' ? undefined : paths.join(' ');
    });
    expect(wrong).toEqual([]);
  });

  test('every pod fits the profile `restricted` of Kubernetes', () => {
    const wrong = containersWith(pods, ({ securityContext: own = {} }, { spec: { securityContext: shared = {} } }) => {
      const { allowPrivilegeEscalation, capabilities, privileged = false } = own;
      const { runAsNonRoot, seccompProfile } = { ...shared, ...own };
      const found = { allowPrivilegeEscalation, drop: capabilities?.drop, privileged, runAsNonRoot, ...seccompProfile };
      return isDeepStrictEqual(found, RESTRICTED) ? undefined : JSON.stringify(found);
    });
    expect(wrong).toEqual([]);
    const shared = pods.filter(({ spec }) => [spec.hostNetwork, spec.hostPID, spec.hostIPC].includes(true));
    expect(shared.map(({ owner }) => owner)).toEqual([]);
    const volumes = pods.flatMap(({ spec }) => spec.volumes ?? []);
    expect(volumes.filter(({ hostPath }) => hostPath !== undefined)).toEqual([]);
  });

  test('only engines of the demo write beside their data', () => {
    const writing = containersWith(pods, ({ securityContext }, { component }) =>
      securityContext?.readOnlyRootFilesystem === true || ['demo-kafka', 'demo-mongodb'].includes(component)
        ? undefined
        : 'its root can be written',
    );
    expect(writing).toEqual([]);
  });

  test('no pod has a token for the API of Kubernetes', () => {
    expect(pods.filter(({ spec }) => spec.automountServiceAccountToken !== false).map(({ owner }) => owner)).toEqual(
      [],
    );
  });

  test('every image is one release and no other', () => {
    const loose = containersWith(pods, ({ image }) =>
      /(:(?!latest$)[^/]+|@sha256:.+)$/.test(image) ? undefined : image,
    );
    expect(loose).toEqual([]);
  });

  test('no secret stands where it can be read without the right to read Secrets', () => {
    const isSecret = (name: string, value: unknown): boolean =>
      typeof value === 'string' && value !== NO_SECRET && (SECRET.test(name) || /:\/\/[^/]*:[^/]*@/.test(value));
    const inPods = containersWith(pods, ({ env = [] }) => env.find(({ name, value }) => isSecret(name, value))?.name);
    const inMaps = objects
      .filter(({ kind }) => kind === 'ConfigMap')
      .flatMap(({ data = {} }) => Object.entries(data).filter(([name, value]) => isSecret(name, value)));
    expect([...inPods, ...inMaps]).toEqual([]);
  });

  test('a service gets only what it has a setting for', () => {
    const maps = new Map(
      objects.filter(({ kind }) => kind === 'ConfigMap').map((map) => [map.metadata.name, map.data ?? {}]),
    );
    const unknown = containersWith(services, ({ env = [], envFrom = [] }, { component }) => {
      const found = envFrom.flatMap(({ configMapRef }) => Object.keys(maps.get(configMapRef?.name ?? '') ?? {}));
      const settings = settingsOf(component);
      const strange = [...found, ...env.map(({ name }) => name)].filter((name) => !settings.has(name));
      return strange.length === 0 ? undefined : strange.join(', ');
    });
    expect(unknown).toEqual([]);
  });

  test('every service knows itself by the name of its pod', () => {
    const nameless = containersWith(services, ({ env = [] }) =>
      JSON.stringify(env.find(({ name }) => name === 'INSTANCE')?.valueFrom) ===
      '{"fieldRef":{"fieldPath":"metadata.name"}}'
        ? undefined
        : 'INSTANCE is not the name of the pod',
    );
    expect(nameless).toEqual([]);
  });
});

test('a pod that sleeps before SIGTERM has time to stop all the same', async () => {
  const values = { 'defaults.preStopSleepSeconds': 60, 'services.notifier.preStopSleepSeconds': 0 };
  const graces = new Map(
    podsOf(await rendered({ set: 'minimal', values })).map(
      ({ component, spec }) => [component, spec.terminationGracePeriodSeconds] as const,
    ),
  );
  // The values of the chart say 5 s for the gateway.
  const unchanged = ['gateway', 'notifier'];
  for (const service of SERVICES)
    expect([service, graces.get(service)]).toEqual([service, unchanged.includes(service) ? 35 : 90]);
});

test('what is secret in the values is in Secrets alone', async () => {
  const secrets = {
    'mongodb.uri': 'mongodb://tocsin:hunter2@db/?replicaSet=rs0',
    'mongodb.existingSecret': '',
    'secrets.existingSecret': '',
    'secrets.internalSigningKey': 'a-key-of-at-least-32-characters-x',
    'secrets.bootstrapApiKey': '3f6f2a52-0f3c-4b9e-9d0e-3b6f2f0a9c11',
  };
  const objects = await rendered({ set: 'minimal', values: secrets });
  const values = Object.values(secrets).filter((value) => value !== '');
  const forms = values.flatMap((value) => [value, Buffer.from(value).toString('base64')]);
  const holders = objects.filter((object) => forms.some((form) => JSON.stringify(object).includes(form)));
  expect(holders.map(({ kind }) => kind)).not.toEqual([]);
  // The hook that prepares the database has one of its own: it runs before all other objects are there.
  expect(new Set(holders.map(({ kind }) => kind))).toEqual(new Set(['Secret']));
});
