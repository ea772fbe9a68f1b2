import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AlertEvent, AlertFact, AlertState, Page } from '@tocsin/events';
import { userOf } from '../testing/on-call-samples.ts';
import { openAlert } from '../testing/alert-samples.ts';
import { start, view } from '../testing/transition-samples.ts';
import { applyEvent } from './apply-event.ts';
import type { EscalationState } from './escalation-state.ts';
import { computeTransitions } from './transitions.ts';

const AT = '2026-01-01T01:00:00.000Z';
const users = ['ada', 'grace'].map((id) => userOf(id));
const PAGED = users.map(({ id }) => ({ type: 'user', id }) as const);

function event(version: number, fact: Partial<AlertFact> = {}, state: Partial<AlertState> = {}): AlertEvent {
  const facts: AlertFact[] = [{ factId: `f${String(version)}`, kind: 'noted', actor: 'Alert API', at: AT, ...fact }];
  return { alertId: 'a1', version, acceptedAt: AT, state: openAlert({ responders: PAGED, ...state }), facts };
}

/** The status updates of users after `events` in this order, for an alert about which ada and grace were paged. */
function notified(...events: readonly AlertEvent[]): {
  readonly pages: readonly Page[];
  readonly state: EscalationState;
  readonly texts: readonly string[];
} {
  let { state } = start(PAGED, { users });
  const pages: Page[] = [];
  const texts: string[] = [];
  for (const each of events) {
    const applied = applyEvent(state, each);
    if (applied === undefined) continue;
    const context = computeTransitions(applied, view({ users }), new Date(AT));
    state = context.state;
    for (const { effects } of context.transitions) {
      pages.push(...effects.pages);
      texts.push(...effects.findings.map(({ text }) => text));
    }
  }
  return { pages, state, texts };
}

const idsOf = (pages: readonly Page[]): readonly string[] => pages.map(({ pageId }) => pageId);
const acknowledged = event(2, { kind: 'acknowledged' }, { acknowledged: true });
const closed = event(3, { kind: 'closed', note: 'Disk replaced' }, { status: 'closed' });

