import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { KubernetesObject } from './testing/kubernetes-object.ts';
import { CHART, parsed, rendered, runHelm, KUBERNETES_VERSION, VALUE_SETS } from './testing/rendered.ts';

/** The immutable fields of every object that a release of the chart has ever made. Entries are added, never changed. */
const KEPT = fileURLToPath(new URL('../immutable-fields.json', import.meta.url));
/** Values that a release took, by its version: later ones take them as well. */
const EARLIER = fileURLToPath(new URL('../earlier-values', import.meta.url));

function immutableOf({ kind, spec }: KubernetesObject): object | undefined {
  if (kind === 'Deployment') return { selector: spec.selector };
  if (kind === 'Service') return { headless: spec.clusterIP === 'None' };
  if (kind !== 'StatefulSet') return undefined;
  const { selector, serviceName, volumeClaimTemplates, podManagementPolicy = 'OrderedReady' } = spec;
  return { selector, serviceName, volumeClaimTemplates, podManagementPolicy };
}

test.each(VALUE_SETS)(
  'what cannot be changed of an object is as it was in every release, with the values %s',
  async (set) => {
    const kept = JSON.parse(fs.readFileSync(KEPT, 'utf8')) as Readonly<Record<string, Record<string, object>>>;
    const now = (await rendered({ set })).flatMap((object) => {
      const fields = immutableOf(object);
      return fields === undefined ? [] : [[`${object.kind}/${object.metadata.name}`, fields] as const];
    });
    expect(Object.fromEntries(now)).toEqual(kept[set]);
  },
);

test('a Job, which never changes, has another name wherever its pod is another', async () => {
  const nameWith = async (tag: string): Promise<string | undefined> => {
    const objects = await rendered({ set: 'demo', values: { 'image.tag': tag } });
    return objects.find(({ kind, metadata }) => kind === 'Job' && metadata.name.includes('prepare'))?.metadata.name;
  };
  expect(await nameWith('1.0.0')).toBe(await nameWith('1.0.0'));
  expect(await nameWith('1.0.0')).not.toBe(await nameWith('1.0.1'));
});

test('what prepares before an upgrade prepares before a rollback too: the pods of before wait for the indexes of before', async () => {
  const values = { 'mongodb.existingSecret': '', 'mongodb.uri': 'mongodb://db/?replicaSet=rs0' };
  const hooks = (await rendered({ set: 'minimal', values })).flatMap(({ kind, metadata }) => {
    const moments = metadata.annotations?.['helm.sh/hook'];
    return metadata.name.endsWith('-prepare') ? [[kind, moments] as const] : [];
  });
  const always = 'pre-install,pre-upgrade,pre-rollback';
  expect(Object.fromEntries(hooks)).toEqual({
    Job: always,
    NetworkPolicy: always,
    Secret: always,
    ServiceAccount: always,
  });
});

test('another release of Tocsin replaces neither the Kafka nor the MongoDB of the demo, whose only pods they have', async () => {
  const podsWith = async (tag: string): Promise<readonly unknown[]> => {
    const objects = await rendered({ set: 'demo', values: { 'image.tag': tag } });
    return objects.filter(({ kind }) => kind === 'StatefulSet').map(({ spec }) => spec.template);
  };
  expect(await podsWith('1.0.0')).toHaveLength(2);
  expect(await podsWith('1.0.1')).toEqual(await podsWith('1.0.0'));
});

test.each(fs.readdirSync(EARLIER))('the values of the release %s are still taken', async (file) => {
  const args = ['template', 'tocsin', CHART, '--kube-version', KUBERNETES_VERSION, '--values', `${EARLIER}/${file}`];
  expect(parsed(await runHelm(args)).length).toBeGreaterThan(20);
});
