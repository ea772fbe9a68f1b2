import { describe, expect, test } from '@jest/globals';
import { podsOf } from './testing/kubernetes-object.ts';
import { rendered, VALUE_SETS } from './testing/rendered.ts';
import { sourceOf } from './testing/sources.ts';

const REGISTRY = 'registry.example.com/mirror';

const imagesWith = async (set: string, values: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
  const pods = podsOf(await rendered({ set, values }));
  return [...new Set(pods.flatMap(({ containers }) => containers.map(({ image }) => image)))].toSorted();
};

describe.each(VALUE_SETS)('with the values %s', (set) => {
  test('`global.imageRegistry` stands before every image, but where the values name another', async () => {
    const images = await imagesWith(set, { 'global.imageRegistry': `${REGISTRY}/` });
    const own = set === 'restricted' ? 'registry.example.com/paging/' : `${REGISTRY}/`;
    expect(images.length).toBeGreaterThanOrEqual(7);
    expect(images.filter((image) => !image.startsWith(own))).toEqual([]);
  });

  test('`global.imagePullSecrets` reach every pod, as names and as objects', async () => {
    const values = {
      'global.imagePullSecrets': ['one', { name: 'two' }],
      'image.pullSecrets': [{ name: 'two' }, { name: 'three' }],
    };
    const pods = podsOf(await rendered({ set, values }));
    const expected = [{ name: 'one' }, { name: 'two' }, { name: 'three' }];
    for (const { owner, spec } of pods) expect([owner, spec.imagePullSecrets]).toEqual([owner, expected]);
  });
});

test('an image of the demo that names its registry keeps it', async () => {
  const image = `localhost:5000/kafka@sha256:${'1'.repeat(64)}`;
  const images = await imagesWith('demo', { 'global.imageRegistry': REGISTRY, 'demo.kafka.image': image });
  expect(images).toContain(image);
});

test('the tag of the images is the version, unless the values name one', async () => {
  const { version } = JSON.parse(sourceOf('package.json')) as { readonly version: string };
  const services = (await imagesWith('minimal', {})).filter((image) => image.startsWith('tocsin-'));
  expect(services.length).toBe(7);
  expect(services.filter((image) => !image.endsWith(`:${version}`))).toEqual([]);
});

test('the mailbox of the demo has no image of its own, so that no user has to bring one', async () => {
  const mailbox = podsOf(await rendered({ set: 'demo' })).find(({ component }) => component === 'demo-mailbox');
  expect(mailbox?.containers.map(({ image }) => image)).toEqual([expect.stringMatching(/^tocsin-alert-ingest:/)]);
});

test('the operator is asked for a MongoDB that is not older than the least version', async () => {
  const { mongo } = JSON.parse(sourceOf('deploy/least-versions.json')) as {
    readonly mongo: { readonly least: Readonly<Record<string, string>> };
  };
  const asked = (await rendered({ set: 'operators' })).find(({ kind }) => kind === 'MongoDBCommunity');
  const [major = '', minor, patch] = /"version":"([\d.]+)"/.exec(JSON.stringify(asked))?.[1]?.split('.') ?? [];
  const [, leastMinor, leastPatch] = mongo.least[major]?.split('.') ?? [];
  expect(Number(minor)).toBe(Number(leastMinor));
  expect(Number(patch)).toBeGreaterThanOrEqual(Number(leastPatch));
});
