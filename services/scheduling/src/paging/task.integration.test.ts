import { describe, expect, it } from '@jest/globals';
import { collectionOf } from '@tocsin/mongo';
import { docsExamined, sentFinds } from '@tocsin/testkit';
import { useEngines } from '../testing/engine-fixture.ts';
import { start } from '../testing/open-engine.ts';
import { ESCALATION_STATES } from './store.ts';
import { escalationAudit } from './task.ts';

const minute = (minutes: number, seconds = 0): Date => new Date(start.getTime() + minutes * 60_000 + seconds * 1_000);

const engineFixture = useEngines();

/** An alert has paged ada; grace follows after five minutes. */
async function paging() {
  const fixture = await engineFixture();
  await fixture.receive(1);
  return { ...fixture, audit: escalationAudit(fixture.store) };
}

describe('the audit of escalation states', () => {
  it('finds an escalation state of which a rule is due for half a minute, until that fires', async () => {
    const { advance, audit } = await paging();
    expect(await audit.look(minute(5, 29))).toEqual([]);
    expect(await audit.look(minute(5, 30))).toMatchObject([{ id: 'a1' }]);
    await advance(5.5);
    expect(await audit.look(minute(15))).toEqual([]);
  });

  it('removes an escalation state whose alert is closed', async () => {
    const { audit, clock, receive, store } = await paging();
    expect(await store.countOpen()).toBe(1);
    clock.moveTo(minute(1));
    await receive(2, { status: 'closed' });
    expect(await audit.look(minute(60))).toEqual([]);
    expect(await store.countOpen()).toBe(0);
  });

  it('reads only the escalation states that are overdue', async () => {
    const { audit, connection } = await paging();
    const waiting = Array.from({ length: 500 }, (_, n) => ({ _id: `waits ${n}`, nextDueAt: minute(600) }));
    await collectionOf<{ readonly _id: string }>(connection, ESCALATION_STATES).insertMany(waiting);
    const finds = sentFinds(connection.getClient(), ESCALATION_STATES);
    expect(await audit.look(minute(60))).toHaveLength(1);
    expect(await Promise.all(finds.map((find) => docsExamined(connection, find)))).toEqual([1]);
  });
});
