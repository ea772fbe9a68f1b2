import { beforeAll, describe, expect, test } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { call, documentedCalls } from './testing/calls.ts';
import { podsOf, selects, type KubernetesObject, type Pod } from './testing/kubernetes-object.ts';
import { Reach } from './testing/reach.ts';
import { rendered, VALUE_SETS } from './testing/rendered.ts';

const HTTP = 3_000;
const ADMIN = 9_000;
const WITH_DATABASE = SERVICES.filter((service) => service !== 'gateway');

let objects: readonly KubernetesObject[];
let pods: readonly Pod[];
let reach: Reach;

async function render(set: string, values: Readonly<Record<string, unknown>> = {}): Promise<void> {
  objects = await rendered({ set, values: { ...values, 'networkPolicy.enabled': true } });
  pods = podsOf(objects);
  reach = new Reach(objects);
}

const pod = (component: string): Pod => {
  const found = pods.find((one) => one.component === component);
  if (found === undefined) throw new Error(`There is no pod of ${component}.`);
  return found;
};

/** Every way between two different pods of the release to a port. */
function ways(port: number, among: readonly string[] = pods.map(({ component }) => component)): readonly string[] {
  return among
    .flatMap((from) => among.filter((to) => to !== from).map((to) => [from, to] as const))
    .filter(([from, to]) => reach.between(pod(from), pod(to), port))
    .map(([from, to]) => call(from, to))
    .toSorted();
}

describe.each(VALUE_SETS)('with the values %s and policies', (set) => {
  beforeAll(async () => {
    await render(set);
  });

  test('every pod is closed in both directions but for what a policy opens', () => {
    const open = pods.filter(
      ({ labels }) =>
        !reach.policies.some(
          ({ podSelector, policyTypes, ingress }) =>
            selects(podSelector, labels) && policyTypes.length === 2 && ingress.length === 0,
        ),
    );
    expect(open.map(({ owner }) => owner)).toEqual([]);
  });

  test('every policy is about a pod that there is', () => {
    const about = (selector: Parameters<typeof selects>[0]): boolean =>
      pods.some(({ labels }) => selects(selector, labels));
    expect(reach.policies.filter(({ podSelector }) => !about(podSelector)).map(({ name }) => name)).toEqual([]);
  });

  test('every pod finds names of hosts', () => {
    expect(pods.filter((one) => !reach.outwards(one, 53)).map(({ owner }) => owner)).toEqual([]);
  });

  test('no client outside reaches a pod but the gateway and, where mail is taken, alert-ingest', () => {
    const inside = pods.filter(({ component }) => component !== 'gateway');
    expect(inside.filter((one) => reach.inwards(one, HTTP)).map(({ owner }) => owner)).toEqual([]);
    expect(pods.filter((one) => reach.inwards(one, ADMIN)).map(({ owner }) => owner)).toEqual([]);
    const takesMail = JSON.stringify(objects).includes('"SMTP_PORT"');
    expect(pods.filter((one) => reach.inwards(one, 2_525)).map(({ component }) => component)).toEqual(
      takesMail ? ['alert-ingest'] : [],
    );
  });
});

test('exactly the documented calls get through', async () => {
  await render('minimal', { 'helmTest.enabled': false });
  expect(documentedCalls().length).toBeGreaterThan(15);
  expect(ways(HTTP, SERVICES)).toEqual(documentedCalls());
});

describe('in the demo', () => {
  beforeAll(async () => {
    await render('demo');
  });

  test('the gateway is called by the test and by the Job that makes the people, too', () => {
    const callers = ways(HTTP).filter((way) => way.endsWith('-> gateway'));
    expect(callers).toEqual(
      ['heartbeat-monitor', 'demo-data', 'helm-test'].map((from) => call(from, 'gateway')).toSorted(),
    );
  });

  test('services and the Job that prepares for them reach Kafka, no other pod does', () => {
    expect(ways(9_092)).toEqual([...SERVICES, 'prepare'].map((from) => call(from, 'demo-kafka')).toSorted());
  });

  test('those with a database reach MongoDB', () => {
    expect(ways(27_017)).toEqual([...WITH_DATABASE, 'prepare'].map((from) => call(from, 'demo-mongodb')).toSorted());
  });

  test('the notifier alone hands mails to the mailbox', () => {
    expect(ways(1_025)).toEqual([call('notifier', 'demo-mailbox')]);
  });

  test('an engine reaches itself by the name of its Service', () => {
    expect(reach.between(pod('demo-mongodb'), pod('demo-mongodb'), 27_017)).toBe(true);
    expect(reach.between(pod('demo-kafka'), pod('demo-kafka'), 9_092)).toBe(true);
  });

  test('nothing of it calls a host outside', () => {
    expect(pods.filter((one) => [25, 443, 587, 9_092, 27_017].some((port) => reach.outwards(one, port)))).toEqual([]);
  });
});

