import { describe, expect, it } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import {
  type Condition,
  CONDITION_NAMES,
  firstSteps,
  isOld,
  missingOf,
  type Move,
  nextSteps,
  shadowText,
  standingText,
  STATES,
  unconfirmedText,
} from './move.ts';

const NAMES = Object.keys(CONDITION_NAMES) as readonly Condition['name'][];
const CHECKED_AT = '2026-12-14T10:00:00Z';
const [NOW, DAY] = [Date.parse(CHECKED_AT), 86_400_000];
const ON = { enabled: true, changedAt: '2026-12-01T10:00:00Z' };
const OFF = { ...ON, enabled: false };

/** A check of which the named conditions are not met. */
const checked = (...unmet: readonly Condition['name'][]): Move => ({
  from: 'https://api.eu.opsgenie.com',
  checkedAt: CHECKED_AT,
  conditions: NAMES.map((name) => ({
    name,
    state: unmet.includes(name) ? 'unmet' : 'met',
    summary: 'Of it.',
    missing: [],
  })),
  publishedBy: 'Default API',
  publishedAt: CHECKED_AT,
});

const commands = (steps: readonly { readonly command: string }[]) =>
  steps.map(({ command }) => command.split(' --')[0]);

describe('where the account stands', () => {
  it('is ready only while each condition is met, shadow is on and the check is of the last day', () => {
    expect(standingText(checked(), ON, NOW + DAY)).toBe('5 of 5 conditions are met. Ready for the switch.');
    expect(standingText(checked(), ON, NOW + DAY + 1)).toBe(
      '5 of 5 conditions were met. Check again before the switch.',
    );
    expect(standingText(checked(), OFF, NOW)).toBe(
      '5 of 5 conditions were met, and shadow is off: Tocsin pages users.',
    );
  });

  it('is not ready while a condition is unmet or unknown', () => {
    expect(standingText(checked('on-call', 'alerts'), ON, NOW)).toBe(
      '3 of 5 conditions are met. Not ready for the switch.',
    );
    expect(standingText(checked('on-call'), ON, NOW + 2 * DAY)).toBe(
      '4 of 5 conditions were met. Not ready for the switch.',
    );
    const [first, ...rest] = checked().conditions;
    if (first === undefined) throw new Error('There is no condition.');
    const unknown: Move = { ...checked(), conditions: [{ ...first, state: 'unknown' }, ...rest] };
    expect(standingText(unknown, ON, NOW)).toBe('4 of 5 conditions are met. Not ready for the switch.');
  });

  it('is said to be old a day after the check', () => {
    expect([isOld(checked(), NOW + DAY), isOld(checked(), NOW + DAY + 1)]).toEqual([false, true]);
  });
});

describe('a condition', () => {
  it('has a word and a mark of its own for each state', () => {
    expect(new Set(Object.values(STATES).map(({ word }) => word)).size).toBe(3);
    expect(new Set(Object.values(STATES).map(({ mark }) => mark)).size).toBe(3);
  });

  it('shows some texts and folds the rest, and loses none', () => {
    const missing = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    const { folded, open, unlisted } = missingOf({ missing, missingCount: 31 });
    expect([open.length, unlisted]).toEqual([5, 11]);
    expect([...open, ...folded]).toEqual(missing);
    expect(missingOf({ missing: missing.slice(0, 6) })).toEqual({
      open: missing.slice(0, 6),
      folded: [],
      unlisted: 0,
    });
  });
});

describe('what to do next', () => {
  it('is to look, fetch and plan before the first check', () => {
    expect(commands(firstSteps())).toEqual(['tocsin import preflight', 'tocsin import fetch', 'tocsin import plan']);
    expect(firstSteps()[0]?.command).toContain('--from https://api.opsgenie.com --key-file key.txt');
  });

  it('is a command for each condition that is left, in the order of the move, and then another check', () => {
    expect(commands(nextSteps(checked(...NAMES), OFF))).toEqual([
      'tocsin import plan',
      'tocsin parity',
      'tocsin shadow start',
      'tocsin shadow mirror',
      'tocsin shadow report',
      'tocsin cutover check',
    ]);
    const next = nextSteps(checked('duration'), ON);
    expect(next.map(({ command }) => command)[0]).toBe(
      'tocsin shadow mirror --from https://api.eu.opsgenie.com --key-file key.txt --from-snapshot snapshot --place mirror',
    );
    expect(next.at(-1)?.command).toBe(
      'tocsin cutover check --from https://api.eu.opsgenie.com --key-file key.txt --from-snapshot snapshot --place mirror --publish',
    );
  });

  it('is to end shadow once all conditions are met, and to retire the account after it', () => {
    expect(commands(nextSteps(checked(), ON))).toEqual(['tocsin cutover check', 'tocsin shadow stop']);
    expect(nextSteps(checked(), OFF).map(({ command }) => command)).toEqual([
      'tocsin cutover retire --from https://api.eu.opsgenie.com --key-file key.txt --since 2026-12-01T10:00:00Z',
    ]);
  });
});

describe('shadow', () => {
  it('is said to be on or off, and by which key or user', () => {
    const changed = { changedAt: CHECKED_AT, changedBy: 'ada' };
    expect(shadowText({ ...ON, ...changed })).toEqual({
      before: 'Shadow is on since ',
      since: CHECKED_AT,
      after: ', by ada: no message is sent to any user.',
    });
    expect(shadowText({ ...OFF, ...changed })).toEqual({
      before: 'Shadow is off since ',
      since: CHECKED_AT,
      after: ', by ada: messages are sent.',
    });
  });

  it('has no instant where it was never on', () => {
    const { after, before, since } = shadowText({ ...OFF, changedAt: CHECKED_AT });
    expect([`${before}${after}`, since]).toEqual(['Shadow is off: messages are sent.', undefined]);
  });

  it('has the words of the server where a write is not confirmed, and no other failure has', () => {
    const message = 'Shadow is stored as on, and notifier has not confirmed it yet. Please send the request again.';
    expect(unconfirmedText(new CallError({ status: 503, message }))).toBe(message);
    expect(unconfirmedText(new CallError({ status: 409, message: 'Another request.' }))).toBeUndefined();
    expect([unconfirmedText(null), unconfirmedText(new Error('of a page'))]).toEqual([undefined, undefined]);
  });
});
