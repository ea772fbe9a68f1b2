import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import {
  type ForwardingBody,
  forwardUnlessChanged,
  handOverTask,
  newForwarding,
  readForwarding,
  refusedForwarding,
  rotationsOf,
  rulesWithin,
  shiftsWithin,
  spanLeft,
  spanOfRotations,
} from './hand-over.ts';
import type { ForwardingRule, Timeline } from './queries.ts';

const at = (hour: number, minute = 0) => Date.UTC(2026, 0, 5, hour, minute);
const iso = (hour: number) => new Date(at(hour)).toISOString();

describe('the part of a shift that can be handed over', () => {
  test('It is from this minute on where it has begun, else all of it.', () => {
    const shift = { from: at(2), until: at(8) };

    expect(spanLeft(shift, at(3, 5) + 30_000)).toEqual({ from: at(3, 5), until: at(8) });
    expect(spanLeft(shift, at(2) + 10)).toEqual(shift);
    expect(spanLeft(shift, at(1))).toEqual(shift);
  });
});

/** A timeline in which each rotation has a user on call for a day; that of the id of the schedule is an override of all. */
const timeline = (...rotations: readonly (readonly [id: string, name: string])[]): Timeline => ({
  _parent: { id: 'ops', name: 'Ops', enabled: true },
  startDate: iso(0),
  endDate: iso(24),
  finalTimeline: {
    rotations: rotations.map(([id, name], index) => ({
      id,
      name: id,
      order: index + 1,
      periods: [{ startDate: iso(0), endDate: iso(24), type: 'default', recipient: { type: 'user', id: name, name } }],
    })),
  },
});

describe('the rotations that are overridden', () => {
  test('They are those of the user where others are on call by another rotation.', () => {
    expect(rotationsOf(timeline(['r1', 'ada'], ['r2', 'grace'], ['r3', 'ada']), 'ada', at(1))).toEqual(['r1', 'r3']);
  });

  test('All are where no one else is on call.', () => {
    expect(rotationsOf(timeline(['r1', 'ada'], ['r2', 'ada']), 'ada', at(1))).toEqual([]);
    expect(rotationsOf(timeline(['ops', 'ada']), 'ada', at(1))).toEqual([]);
  });

  test('One whose time is over is not among them.', () => {
    expect(rotationsOf(timeline(['r1', 'ada'], ['r2', 'grace']), 'ada', at(25))).toEqual([]);
  });
});

describe('the part of a shift that one override hands over', () => {
  const period = (name: string, from: number, until: number) =>
    ({
      startDate: iso(from),
      endDate: iso(until),
      type: 'default',
      recipient: { type: 'user', id: name, name },
    }) as const;
  const of = (...rotations: readonly (readonly ReturnType<typeof period>[])[]): Timeline => ({
    ...timeline(),
    finalTimeline: {
      rotations: rotations.map((periods, index) => ({
        id: `r${index}`,
        name: '',
        order: index + 1,
        periods: [...periods],
      })),
    },
  });

  test('It ends where the user goes on in another rotation, whose other user is on call before that.', () => {
    const swapped = of([period('ada', 0, 6), period('bob', 6, 12)], [period('cy', 0, 6), period('ada', 6, 12)]);

    expect(spanOfRotations(swapped, 'ada', { from: at(2), until: at(12) })).toEqual({ from: at(2), until: at(6) });
    expect(rotationsOf(swapped, 'ada', at(2))).toEqual(['r0']);
  });

  test('It is all of the shift where the user stays in the same rotations, also where the others change.', () => {
    const same = of([period('ada', 0, 4), period('ada', 4, 12)], [period('cy', 0, 6), period('bob', 6, 12)]);

    expect(spanOfRotations(same, 'ada', { from: at(2), until: at(11) })).toEqual({ from: at(2), until: at(11) });
  });
});

describe('the override of a shift', () => {
  test('It has the times of the shift in the zone of the schedule, and its person is to be chosen.', () => {
    const task = handOverTask({
      schedule: { name: 'Ops', timezone: 'Europe/Berlin' },
      span: { from: at(2), until: at(8) },
      username: 'ada@example.com',
      rotations: ['r1'],
    });

    expect(task).toMatchObject({
      title: 'Hand over Ops',
      changed: undefined,
      form: {
        alias: 'ada 2026-01-05 03:00 handed over',
        username: '',
        from: { text: '2026-01-05T03:00' },
        until: { text: '2026-01-05T09:00' },
        rotations: ['r1'],
      },
    });
  });
});

const shift = (schedule: string, from: number, until: number) => ({ schedule, from: at(from), until: at(until) });

