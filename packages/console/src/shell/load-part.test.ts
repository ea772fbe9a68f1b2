import { beforeEach, describe, expect, test } from '@jest/globals';
import { type BuildState, loadPart } from './load-part.ts';
import { newVersionStore } from './new-version.ts';

const failed = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

/** A page on a server in a state, which notes whether it reloads. */
function page(build: BuildState, canReload = true) {
  const reloads: BuildState[] = [];
  return {
    reloads,
    readBuild: () => Promise.resolve(build),
    reload: () => {
      if (canReload) reloads.push(build);
      return canReload;
    },
  };
}

beforeEach(() => {
  newVersionStore.set(false);
});

describe('a part of the page that cannot be loaded', () => {
  test('While the server cannot be reached the page says so and never reloads.', async () => {
    const here = page('unknown');

    await expect(loadPart(failed, here)).rejects.toMatchObject({ failure: 'offline' });
    expect(here.reloads).toEqual([]);
    expect(newVersionStore.get()).toBe(false);
  });

  test('It is loaded again where the server has it.', async () => {
    const results = [failed, () => Promise.resolve('part')];

    await expect(loadPart(() => (results.shift() ?? failed)(), page('served', false))).resolves.toBe('part');
  });

  test('Where that fails too and a reload would lose input, the failure stands.', async () => {
    await expect(loadPart(failed, page('served', false))).rejects.toThrow('dynamically imported module');
    expect(newVersionStore.get()).toBe(false);
  });

  test('Where it is gone and a reload would lose input, the page says that there is a newer version.', async () => {
    await expect(loadPart(failed, page('gone', false))).rejects.toMatchObject({ name: 'NewVersionError' });
    expect(newVersionStore.get()).toBe(true);
  });

  test.each(['gone', 'served'] as const)(
    'A page on a server that has it %s reloads, and shows no failure.',
    async (build) => {
      const here = page(build);
      const settled = loadPart(failed, here).then(String, String);

      await expect(Promise.race([settled, turns(10)])).resolves.toBe('not settled');
      expect(here.reloads).toEqual([build]);
    },
  );
});

/** Resolves when all that can settle by now has settled. */
async function turns(count: number): Promise<string> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
  return 'not settled';
}
