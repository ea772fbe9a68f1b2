import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decisionEntries } from './consumer.ts';
import { Recipients, recipientEvent, type Recipient, type RecipientEvent } from './recipients.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 8, minute));

const paged = (minute: number, username: string, userId = `id-of-${username}`): RecipientEvent => ({
  id: `paged-${username}-${String(minute)}`,
  at: at(minute),
  kind: 'paged',
  userId,
  username,
  method: '',
});
const notified = (
  minute: number,
  username: string,
  method = 'email',
  userId = `id-of-${username}`,
): RecipientEvent => ({
  id: `notified-${username}-${String(minute)}`,
  at: at(minute),
  kind: 'notified',
  userId,
  username,
  method,
});
const acted = (minute: number, username: string, method = 'Acknowledge'): RecipientEvent => ({
  id: `acted-${username}-${String(minute)}`,
  at: at(minute),
  kind: 'acted',
  userId: undefined,
  username,
  method,
});

function rowsOf(events: readonly RecipientEvent[], most = 100): readonly Recipient[] {
  const recipients = new Recipients();
  for (const event of events) recipients.add(event);
  return recipients.rows(most);
}

describe('a recipient', () => {
  it.each([
    ['is not active while nothing was handed over', [paged(1, 'ada')], 'notactive', '', 1],
    [
      'is active once notified, by the method used last',
      [paged(1, 'ada'), notified(1, 'ada'), notified(3, 'ada', 'sms')],
      'active',
      'sms',
      3,
    ],
    [
      'stays active when paged again before they are notified again',
      [paged(1, 'ada'), notified(2, 'ada'), paged(4, 'ada')],
      'active',
      'email',
      4,
    ],
    [
      'has acted, by their last action',
      [paged(1, 'ada'), acted(2, 'Ada'), acted(3, 'ada', 'Close')],
      'action',
      'Close',
      3,
    ],
    [
      'still counts as having acted when a mail under way arrives',
      [paged(1, 'ada'), acted(2, 'ada'), notified(3, 'ada')],
      'action',
      'Acknowledge',
      3,
    ],
    [
      'must act again once the flow reaches them again',
      [paged(1, 'ada'), acted(2, 'ada'), paged(3, 'ada')],
      'notactive',
      '',
      3,
    ],
    ['is not changed by what others do', [paged(1, 'ada'), acted(2, 'grace')], 'notactive', '', 1],
  ] as const)('%s', (_, events, state, method, updated) => {
    expect(rowsOf(events)).toEqual([
      { userId: 'id-of-ada', username: 'ada', state, method, createdAt: at(1), updatedAt: at(updated) },
    ]);
  });

  it('keeps the id, and has the latest name', () => {
    expect(rowsOf([notified(2, 'ada.l', 'email', 'u1'), paged(1, 'ada', 'u1')])).toMatchObject([
      { userId: 'u1', username: 'ada.l', createdAt: at(1) },
    ]);
  });

  it('is listed in the order in which they were reached, at most as many as asked for', () => {
    const events = [paged(3, 'ada'), paged(1, 'grace'), paged(3, 'abe')];
    expect(rowsOf(events, 2).map(({ username }) => username)).toEqual(['grace', 'abe']);
  });

  it('does not depend on the order of events, nor on duplicates', () => {
    const minute = fc.nat(5);
    const name = fc.constantFrom('ada', 'grace', 'Edsger');
    const event = fc.oneof(
      fc.tuple(minute, name, fc.constantFrom('u1', 'u2', 'u3')).map((args) => paged(...args)),
      fc
        .tuple(minute, name, fc.constantFrom('email', 'sms'), fc.constantFrom('u1', 'u2', 'u3'))
        .map((args) => notified(...args)),
      fc.tuple(minute, name, fc.constantFrom('Acknowledge', 'Close')).map((args) => acted(...args)),
    );
    // One id is one event.
    const events = fc.uniqueArray(event, { selector: ({ id }) => id, maxLength: 12 });
    const repeated = events.chain((once) =>
      fc.tuple(
        fc.constant(once),
        fc
          .subarray(once)
          .chain((again) => fc.shuffledSubarray([...once, ...again], { minLength: once.length + again.length })),
      ),
    );
    fc.assert(
      fc.property(repeated, ([once, again]) => {
        expect(rowsOf(again)).toEqual(rowsOf(once));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a log entry', () => {
  const entries = (
    finding: { subject: string; outcome: string; facts?: Record<string, unknown> },
    stage: 'route' | 'deliver',
  ) =>
    decisionEntries({
      decisionId: 'd',
      alertId: 'a',
      stage,
      at: at(1).toISOString(),
      findings: [{ ...finding, text: 'said' }],
    }).map(recipientEvent);
  const facts = { userId: 'u1', username: 'ada', method: 'email' };

  it('names a recipient if it is about a page, or a message that was handed over', () => {
    expect(entries({ subject: 'page', outcome: 'paged', facts }, 'route')).toMatchObject([
      { kind: 'paged', userId: 'u1', at: at(1) },
    ]);
    for (const outcome of ['sent', 'delivered'])
      expect(entries({ subject: 'delivery', outcome, facts }, 'deliver')).toMatchObject([
        { kind: 'notified', method: 'email' },
      ]);
  });

  it.each([
    ['a page that was folded', { subject: 'page', outcome: 'folded', facts }, 'route'],
    ['a message that failed', { subject: 'delivery', outcome: 'failed', facts }, 'deliver'],
    ['a rule', { subject: 'routing-rule', outcome: 'matched' }, 'route'],
    ['facts of another form', { subject: 'page', outcome: 'paged', facts: { userId: 7, username: {} } }, 'route'],
  ] as const)('names no recipient where it is about %s', (_, finding, stage) => {
    expect(entries(finding, stage)).toEqual([undefined]);
  });

  it('of a caller names their action, unless that lets the flow reach them again', () => {
    const entry = { entryId: 'e', createdAt: at(1), owner: 'ada' };
    expect(recipientEvent({ ...entry, action: 'Close' })).toMatchObject({
      kind: 'acted',
      username: 'ada',
      method: 'Close',
    });
    expect(recipientEvent({ ...entry, action: 'Unacknowledge' })).toBeUndefined();
    expect(recipientEvent(entry)).toBeUndefined();
  });
});