describe('a new forwarding rule', () => {
  const until = (times: Parameters<typeof newForwarding>[0]) => newForwarding(times, at(3), 'UTC').until.text;

  test('It ends with the last of the shifts that have begun, else with the next one, else after a day.', () => {
    const next = shift('Web', 12, 20);

    expect(until({ now: [shift('Ops', 0, 6), shift('Net', 0, 8)], next })).toBe('2026-01-05T08:00');
    expect(until({ now: [], next })).toBe('2026-01-05T20:00');
    expect(until({ now: [], next: undefined })).toBe('2026-01-06T03:00');
  });

  const form = { ...newForwarding({ now: [shift('Ops', 0, 6)], next: undefined }, at(3), 'UTC'), username: ' grace ' };

  test('It is from the person to the one whom they typed.', () => {
    expect(readForwarding(form, 'UTC', 'ada')).toEqual({
      span: { from: at(3), until: at(6) },
      body: {
        fromUser: { username: 'ada' },
        toUser: { username: 'grace' },
        startDate: iso(3),
        endDate: iso(6),
      },
    });
  });

  test('What is wrong is said at its field.', () => {
    expect(readForwarding({ ...form, username: 'ADA' }, 'UTC', 'ada').faults).toEqual({
      username: 'Choose another person than yourself.',
    });
    expect(readForwarding({ ...form, username: '', until: form.from }, 'UTC', 'ada').faults).toEqual({
      username: 'Type a user name.',
      until: 'This is not after the start.',
    });
  });

  test('What the server refuses is at its field too.', () => {
    const fields = { toUser: 'should be another user than fromUser' };

    expect(refusedForwarding(new CallError({ status: 422, message: 'Invalid.', fields }))).toEqual({
      username: 'This should be another user than fromUser.',
    });
    const missing = 'User with username [eve] does not exist.';
    expect(refusedForwarding(new CallError({ status: 404, message: missing }))).toEqual({ username: missing });
    expect(refusedForwarding(new CallError({ status: 503, message: 'Unavailable.' }))).toEqual({});
  });
});

describe('what a rule forwards', () => {
  test('It is the parts of the shifts in its time.', () => {
    const shifts = [shift('Ops', 0, 6), shift('Net', 6, 8), shift('Web', 4, 12)];

    expect(shiftsWithin(shifts, { from: at(3), until: at(6) })).toEqual([shift('Ops', 3, 6), shift('Web', 4, 6)]);
  });
});

const rule = (id: string, from: number, until: number, to = 'grace'): ForwardingRule => ({
  id,
  alias: '',
  fromUser: { id: 'u1', username: 'ada' },
  toUser: { id: 'u2', username: to },
  startDate: iso(from),
  endDate: iso(until),
});

describe('the rules of a time', () => {
  test('A rule is among them that has a part of it.', () => {
    const rules = [rule('a', 0, 3), rule('b', 2, 4), rule('c', 6, 8)];

    expect(rulesWithin(rules, { from: at(3), until: at(6) }).map(({ id }) => id)).toEqual(['b']);
    expect(rulesWithin(rules, { from: at(3) }).map(({ id }) => id)).toEqual(['b', 'c']);
  });
});

describe('a write of a rule', () => {
  const body: ForwardingBody = {
    fromUser: { username: 'ada' },
    toUser: { username: 'Grace' },
    startDate: iso(3),
    endDate: iso(6),
  };

  async function written(seen: readonly ForwardingRule[], now: readonly ForwardingRule[]) {
    const calls: string[] = [];
    const result = await forwardUnlessChanged(body, seen, {
      read: () => {
        calls.push('read');
        return Promise.resolve(now);
      },
      send: () => {
        calls.push('send');
        return Promise.resolve();
      },
    });
    return { calls, added: result.added.map(({ id }) => id) };
  }

  test('It is sent where its person has seen all rules.', async () => {
    expect(await written([rule('a', 0, 3)], [rule('a', 0, 3)])).toEqual({ calls: ['read', 'send'], added: [] });
  });

  test('It is not where there are others, which are shown.', async () => {
    expect(await written([rule('a', 0, 3)], [rule('a', 0, 3), rule('b', 4, 5, 'eve')])).toEqual({
      calls: ['read'],
      added: ['b'],
    });
  });

  test('It is not sent again where it is there since, as after an answer that was lost.', async () => {
    expect(await written([], [rule('a', 3, 6)])).toEqual({ calls: ['read'], added: [] });
  });

  test('It is sent where its person saw one like it: a newer one may count in place of that.', async () => {
    const rules = [rule('a', 3, 6), rule('b', 3, 6, 'eve')];

    expect(await written(rules, rules)).toEqual({ calls: ['read', 'send'], added: [] });
  });
});
