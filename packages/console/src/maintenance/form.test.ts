import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { bodyFromNow, disabling, formOf, newForm, readForm, refusedFields } from './form.ts';
import type { WholeWindow } from './queries.ts';

const NOW = Date.UTC(2026, 0, 5, 12, 20);
const rules = [disabling({ type: 'integration', id: 'i1' })];

describe('a window that is started now', () => {
  test('It has times, so that the list can say when it ends.', () => {
    expect(bodyFromNow(rules, 300_000, NOW)).toEqual({
      description: '',
      time: { type: 'schedule', startDate: '2026-01-05T12:20:00.000Z', endDate: '2026-01-05T12:25:00.000Z' },
      rules: [{ entity: { type: 'integration', id: 'i1' }, state: 'disabled' }],
    });
    expect(bodyFromNow(rules, undefined, NOW).time).toEqual({ type: 'indefinitely' });
  });
});

describe('a window that is planned', () => {
  const form = { ...newForm(NOW, 'Europe/Berlin'), description: ' Upgrade ', rules };

  test('It begins at the next full hour in the zone of the form.', () => {
    expect(form.from.text).toBe('2026-01-05T14:00');
    expect(readForm(form, 'Europe/Berlin')).toEqual({
      body: {
        description: 'Upgrade',
        time: { type: 'schedule', startDate: '2026-01-05T13:00:00.000Z', endDate: '2026-01-05T14:00:00.000Z' },
        rules,
      },
    });
  });

  test('What is missing or in the wrong order is said at its field.', () => {
    expect(readForm({ ...form, until: form.from, rules: [] }, 'Europe/Berlin').faults).toEqual({
      rules: 'Choose an integration or a policy.',
      until: 'This is not after the start.',
    });
    expect(readForm({ ...form, from: { text: '', showing: 0 } }, 'Europe/Berlin').faults).toHaveProperty('from');
  });

  test('Times that were not changed keep their seconds.', () => {
    const window: WholeWindow = {
      id: 'w1',
      status: 'planned',
      description: '',
      time: { type: 'schedule', startDate: '2026-01-05T13:00:07.123Z', endDate: '2026-01-05T14:00:00Z' },
      rules,
    };
    const kept = { from: Date.parse('2026-01-05T13:00:07.123Z'), until: Date.parse('2026-01-05T14:00:00Z') };
    const read = readForm(formOf(window, 'UTC', NOW), 'UTC', kept);

    expect(read.faults === undefined && read.body.time).toMatchObject({ startDate: '2026-01-05T13:00:07.123Z' });
  });
});

describe('what the server refuses of a window', () => {
  test('It is at the field that it is about.', () => {
    const fields = {
      'time.startDate': 'should be a date',
      'time.endDate': 'should be after startDate',
      'rules[0].entity.id': 'Entity id can not be empty.',
      other: 'is odd',
    };

    expect(refusedFields(new CallError({ status: 422, message: 'No.', fields }))).toEqual({
      from: 'This should be a date.',
      until: 'This should be after startDate.',
      rules: 'Entity id can not be empty.',
    });
  });

  test('A thing that is not there any more is at the rules, a window that is not is at none.', () => {
    expect(refusedFields(new CallError({ status: 404, message: 'Policy with id [p1] does not exist.' }))).toEqual({
      rules: 'Policy with id [p1] does not exist.',
    });
    expect(refusedFields(new CallError({ status: 404, message: 'Maintenance does not exist with id: w1' }))).toEqual(
      {},
    );
  });
});
