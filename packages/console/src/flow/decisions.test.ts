import { describe, expect, test } from '@jest/globals';
import { axisOf, outcomeText, startText } from './decisions.ts';
import type { Simulation } from './queries.ts';

const at = (time: string) => `2026-01-05T08:${time}Z`;
const ada = { id: 'u1', username: 'ada@example.com' };
const message = (time: string, method: 'email' | 'voice') => ({
  at: at(time),
  user: ada,
  method,
  actionType: 'create-alert',
  why: 'rule 1',
});
const step = (time: string, text: string) => ({ at: at(time), subject: 'step', outcome: 'matched', text });
const simulation: Simulation = {
  at: at('00:30'),
  outcome: 'paged',
  alert: { message: 'Disk full', alias: 'disk', priority: 'P1' },
  messages: [message('00:30', 'email'), message('05:40', 'voice')],
  steps: [step('00:30', 'Routed.'), step('05:30', 'Rule 2.'), step('05:45', 'Rule 3.')],
  truncated: false,
};

describe('the result of a simulation', () => {
  test('It counts users and messages.', () => {
    expect(outcomeText(simulation)).toBe('The alert would notify 1 user, with 2 messages.');
  });

  test.each([
    ['dropped', 'The policy drops it', 'The alert would be dropped: The policy drops it.'],
    ['repeated', 'It would count on #5.', 'The alert would make no new one. It would count on #5.'],
    ['no-recipient', 'It has no responders.', 'The alert would notify no user. It has no responders.'],
  ] as const)('An alert that is %s says why.', (outcome, reason, text) => {
    expect(outcomeText({ ...simulation, messages: [], outcome, reason })).toBe(text);
  });

  test('The start of the notifications is a sentence.', () => {
    expect(startText(undefined)).toBeUndefined();
    expect(startText({ starts: 'at-once', startsAt: at('00:30') })).toBe('Notifications start at once.');
    expect(startText({ starts: 'later', startsAt: at('30:00'), policy: 'Nights' })).toBe(
      'Notifications start at 2026-01-05T08:30:00Z, by policy “Nights”.',
    );
    expect(startText({ starts: 'by-occurrence', occurrence: 3, withinSeconds: 300, policy: 'Often' })).toBe(
      'Notifications start with occurrence 3 within 5 min, by policy “Often”.',
    );
    expect(startText({ starts: 'never', suppressed: 'Policy [Quiet] suppresses' })).toBe(
      'No user is notified: Policy [Quiet] suppresses.',
    );
  });
});

describe('the axis of minutes', () => {
  test('It has each minute with a decision or a message once, in the order of time.', () => {
    expect(
      axisOf(simulation).map(({ after, at: start, messages, steps }) => [
        after,
        start,
        steps.map(({ text }) => text),
        messages.map(({ method }) => method),
      ]),
    ).toEqual([
      ['at once', '2026-01-05T08:00:30.000Z', ['Routed.'], ['email']],
      ['after 5 min', '2026-01-05T08:05:30.000Z', ['Rule 2.', 'Rule 3.'], ['voice']],
    ]);
  });
});
