import { describe, expect, it } from '@jest/globals';
import { ACCEPTED_AT, acknowledge, byAlias, close, create, pagingCreate } from '../testing/commands-samples.ts';
import { after, EMPTY, CONTEXT, only, apply } from '../testing/apply-samples.ts';

describe('a create', () => {
  it('makes an open alert whose flow starts at its acceptance', () => {
    const command = create('disk', { alert: { responders: [{ type: 'team', name: 'Ops' }] } });
    const changes = apply([command]);
    expect(only(changes.inserted)).toMatchObject({
      id: command.alert.alertId,
      tinyId: 1,
      alias: 'disk',
      status: 'open',
      acknowledged: false,
      count: 1,
      cycle: 1,
      version: 1,
      notifications: { kind: 'active' },
      flowStartedAt: new Date(ACCEPTED_AT),
      createdAt: new Date(ACCEPTED_AT),
      responders: [{ type: 'team', id: 'id-of-Ops' }],
    });
    expect(only(changes.statuses)).toMatchObject({
      action: 'Create',
      success: true,
      status: 'Created alert',
      alertId: command.alert.alertId,
      alias: 'disk',
    });
    expect(only(changes.events)).toMatchObject({ version: 1, facts: [{ kind: 'created', actor: 'Alert API' }] });
    expect(only(changes.logs).log).toBe('Alert created via API[Default API-Create Alert]');
  });

  it('takes its id as alias when it names none', () => {
    const command = create('');
    expect(only(apply([command]).inserted).alias).toBe(command.alert.alertId);
  });

  it('keeps each tag once, and no empty one', () => {
    const { inserted } = apply([create('disk', { alert: { tags: ['b', '', 'a', 'b'] } })]);
    expect(only(inserted).tags).toEqual(['b', 'a']);
  });

  it('keeps its note as the first note, owned by its user', () => {
    const changes = apply([create('disk', { note: 'it smells', actor: 'ada' })]);
    expect(only(changes.notes)).toMatchObject({ note: 'it smells', owner: 'ada' });
  });

  it('names each responder once, and says which were unknown and what was cut', () => {
    const responders = [
      { type: 'user', name: 'ada@example.com' },
      { type: 'user', id: 'id-of-ada@example.com' },
      { type: 'team', name: 'Missing' },
    ] as const;
    const changes = apply(
      [create('disk', { alert: { responders: [...responders], remarks: ['2 tags were left out'] } })],
      EMPTY,
      {
        ...CONTEXT,
        resolve: ({ id, name }) =>
          name === 'Missing' ? { kind: 'unknown' } : { kind: 'known', id: id ?? `id-of-${name ?? ''}`, name: '' },
      },
    );
    expect(only(changes.inserted).responders).toEqual([{ type: 'user', id: 'id-of-ada@example.com' }]);
    expect(changes.logs.map(({ log }) => log)).toEqual([
      'Alert created via API[Default API-Create Alert]',
      '2 tags were left out',
      'Unknown responders, left out: team [Missing]',
    ]);
  });

  it('that was dropped by an action is processed as success without an alert', () => {
    const changes = apply([create('disk', { dropped: 'Ignored by action [Quiet]' })]);
    expect(changes.inserted).toHaveLength(0);
    expect(only(changes.statuses)).toMatchObject({
      success: true,
      status: 'Ignored by action [Quiet]',
      alertId: '',
      alias: '',
    });
  });
});

describe('a create under an open alias', () => {
  it('increases the count, and changes nothing that other services use', () => {
    const first = create('disk');
    const second = create('disk', {
      at: '2026-01-05T08:01:00.000Z',
      note: 'again',
      alert: { message: 'Other', priority: 'P1', tags: ['x'] },
    });
    const stored = after(EMPTY, apply([first]));
    const changes = apply([second], stored);
    const [before] = stored.alerts;
    const repeated = only(changes.updated);
    expect(repeated).toMatchObject({ count: 2, lastOccurredAt: new Date('2026-01-05T08:01:00.000Z') });
    const counting = ['count', 'lastOccurredAt', 'version', 'lastPosition'];
    const same = Object.entries(repeated).filter(([field]) => !counting.includes(field));
    expect(before).toMatchObject(Object.fromEntries(same));
    expect(changes.notes).toHaveLength(0);
    expect(only(changes.statuses)).toMatchObject({ success: true, alertId: first.alert.alertId });
  });

  it('counts on an acknowledged alert without opening it again', () => {
    const changes = apply([create('disk'), acknowledge(byAlias('disk')), create('disk')]);
    expect(only(changes.inserted)).toMatchObject({ count: 2, acknowledged: true, cycle: 1 });
  });

  it('makes one alert with count 50 of fifty creates in one batch, and only the first is published', () => {
    const changes = apply(Array.from({ length: 50 }, () => pagingCreate('disk')));
    expect(only(changes.inserted).count).toBe(50);
    expect(changes.statuses).toHaveLength(50);
    expect(only(changes.events)).toMatchObject({ version: 1, facts: [{ kind: 'created' }] });
  });

  it('is not counted for a recovery mail, which makes an alert if none is open (P10)', () => {
    const first = apply([create('disk', { recovery: true }), create('disk', { recovery: true }), create('disk')]);
    expect(only(first.inserted)).toMatchObject({ count: 2 });
    expect(first.statuses.map(({ status }) => status)).toEqual([
      'Created alert',
      'Recovery mail: no action closes the alert, which stays open',
      'Created alert',
    ]);
  });

  it('is logged for the first 100 repeats and counted without end', () => {
    const changes = apply(Array.from({ length: 140 }, () => create('disk')));
    expect(only(changes.inserted).count).toBe(140);
    expect(changes.logs).toHaveLength(101);
  });

  it('makes a new alert once the old one is closed', () => {
    const changes = apply([create('disk'), close(byAlias('disk')), create('disk')]);
    expect(changes.inserted.map(({ status, count, tinyId }) => ({ status, count, tinyId }))).toEqual([
      { status: 'closed', count: 1, tinyId: 1 },
      { status: 'open', count: 1, tinyId: 2 },
    ]);
  });
});
