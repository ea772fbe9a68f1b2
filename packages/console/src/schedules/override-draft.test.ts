import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import {
  changeTask,
  newTask,
  previewRange,
  readForm,
  refusedFields,
  rotationsAt,
  takenRotations,
} from './override-draft.ts';
import type { Override, Timeline } from './queries.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);
const night = { from: at('2026-03-28T22:00:00Z'), until: at('2026-03-29T02:00:00Z') };
const { form } = newTask('Override', { span: night, zone: BERLIN, username: 'ada@example.com' });
const kept: Override = {
  alias: 'swap',
  user: { type: 'user', id: 'u1', username: 'grace@example.com' },
  startDate: '2026-03-28T22:00:00.25Z',
  endDate: '2026-03-29T02:00:00Z',
  rotations: [{ id: 'r1', name: 'Nights' }],
};

describe('the form of an override', () => {
  test('A new one is named by its user and start, and is of the hours that were selected.', () => {
    expect(form).toMatchObject({ alias: 'ada 2026-03-28 23:00', from: { text: '2026-03-28T23:00' } });
    expect(readForm(form, BERLIN)).toEqual({
      span: night,
      body: {
        alias: 'ada 2026-03-28 23:00',
        user: { type: 'user', username: 'ada@example.com' },
        startDate: '2026-03-28T22:00:00.000Z',
        endDate: '2026-03-29T02:00:00.000Z',
        rotations: [],
      },
    });
  });

  test('One that is read and not changed is sent as it is.', () => {
    expect(readForm(changeTask(kept, BERLIN).form, BERLIN, kept)).toMatchObject({
      body: {
        user: { username: 'grace@example.com' },
        startDate: '2026-03-28T22:00:00.250Z',
        rotations: [{ id: 'r1' }],
      },
    });
    const none = changeTask({ ...kept, user: { type: 'none' } }, BERLIN);
    expect(readForm(none.form, BERLIN)).toMatchObject({ body: { user: { type: 'none' } } });
  });

  test('What is missing is said at its field.', () => {
    expect(readForm({ ...form, alias: ' ', username: '' }, BERLIN).faults).toEqual({
      alias: 'Type a name.',
      username: 'Type a user name.',
    });
    expect(readForm({ ...form, from: { text: '2026-03-29T02:30', showing: 0 } }, BERLIN).faults).toEqual({
      from: 'The clocks of Europe/Berlin skip this time. Type one before or after it.',
    });
    expect(readForm({ ...form, until: form.from }, BERLIN).faults).toEqual({ until: 'This is not after the start.' });
    expect(readForm({ ...form, username: '', isNoOne: true }, BERLIN).faults).toBeUndefined();
  });
});

describe('what the server refuses', () => {
  const refused = (status: number, message: string, fields: Readonly<Record<string, string>> = {}) =>
    refusedFields(new CallError({ status, message, fields }));

  test('It is shown at its field.', () => {
    expect(refused(409, 'Override with alias [swap] already exists.')).toHaveProperty('alias');
    expect(refused(404, 'User with username [x] does not exist.')).toHaveProperty('username');
    expect(refused(404, 'Rotation with id [x] does not exist in schedule [y].')).toHaveProperty('rotations');
    expect(refused(422, 'No.', { endDate: 'should be after startDate', 'rotations[0].id': 'should be text' })).toEqual({
      until: 'This should be after startDate.',
      rotations: 'This should be text.',
    });
  });

  test('All else belongs to no field.', () => {
    expect([
      refused(403, 'No.'),
      refused(404, 'Schedule with id [x] does not exist.'),
      refusedFields(new Error('x')),
    ]).toEqual([{}, {}, {}]);
  });
});

describe('the days that are previewed', () => {
  test('They begin the day before and end the day after, and are three months at most.', () => {
    expect(previewRange(night, BERLIN)).toEqual({ date: '2026-03-27', days: 3 });
    expect(previewRange({ ...night, until: at('2027-03-29T02:00:00Z') }, BERLIN).days).toBe(92);
  });
});

describe('the rotations of a shift that is taken', () => {
  const rotation = (id: string, startDate: string, endDate: string) => ({
    id,
    name: id,
    order: 1,
    periods: [
      { startDate, endDate, type: 'default' as const, recipient: { type: 'user' as const, id: 'u1', name: 'ada' } },
    ],
  });
  const timeline: Timeline = {
    _parent: { id: 's1', name: 'Ops', enabled: true },
    startDate: '2026-03-01T00:00:00Z',
    endDate: '2026-03-03T00:00:00Z',
    finalTimeline: {
      rotations: [
        rotation('r1', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'),
        rotation('r2', '2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z'),
        rotation('s1', '2026-03-01T00:00:00Z', '2026-03-03T00:00:00Z'),
      ],
    },
  };
  const [first, second] = [{ from: at('2026-03-01T00:00:00Z') }, { from: at('2026-03-02T00:00:00Z') }];

  test('They are those that have a person on call, and not what a schedule without rotations has.', () => {
    expect([rotationsAt(timeline, first.from), rotationsAt(timeline, second.from)]).toEqual([['r1', 'r2'], ['r2']]);
  });

  test('Of several the first is taken over, so that the others keep their people.', () => {
    expect([takenRotations(timeline, first), takenRotations(timeline, second)]).toEqual([['r1'], []]);
  });
});
