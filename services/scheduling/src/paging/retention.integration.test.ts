import { describe, expect, it } from '@jest/globals';
import { batchOf, useEngines, type EngineFixture } from '../testing/engine-fixture.ts';

const engineFixture = useEngines();

const DAY_MINUTES = 24 * 60;

/** As the sweep does when runs are kept for 30 days. */
const sweep = ({ clock, store }: EngineFixture) =>
  store.removeEnded(new Date(clock.now().getTime() - 30 * DAY_MINUTES * 60_000));

describe('the retention of escalation states', () => {
  it('keeps the escalation state of an open alert, however old it is, and one whose events Kafka may still deliver', async () => {
    const fixture = await engineFixture();
    await fixture.receive(1);
    await fixture.advance(365 * DAY_MINUTES);
    await sweep(fixture);
    await fixture.receive(2, { status: 'closed' });
    await fixture.advance(29 * DAY_MINUTES);
    await sweep(fixture);
    const paged = fixture.paged();
    await fixture.receiveEvents(batchOf(2, { version: 1, facts: [] }));
    expect(fixture.paged()).toEqual(paged);
  });

  it('ignores an event of a closed alert after its escalation state was removed', async () => {
    const fixture = await engineFixture();
    await fixture.receive(1);
    await fixture.receive(2, { status: 'closed' });
    const paged = fixture.paged();
    await fixture.advance(30 * DAY_MINUTES);
    await sweep(fixture);
    expect(await fixture.state()).toBeUndefined();
    await fixture.receive(3, { status: 'closed', tags: ['late'] });
    await fixture.advance(60);
    expect(fixture.paged()).toEqual(paged);
    expect(await fixture.dueWork.earliest()).toBeUndefined();
  });
});
