import { describe, expect, it } from '@jest/globals';
import { batchOf, useEngines } from '../testing/engine-fixture.ts';

const engineFixture = useEngines();

const FIRST = `00-${'a'.repeat(32)}-${'1'.repeat(16)}-01`;
const SECOND = `00-${'b'.repeat(32)}-${'2'.repeat(16)}-01`;
const LATER = `00-${'c'.repeat(32)}-${'3'.repeat(16)}-01`;

async function tracedEngine() {
  const hasStarted: (readonly [string, string, string])[] = [];
  const ended: string[] = [];
  const fixture = await engineFixture(
    {},
    {
      beginTrace: (name, asked, alertId) => {
        hasStarted.push([name, asked, alertId]);
        return { trace: LATER, end: () => ended.push(asked) };
      },
    },
  );
  return { ...fixture, hasStarted, ended };
}

describe('the trace of an escalation state', () => {
  it('is that of the event that began it for the user who is paged at once, and linked to it for the user who is paged later', async () => {
    const { advance, hasStarted, ended, receiveEvents, published } = await tracedEngine();
    await receiveEvents(batchOf(0, { version: 1, facts: [], trace: FIRST }));
    expect(published.pages.map(({ trace }) => trace)).toEqual([FIRST]);
    expect(hasStarted).toEqual([]);
    await advance(5);
    expect(published.pages.map(({ trace }) => trace)).toEqual([FIRST, LATER]);
    expect(hasStarted).toEqual([['fire rule', FIRST, 'a1']]);
    expect(ended).toEqual([FIRST]);
  });

  it('stays while an event pages no user, and is another one with another cycle', async () => {
    const { advance, hasStarted, receiveEvents, published } = await tracedEngine();
    await receiveEvents(batchOf(0, { version: 1, facts: [], trace: FIRST }));
    await receiveEvents(batchOf(1, { version: 2, facts: [], trace: SECOND }, { priority: 'P1' }));
    await advance(5);
    expect(hasStarted.map(([, asked]) => asked)).toEqual([FIRST]);
    await receiveEvents(batchOf(2, { version: 3, facts: [], trace: SECOND }, { cycle: 2 }));
    expect(published.pages.map(({ trace }) => trace)).toContain(SECOND);
  });

  it('is none in any page where its events have none', async () => {
    const { advance, hasStarted, receiveEvents, published } = await tracedEngine();
    await receiveEvents(batchOf(0, { version: 1, facts: [] }));
    await advance(5);
    expect(published.pages).toHaveLength(2);
    for (const page of published.pages) expect(page).not.toHaveProperty('trace');
    expect(hasStarted).toEqual([]);
  });
});
