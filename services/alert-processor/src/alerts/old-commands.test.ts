import { describe, expect, it } from '@jest/globals';
import { byAlias, byId, close, create } from '../testing/commands-samples.ts';
import { after, EMPTY, CONTEXT, only, apply } from '../testing/apply-samples.ts';

const THEN = '2026-01-05T08:00:00.000Z';
/** When the request statuses are gone. */
const LATER = { ...CONTEXT, processedAt: new Date('2026-01-21T08:00:00.000Z') };
const JUST = { ...CONTEXT, processedAt: new Date('2026-01-19T08:00:00.000Z') };
const TODAY = '2026-01-21T07:00:00.000Z';

describe('a command that is redelivered when its status is gone', () => {
  const open = create('disk', { at: TODAY });
  const stored = { ...after(EMPTY, apply([open], EMPTY, LATER)), processed: new Set<string>() };

  it.each([
    ['a close by alias', close(byAlias('disk'), { at: THEN })],
    ['a close by id', close(byId(open.alert.alertId), { at: THEN })],
    ['a create', create('disk', { at: THEN })],
    ['a create of another alias', create('fan', { at: THEN })],
  ])('changes nothing, and its status says that it is too old: %s', (_, command) => {
    const changes = apply([command], stored, LATER);
    expect(changes).toMatchObject({
      inserted: [],
      updated: [],
      deleted: [],
      logs: [],
      notes: [],
      events: [],
    });
    expect(only(changes.statuses)).toMatchObject({
      requestId: command.requestId,
      success: false,
      alertId: '',
      alias: '',
      status: 'Too old: it was accepted more than 14 days ago',
    });
  });

  it('is processed as usual while Kafka may still keep it', () => {
    const today = after(EMPTY, apply([create('disk', { at: THEN })]));
    expect(only(apply([close(byAlias('disk'), { at: THEN })], today, JUST).updated)).toMatchObject({
      status: 'closed',
    });
  });

  it('is processed as usual if its dead letter was redriven', () => {
    const command = close(byAlias('disk'), { at: THEN });
    const changes = apply([command], { ...stored, deadLetters: new Set([command.requestId]) }, LATER);
    expect(only(changes.updated)).toMatchObject({ status: 'closed' });
  });
});