describe('a status update of an alert', () => {
  it.each([
    ['acknowledged', 'acknowledged-alert', { acknowledged: true }],
    ['closed', 'closed-alert', { status: 'closed' as const }],
    ['noted', 'add-note', {}],
  ] as const)('[%s] is sent to all users who were paged, by an %s page, once', (kind, actionType, change) => {
    const happened = event(2, { kind, note: 'looking' }, change);
    const { pages, state } = notified(happened, happened);
    expect(idsOf(pages)).toEqual([`a1:1:-:-:0:ada:${actionType}:f2`, `a1:1:-:-:0:grace:${actionType}:f2`]);
    expect(pages[0]).toMatchObject({
      alertVersion: 2,
      statusUpdate: { kind, actor: 'Alert API', note: 'looking' },
      pagedAt: AT,
      alert: { message: 'Disk full', responders: [{ name: 'ada@example.com' }, { name: 'grace@example.com' }] },
    });
    expect(state.reached).toEqual(['ada', 'grace']);
  });

  it('is not sent to its actor, in whatever case they are named, and the log names the others', () => {
    const { pages, texts } = notified(event(2, { actor: ' ADA@example.com' }));
    expect(pages.map(({ userId }) => userId)).toEqual(['grace']);
    expect(texts).toEqual(['Paged users are notified of the note by ADA@example.com: grace@example.com.']);
  });

  it('is sent once, however often its event comes, but not of an alert that is deleted', () => {
    const gone = event(6, { kind: 'deleted' }, { status: 'deleted' });
    const ids = idsOf(notified(acknowledged, closed).pages);
    expect(ids).toHaveLength(4);
    expect(idsOf(notified(acknowledged, acknowledged, closed, acknowledged, closed).pages)).toEqual(ids);
    expect(idsOf(notified(acknowledged, closed, gone, acknowledged, closed, gone).pages)).toEqual(ids);
  });

  it('is sent in the event that begins the cycle, after the pages of that', () => {
    const applied = applyEvent(undefined, event(2, { note: 'looking' }));
    if (applied === undefined) throw new Error('it begins the cycle');
    const { transitions } = computeTransitions(applied, view({ users }), new Date(AT));
    const types = transitions.flatMap(({ effects }) => effects.pages.map(({ actionType }) => actionType));
    expect(types).toEqual(['create-alert', 'create-alert', 'add-note', 'add-note']);
  });

  it('is notified of an alert that is snoozed or held, but not of one that is suppressed', () => {
    for (const state of [{ snoozed: true }, { notifications: { kind: 'delayed' } as const }])
      expect(notified(event(2, {}, state)).pages).toHaveLength(2);
    expect(notified(event(2, {}, { notifications: { kind: 'suppressed', reason: 'policy' } })).pages).toEqual([]);
  });

  it('includes the note of another action, but not the first note of the alert', () => {
    const types = (fact: Partial<AlertFact>) => notified(event(2, fact)).pages.map(({ actionType }) => actionType);
    expect(types({ kind: 'tags-added', note: 'tagged' })).toEqual(['add-note', 'add-note']);
    expect(types({ kind: 'tags-added' })).toEqual([]);
    expect(types({ kind: 'created', note: 'first' })).toEqual([]);
  });

  it('is sent only to users who were paged: one whom only status updates reached is still paged as for the first time', () => {
    const assigned = event(
      2,
      { kind: 'assigned', responder: { type: 'user', id: 'edsger' } },
      { owner: 'edsger@example.com' },
    );
    const { pages, state } = notified(assigned, event(3));
    expect(idsOf(pages)).toEqual([
      'a1:1:-:-:0:edsger:assigned-alert:f2',
      'a1:1:-:-:0:ada:add-note:f3',
      'a1:1:-:-:0:grace:add-note:f3',
    ]);
    expect(state.reached).toEqual(['ada', 'grace']);
  });
});

describe('an assignment', () => {
  const assign = (fact: Partial<AlertFact>, state: Partial<AlertState> = {}) =>
    notified(
      event(
        2,
        { kind: 'assigned', responder: { type: 'user', id: 'grace' }, ...fact },
        { owner: 'grace@example.com', ...state },
      ),
    ).pages.map(({ actionType, userId }) => `${userId} ${actionType}`);

  it('is sent to the new owner alone, and its note to the others who were paged', () => {
    expect(assign({})).toEqual(['grace assigned-alert']);
    expect(assign({ note: 'yours' })).toEqual(['grace assigned-alert', 'ada add-note']);
  });

  it('is not sent to the user who is its actor', () => {
    expect(assign({ actor: 'Grace@example.com' })).toEqual([]);
  });

  it('is sent to no user of an alert that is suppressed', () => {
    expect(assign({}, { notifications: { kind: 'suppressed', reason: 'policy' } })).toEqual([]);
  });
});

describe('a note', () => {
  it('is sent in its first 2 000 characters, whole ones, so that one event with many people stays small', () => {
    const noteOf = (note: string) => notified(event(2, { note })).pages[0]?.statusUpdate?.note;
    expect(noteOf('😀'.repeat(2_001))).toBe(`${'😀'.repeat(2_000)}…`);
    expect(noteOf('😀'.repeat(2_000))).toBe('😀'.repeat(2_000));
    expect(noteOf('one\ntwo')).toBe('one\ntwo');
  });
});

/** The notes of a robot: each a version later, at these seconds after one o'clock. */
const notesAt = (...seconds: readonly number[]): readonly AlertEvent[] =>
  seconds.map((second, index) => event(index + 2, { at: new Date(Date.parse(AT) + second * 1_000).toISOString() }));

const factsOf = (pages: readonly Page[]): readonly string[] => [
  ...new Set(pages.map(({ pageId }) => pageId.split(':').at(-1) ?? '')),
];

