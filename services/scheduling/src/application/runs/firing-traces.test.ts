import { describe, expect, it } from '@jest/globals';
import { batchOf, engineFixture } from '../../testing/engine-fixture.ts';

const FIRST = `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01`;
const SECOND = `00-${'b'.repeat(32)}-${'2'.repeat(16)}-01`;
const LATER = `00-${'c'.repeat(32)}-${'3'.repeat(16)}-01`;

async function tracedEngine() {
  const begun: (readonly [string, string, string])[] = [];
  const ended: string[] = [];
  const fixture = await engineFixture({}, (name, asked, alertId) => {
    begun.push([name, asked, alertId]);
    return { trace: LATER, end: () => ended.push(asked) };
  });
  return { ...fixture, begun, ended };
}

describe('the trace of a run', () => {
  it('is that of the event that began it for whoever is paged at once, and linked to it for whoever is paged later', async () => {
    const { advance, begun, ended, engine, store } = await tracedEngine();
    await engine.settleEvents(batchOf(0, { version: 1, facts: [], trace: FIRST }));
    expect(store.pages.map(({ trace }) => trace)).toEqual([FIRST]);
    expect(begun).toEqual([]);
    await advance(5);
    expect(store.pages.map(({ trace }) => trace)).toEqual([FIRST, LATER]);
    expect(begun).toEqual([['fire rule', FIRST, 'a1']]);
    expect(ended).toEqual([FIRST]);
  });

  it('stays while an event pages nobody, and is another one with another cycle', async () => {
    const { advance, begun, engine, store } = await tracedEngine();
    await engine.settleEvents(batchOf(0, { version: 1, facts: [], trace: FIRST }));
    await engine.settleEvents(batchOf(1, { version: 2, facts: [], trace: SECOND }, { priority: 'P1' }));
    await advance(5);
    expect(begun.map(([, asked]) => asked)).toEqual([FIRST]);
    await engine.settleEvents(batchOf(2, { version: 3, facts: [], trace: SECOND }, { cycle: 2 }));
    expect(store.pages.map(({ trace }) => trace)).toContain(SECOND);
  });

  it('is none in any page where its events have none', async () => {
    const { advance, begun, engine, store } = await tracedEngine();
    await engine.settleEvents(batchOf(0, { version: 1, facts: [] }));
    await advance(5);
    expect(store.pages).toHaveLength(2);
    for (const page of store.pages) expect(page).not.toHaveProperty('trace');
    expect(begun).toEqual([]);
  });
});
