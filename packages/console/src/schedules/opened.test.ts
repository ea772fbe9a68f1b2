import { beforeEach, describe, expect, test } from '@jest/globals';
import { hasUnsavedInput, removeDrafts } from '../shell/unsaved.ts';
import { keepTyped, type OpenedOverride, removeTyped, typedBefore } from './opened.ts';
import { changeTask, newTask } from './override-draft.ts';
import type { Override, Schedule } from './queries.ts';

beforeEach(removeDrafts);

const swap: Override = {
  alias: 'swap',
  user: { type: 'user', id: 'u1', username: 'ada@example.com' },
  startDate: '2026-03-02T08:00:00Z',
  endDate: '2026-03-02T20:00:00Z',
};
const schedule: Schedule = {
  id: 's1',
  name: 'Ops',
  description: '',
  timezone: 'Europe/Berlin',
  enabled: true,
  rotations: [],
};
const seen = { schedule, overrides: [swap] };
const opened: OpenedOverride = { kind: 'override', task: changeTask(swap, 'Europe/Berlin'), seen };

describe('what was typed in the dialog of an override', () => {
  test('It is kept with the override that it changes and with what its person saw, and a reload would lose it.', () => {
    const form = { ...opened.task.form, username: 'eve@example.com' };
    keepTyped(opened, form);

    expect(typedBefore('s1')).toEqual({ kind: 'override', seen, task: { ...opened.task, form } });
    expect(hasUnsavedInput()).toBe(true);
    expect(typedBefore('s2')).toBeUndefined();
  });

  test('A new override stays a new one.', () => {
    const span = { from: Date.parse(swap.startDate), until: Date.parse(swap.endDate) };
    const task = newTask('Override', { span, zone: 'Europe/Berlin', username: 'ada@example.com' });
    keepTyped({ kind: 'override', task, seen }, { ...task.form, alias: 'ada is in' });

    expect(typedBefore('s1')).toEqual({
      kind: 'override',
      seen,
      task: { ...task, form: { ...task.form, alias: 'ada is in' } },
    });
  });

  test('It is gone once the dialog is closed, and the next person of the browser finds none.', () => {
    keepTyped(opened, opened.task.form);
    removeTyped('s1');

    expect([typedBefore('s1'), hasUnsavedInput()]).toEqual([undefined, false]);

    keepTyped(opened, opened.task.form);
    removeDrafts();

    expect(typedBefore('s1')).toBeUndefined();
  });
});