const minuteIn = ({ facts: [fact] }: AlertEvent): string => fact?.at.slice(0, 16) ?? '';

describe('of more than twenty notes in a minute', () => {
  const flood = notesAt(...Array.from({ length: 50 }, () => 59), ...Array.from({ length: 3 }, () => 60));
  const NOT_SENT =
    'Users are notified of at most 20 notes a minute: not of this note, nor of further ones in that minute.';

  it('the first twenty are sent, the log says once that the others are not, and those of the next minute are', () => {
    const { pages, texts } = notified(...flood);
    expect(factsOf(pages)).toEqual(
      flood.filter((_, index) => index < 20 || index >= 50).map(({ version }) => `f${String(version)}`),
    );
    expect(texts.filter((text) => text === NOT_SENT)).toHaveLength(1);
    expect(texts.at(20)).toBe(NOT_SENT);
    expect(texts).toHaveLength(24);
  });

  it('none is sent that was not sent at first, when all are repeated', () => {
    const many = notesAt(...Array.from({ length: 250 }, () => 0));
    const { pages, texts } = notified(...many, ...many);
    expect(idsOf(pages)).toEqual(idsOf(notified(...many).pages));
    expect(texts.filter((text) => text === NOT_SENT)).toHaveLength(1);
  });

  it('other status updates are sent: an acknowledgement, a close and, of an assignment, the new owner', () => {
    const assigned = event(
      98,
      { kind: 'assigned', responder: { type: 'user', id: 'grace' }, note: 'yours' },
      { owner: 'grace@example.com' },
    );
    const others = [
      assigned,
      event(99, { kind: 'acknowledged', note: 'mine' }, { acknowledged: true }),
      event(100, { kind: 'closed' }, { status: 'closed' }),
    ];
    const types = notified(...notesAt(...Array.from({ length: 30 }, () => 0)), ...others).pages.map(
      ({ actionType }) => actionType,
    );
    expect(types.slice(40)).toEqual([
      'assigned-alert',
      'acknowledged-alert',
      'acknowledged-alert',
      'closed-alert',
      'closed-alert',
    ]);
  });

  it('only those count that users would be notified of', () => {
    const suppressed = Array.from({ length: 30 }, (_, index) =>
      event(index + 2, {}, { notifications: { kind: 'suppressed', reason: 'policy' } }),
    );
    expect(notified(...suppressed, event(99)).pages).toHaveLength(2);
  });

  it('the escalation state remembers the last twenty minutes, and nothing of a deleted alert', () => {
    const { state } = notified(...notesAt(...Array.from({ length: 50 }, (_, minute) => minute * 60)));
    expect(state.noteMinutes.map(({ minute }) => minute.slice(-2))).toEqual(
      Array.from({ length: 20 }, (_, index) => String(index + 30)),
    );
    expect(notified(...flood, event(99, { kind: 'deleted' }, { status: 'deleted' })).state.noteMinutes).toEqual([]);
  });

  it('the same ones are sent in whatever order minutes mix and however often notes come again', () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 179 }), { maxLength: 120 });
    fc.assert(
      fc.property(seconds, fc.infiniteStream(fc.nat(150)), (at, back) => {
        const notes = notesAt(...at);
        const again = notes.flatMap((note, index) => [note, notes[index - (back.next().value as number)] ?? note]);
        const first20 = [...Map.groupBy(notes, minuteIn).values()].flatMap((of) => of.slice(0, 20));
        const { pages, texts } = notified(...again);
        expect(factsOf(pages).toSorted()).toEqual(first20.map(({ version }) => `f${String(version)}`).toSorted());
        expect(new Set(idsOf(pages)).size).toBe(pages.length);
        const full = [...Map.groupBy(notes, minuteIn).values()].filter(({ length }) => length > 20);
        expect(texts.filter((text) => text === NOT_SENT)).toHaveLength(full.length);
      }),
      { numRuns: 200 },
    );
  });
});