test('providers of messages are reached by the notifier alone, unless they are switched off', async () => {
  const reaching = (): readonly string[] =>
    pods.filter((one) => reach.outwards(one, 8_443)).map(({ component }) => component);
  await render('external-tls-sasl', { 'networkPolicy.egress.providers': { ports: [8_443] } });
  expect(reaching()).toEqual(['notifier']);
  await render('external-tls-sasl', { 'networkPolicy.egress.providers': { enabled: false, ports: [8_443] } });
  expect(reaching()).toEqual([]);
});

test('Amazon SNS is reached by alert-ingest alone, and only where the values ask for it', async () => {
  const reaching = async (enabled: boolean): Promise<readonly string[]> => {
    await render('minimal', { 'networkPolicy.egress.amazonSns': { enabled, ports: [8_443] } });
    return pods.filter((one) => reach.outwards(one, 8_443)).map(({ component }) => component);
  };
  expect(await reaching(true)).toEqual(['alert-ingest']);
  expect(await reaching(false)).toEqual([]);
});

test('an OpenID provider is reached by directory, where the values name one', async () => {
  const openid = {
    issuer: 'https://login.example.com',
    clientId: 'tocsin',
    existingSecret: 'openid',
    domains: ['a.com'],
  };
  await render('demo', { openid });
  const reaching = pods.filter((one) => reach.outwards(one, 443)).map(({ component }) => component);
  expect(reaching.toSorted()).toEqual(['directory', 'notifier']);
});

test('in the demo providers of messages are reached where the values name any', async () => {
  await render('demo', { 'sms.providers': ['twilio'], twilio: { existingSecret: 'twilio', from: '+15550100' } });
  expect(pods.filter((one) => reach.outwards(one, 443)).map(({ component }) => component)).toEqual(['notifier']);
});

test('policies are there without being asked for', async () => {
  const kinds = (await rendered({ set: 'minimal' })).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'NetworkPolicy')).toHaveLength(10);
});

test('the hook that prepares has its ways before it, in a namespace that lets nothing through', async () => {
  const all = await rendered({ set: 'minimal' });
  const hooks = all.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']?.includes('pre-install'));
  const weightOf = (kind: string): number =>
    Number(hooks.find((hook) => hook.kind === kind)?.metadata.annotations?.['helm.sh/hook-weight']);
  expect(weightOf('NetworkPolicy')).toBeLessThan(weightOf('Job'));

  const closed = { podSelector: {}, policyTypes: ['Ingress', 'Egress'] };
  const deny = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'deny' }, spec: closed };
  const before = new Reach([deny as KubernetesObject, ...hooks]);
  const [preparing] = podsOf(hooks);
  if (preparing === undefined) throw new Error('There is no hook.');
  expect([53, 9_092, 27_017].filter((port) => !before.outwards(preparing, port))).toEqual([]);
});

describe('with Kafka, MongoDB and a mail server outside the chart', () => {
  beforeAll(async () => {
    await render('external-tls-sasl');
  });
  const reaching = (port: number): readonly string[] =>
    pods.filter((one) => reach.outwards(one, port)).map(({ component }) => component);

  test('each is reached by who needs it, at its port', () => {
    expect(reaching(9_094).toSorted()).toEqual([...SERVICES, 'prepare'].toSorted());
    expect(reaching(27_017).toSorted()).toEqual([...WITH_DATABASE, 'prepare'].toSorted());
    expect(reaching(465)).toEqual(['notifier']);
  });

  test('no other port is', () => {
    expect([80, 9_092, 4_318].flatMap(reaching)).toEqual([]);
    expect(reaching(443)).toEqual(['notifier']);
  });
});
