import { expect, test } from '@jest/globals';
import { muteEnd, typedEnd } from './mute.ts';

const now = Date.parse('2026-03-02T08:00:00Z');

test('A mute lasts until its end, which the server keeps afterwards.', () => {
  expect(muteEnd('2026-03-02T08:00:01Z', now)).toBe('2026-03-02T08:00:01Z');
  expect(muteEnd('2026-03-02T08:00:00Z', now)).toBeUndefined();
  expect(muteEnd(undefined, now)).toBeUndefined();
});

test('The end of a mute is a time to come, in the zone of its person.', () => {
  const typed = (text: string) => typedEnd({ text, showing: 0 }, 'Europe/Berlin', now);

  expect(typed('2026-03-02T09:01')).toEqual({ at: '2026-03-02T08:01:00.000Z' });
  expect(typed('2026-03-02T09:00')).toEqual({ fault: 'Type a time that is to come.' });
  expect(typed('')).toEqual({ fault: 'Type a date and a time.' });
});
