import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import { responderText } from '../people/people.ts';
import {
  actionRefused,
  bodyOf,
  detailRows,
  detailsText,
  draftOf,
  fieldFault,
  formAfter,
  snoozePresets,
  textOf,
  withNote,
} from './actions.ts';

describe('what is sent for an action', () => {
  test('A snooze has its end as an instant, whatever the zone of the device.', () => {
    const local = '2026-01-05T08:30:05';

    expect(bodyOf('snooze', local)).toEqual({ endTime: new Date(local).toISOString() });
    expect(bodyOf('snooze', 'soon')).toBeUndefined();
  });

  test('An owner is named by user name, an escalation by name.', () => {
    expect(bodyOf('assign', ' ada@example.com ')).toEqual({ owner: { username: 'ada@example.com' } });
    expect(bodyOf('escalate', 'Ops')).toEqual({ escalation: { name: 'Ops' } });
  });

  test('A responder is a person, or what stands before the colon.', () => {
    expect(bodyOf('responders', 'ada@example.com')).toEqual({
      responder: { type: 'user', username: 'ada@example.com' },
    });
    for (const kind of ['team', 'schedule', 'escalation'] as const)
      expect(bodyOf('responders', responderText(kind, 'Data: nights'))).toEqual({
        responder: { type: kind, name: 'Data: nights' },
      });
    expect(bodyOf('responders', 'TEAM:Ops')).toEqual({ responder: { type: 'team', name: 'Ops' } });
  });

  test('Tags stand between commas, without blanks around them.', () => {
    expect(bodyOf('tags', ' disk, production,,')).toEqual({ tags: ['disk', 'production'] });
    expect(bodyOf('tags', ' , ')).toBeUndefined();
  });

  test('A message and a priority are the text, and a description may be empty.', () => {
    expect(bodyOf('message', ' Disk full ')).toEqual({ message: 'Disk full' });
    expect(bodyOf('message', ' ')).toBeUndefined();
    expect(bodyOf('priority', 'P1')).toEqual({ priority: 'P1' });
    expect(bodyOf('description', '')).toEqual({ description: '' });
  });

  test('Details are rows of a name and a value.', () => {
    const rows = [
      { name: ' host ', value: 'db: 1' },
      { name: '', value: '' },
    ];

    expect(detailRows('')).toEqual([{ name: '', value: '' }]);
    expect(detailRows(detailsText(rows))).toEqual(rows);
    expect(bodyOf('details', detailsText(rows))).toEqual({ details: { host: 'db: 1' } });
    expect(bodyOf('details', detailsText([]))).toBeUndefined();
    expect(bodyOf('details', '')).toBeUndefined();
  });

  test('An empty form has nothing to send.', () => {
    for (const action of ['snooze', 'assign', 'responders', 'escalate', 'tags'] as const)
      expect(bodyOf(action, ' ')).toBeUndefined();
  });
});

describe('the text of a form', () => {
  const alert = { message: 'Disk full', description: 'Since 8:00', priority: 'P3' } as const;

  test('A text that is replaced begins as the alert has it, and stays empty where it was emptied.', () => {
    expect(textOf('description', undefined, alert)).toBe('Since 8:00');
    expect(textOf('description', draftOf('description', ''), alert)).toBe('');
    expect(textOf('priority', draftOf('priority', 'P1'), alert)).toBe('P1');
  });

  test('Another text begins empty.', () => {
    expect(textOf('tags', undefined, alert)).toBe('');
    expect(textOf('tags', draftOf('tags', 'disk'), alert)).toBe('disk');
  });
});

describe('why an action does nothing', () => {
  const open = { status: 'open', acknowledged: false, owner: '' } as const;

  test('A closed alert takes tags, details and words alone.', () => {
    const closed = { ...open, status: 'closed', acknowledged: true } as const;
    const actions = ['snooze', 'assign', 'responders', 'escalate', 'unacknowledge', 'own'] as const;

    expect(actions.map((action) => actionRefused(action, closed, 'ada'))).toEqual(
      actions.map(() => 'The alert is closed.'),
    );
    for (const action of ['tags', 'details', 'message', 'description', 'priority'] as const)
      expect(actionRefused(action, closed, 'ada')).toBeUndefined();
  });

  test('An acknowledgement is taken back where there is one, and ownership is taken of the alerts of others.', () => {
    expect(actionRefused('unacknowledge', open, 'ada')).toBe('The alert is not acknowledged.');
    expect(actionRefused('unacknowledge', { ...open, acknowledged: true }, 'ada')).toBeUndefined();
    expect(actionRefused('own', { ...open, owner: 'ada' }, 'ada')).toBe('You own the alert.');
    expect(actionRefused('own', { ...open, owner: 'grace' }, 'ada')).toBeUndefined();
    expect(actionRefused('snooze', open, 'ada')).toBeUndefined();
  });
});

test('The note of an action goes with it, unless it is blank.', () => {
  expect(withNote({ owner: { username: 'ada@example.com' } }, ' Over to you.\n')).toEqual({
    owner: { username: 'ada@example.com' },
    note: 'Over to you.',
  });
  expect(withNote({ tags: ['disk'] }, ' \n')).toEqual({ tags: ['disk'] });
});

describe('the form after an action succeeded', () => {
  test('It closes, and another form that was opened meanwhile stays open.', () => {
    expect(formAfter('escalate', 'escalate')).toBeUndefined();
    expect(formAfter('assign', 'escalate')).toBe('assign');
    expect(formAfter(undefined, 'escalate')).toBeUndefined();
  });
});

describe('the times of a snooze', () => {
  test('They are some lengths from now, and the next morning.', () => {
    const night = new Date(2026, 0, 5, 3, 10).getTime();
    const morning = new Date(2026, 0, 5, 8, 0).getTime();

    expect(snoozePresets(night).map(({ endTime, name }) => [name, (Date.parse(endTime) - night) / 60_000])).toEqual([
      ['for 30 min', 30],
      ['for 1 h', 60],
      ['for 4 h', 240],
      ['until 8:00', 290],
    ]);
    expect(snoozePresets(morning).at(-1)?.endTime).toBe(new Date(2026, 0, 6, 8, 0).toISOString());
  });
});

describe('a refused action', () => {
  const refused = (fields: Record<string, string>) => new CallError({ status: 422, message: 'No.', fields });

  test('What is wrong with the field, or with a part of it, is said at the field.', () => {
    expect(fieldFault(refused({ endTime: 'should be in the future' }), 'endTime')).toBe(
      'endTime should be in the future.',
    );
    expect(fieldFault(refused({ 'tags[1]': 'is too long' }), 'tags')).toBe('tags[1] is too long.');
    expect(fieldFault(refused({ 'owner.username': 'is too long' }), 'owner')).toBe('owner.username is too long.');
  });

  test('What is wrong with something else is not.', () => {
    expect(fieldFault(refused({ ownership: 'is odd' }), 'owner')).toBeUndefined();
    expect(fieldFault(new Error('broken'), 'owner')).toBeUndefined();
  });
});
