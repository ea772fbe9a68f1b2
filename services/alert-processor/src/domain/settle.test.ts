import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AlertCommand } from '@tocsin/contracts';
import type { Alert } from './alert.ts';
import { ACCEPTED_AT, acknowledge, addNote, byAlias, byId, close, create, timer } from './commands.samples.ts';
import { comparePositions } from './position.ts';
import { settleCommands, type Changes, type Means, type World } from './settle.ts';

const means: Means = {
  resolve: ({ id, name }) => ({ kind: 'known', id: id ?? `id-of-${name ?? ''}`, name: '' }),
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:00.050Z'),
};
const EMPTY: World = { settled: new Set(), alerts: [] };

const settle = (commands: readonly AlertCommand[], world = EMPTY, given = means): Changes =>
  settleCommands(commands, world, given);

/** The world after `changes`, as the next batch finds it. */
function after(world: World, { inserted, updated, statuses }: Changes): World {
  const alerts = new Map(world.alerts.map((alert) => [alert.id, alert]));
  for (const alert of [...updated, ...inserted]) alerts.set(alert.id, alert);
  return {
    settled: new Set([...world.settled, ...statuses.map(({ requestId }) => requestId)]),
    alerts: [...alerts.values()],
  };
}

function only<T>(items: readonly T[]): T {
  expect(items).toHaveLength(1);
  return items[0] as T;
}

describe('a create', () => {
  it('makes an open alert whose flow starts at its acceptance', () => {
    const command = create('disk', { alert: { responders: [{ type: 'team', name: 'Ops' }] } });
    const changes = settle([command]);
    expect(only(changes.inserted)).toMatchObject({
      id: command.alert.alertId,
      tinyId: 1,
      alias: 'disk',
      status: 'open',
      acknowledged: false,
      count: 1,
      cycle: 1,
      version: 1,
      verdict: { kind: 'go' },
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
    expect(only(settle([command]).inserted).alias).toBe(command.alert.alertId);
  });

  it('keeps its note as the first note, owned by its user', () => {
    const changes = settle([create('disk', { note: 'it smells', actor: 'ada' })]);
    expect(only(changes.notes)).toMatchObject({ note: 'it smells', owner: 'ada' });
  });

  it('names each responder once, and says which were unknown and what was cut', () => {
    const responders = [
      { type: 'user', name: 'ada@example.com' },
      { type: 'user', id: 'id-of-ada@example.com' },
      { type: 'team', name: 'Nobody' },
    ] as const;
    const changes = settle(
      [create('disk', { alert: { responders: [...responders], cut: ['2 tags were left out'] } })],
      EMPTY,
      {
        ...means,
        resolve: ({ id, name }) =>
          name === 'Nobody' ? { kind: 'unknown' } : { kind: 'known', id: id ?? `id-of-${name ?? ''}`, name: '' },
      },
    );
    expect(only(changes.inserted).responders).toEqual([{ type: 'user', id: 'id-of-ada@example.com' }]);
    expect(changes.logs.map(({ log }) => log)).toEqual([
      'Alert created via API[Default API-Create Alert]',
      '2 tags were left out',
      'Unknown responders, left out: team [Nobody]',
    ]);
  });

  it('that an action dropped settles as success without an alert', () => {
    const changes = settle([create('disk', { dropped: 'Ignored by action [Quiet]' })]);
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
  it('counts, and changes nothing else that others act on', () => {
    const first = create('disk');
    const second = create('disk', {
      at: '2026-01-05T08:01:00.000Z',
      note: 'again',
      alert: { message: 'Other', priority: 'P1', tags: ['x'] },
    });
    const world = after(EMPTY, settle([first]));
    const changes = settle([second], world);
    const [before] = world.alerts;
    const repeated = only(changes.updated);
    expect(repeated).toMatchObject({ count: 2, lastOccurredAt: new Date('2026-01-05T08:01:00.000Z') });
    const counting = ['count', 'lastOccurredAt', 'updatedAt', 'version', 'lastPosition'];
    const same = Object.entries(repeated).filter(([field]) => !counting.includes(field));
    expect(before).toMatchObject(Object.fromEntries(same));
    expect(changes.notes).toHaveLength(0);
    expect(only(changes.statuses)).toMatchObject({ success: true, alertId: first.alert.alertId });
  });

  it('counts on an acknowledged alert without opening it again', () => {
    const changes = settle([create('disk'), acknowledge(byAlias('disk')), create('disk')]);
    expect(only(changes.inserted)).toMatchObject({ count: 2, acknowledged: true, cycle: 1 });
  });

  it('makes one alert with count 50 of fifty creates in one batch, and one event for all repeats', () => {
    const changes = settle(Array.from({ length: 50 }, () => create('disk')));
    expect(only(changes.inserted).count).toBe(50);
    expect(changes.statuses).toHaveLength(50);
    expect(only(changes.events).facts.map(({ kind }) => kind)).toEqual([
      'created',
      ...Array<string>(49).fill('repeated'),
    ]);
  });

  it('is logged for the first 100 repeats and counted without end', () => {
    const changes = settle(Array.from({ length: 140 }, () => create('disk')));
    expect(only(changes.inserted).count).toBe(140);
    expect(changes.logs).toHaveLength(101);
  });

  it('makes a new alert once the old one is closed', () => {
    const changes = settle([create('disk'), close(byAlias('disk')), create('disk')]);
    expect(changes.inserted.map(({ status, count, tinyId }) => ({ status, count, tinyId }))).toEqual([
      { status: 'closed', count: 1, tinyId: 1 },
      { status: 'open', count: 1, tinyId: 2 },
    ]);
  });
});

describe('an acknowledgement', () => {
  const ack = (actor: string) => acknowledge(byAlias('disk'), { actor, at: '2026-01-05T08:00:11.751Z' });

  it('makes the actor the owner and reports the milliseconds since the creation', () => {
    const changes = settle([create('disk'), ack('ada')]);
    expect(only(changes.inserted)).toMatchObject({
      acknowledged: true,
      seen: true,
      owner: 'ada',
      report: { ackTimeMs: 11_751, acknowledgedBy: 'ada' },
      version: 2,
    });
    expect(changes.events.map(({ facts }) => facts[0]?.kind)).toEqual(['created', 'acknowledged']);
  });

  it('repeated settles as success and changes nothing', () => {
    const world = after(EMPTY, settle([create('disk'), ack('ada')]));
    const changes = settle([ack('bob')], world);
    expect(only(changes.statuses)).toMatchObject({ success: true, status: 'Acknowledged alert' });
    expect(changes).toMatchObject({ inserted: [], updated: [], logs: [], notes: [], events: [] });
  });

  it('of a closed alert settles as failed', () => {
    const command = create('disk');
    const world = after(EMPTY, settle([command, close(byAlias('disk'))]));
    const changes = settle([acknowledge(byId(command.alert.alertId))], world);
    expect(only(changes.statuses)).toMatchObject({ success: false, alertId: '', alias: '' });
    expect(changes.updated).toHaveLength(0);
  });

  it('accepted before the creation by a clock that lags is reported as 0 ms', () => {
    const changes = settle([create('disk'), acknowledge(byAlias('disk'), { at: '2026-01-05T07:59:59.000Z' })]);
    expect(only(changes.inserted).report?.ackTimeMs).toBe(0);
  });
});

describe('a close', () => {
  it('by alias finds the open alert only', () => {
    const changes = settle([create('disk'), close(byAlias('disk')), close(byAlias('disk'))]);
    expect(changes.statuses.map(({ success, status }) => ({ success, status }))).toEqual([
      { success: true, status: 'Created alert' },
      { success: true, status: 'Closed alert' },
      { success: false, status: 'Alert does not exist' },
    ]);
  });

  it('repeated by id or tiny id settles as success and keeps the first report', () => {
    const command = create('disk');
    const world = after(
      EMPTY,
      settle([command, close(byAlias('disk'), { actor: 'ada', at: '2026-01-05T08:01:00.000Z' })]),
    );
    const changes = settle([close(byId(command.alert.alertId)), close({ type: 'tiny', value: '1' })], world);
    expect(changes.statuses.map(({ success }) => success)).toEqual([true, true]);
    expect(changes.updated).toHaveLength(0);
    expect(world.alerts[0]?.report).toEqual({ closeTimeMs: 60_000, closedBy: 'ada' });
  });

  it('leaves an alert that nobody acknowledged unacknowledged', () => {
    expect(only(settle([create('disk'), close(byAlias('disk'))]).inserted).acknowledged).toBe(false);
  });
});

describe('a note', () => {
  it('is kept, logged and told, also on a closed alert', () => {
    const command = create('disk');
    const changes = settle([command, close(byAlias('disk')), addNote(byId(command.alert.alertId), 'was the fan')]);
    expect(only(changes.notes)).toMatchObject({ note: 'was the fan', owner: 'Alert API' });
    expect(changes.events.at(-1)?.facts).toMatchObject([{ kind: 'noted', note: 'was the fan' }]);
  });
});

describe('any command', () => {
  it.each([acknowledge(byId('none')), close(byAlias('none')), addNote({ type: 'tiny', value: '9' }, 'x')])(
    'on an alert that is not there settles as `Alert does not exist`: $kind',
    (command) => {
      expect(only(settle([command]).statuses)).toMatchObject({
        success: false,
        status: 'Alert does not exist',
        alertId: '',
        alias: '',
      });
    },
  );

  it('of a team key reaches only alerts that name its team', () => {
    const seen = create('seen', { alert: { visibleTo: [{ type: 'team', id: 'red' }] } });
    const world = after(EMPTY, settle([seen, create('hidden')]));
    const integration = { id: 'i-2', name: 'Red', type: 'API', ownerTeamId: 'red' };
    const changes = settle([close(byAlias('seen'), { integration }), close(byAlias('hidden'), { integration })], world);
    expect(changes.statuses.map(({ status }) => status)).toEqual(['Closed alert', 'Alert does not exist']);
    expect(only(changes.updated).alias).toBe('seen');
  });

  it('of a team key may touch what came through an integration of its team', () => {
    const integration = { id: 'i-2', name: 'Red', type: 'API', ownerTeamId: 'red' };
    const changes = settle([create('disk', { integration }), close(byAlias('disk'), { integration })]);
    expect(changes.statuses.map(({ success }) => success)).toEqual([true, true]);
  });
});

describe('responders whose owner could not be asked', () => {
  const away: Means = { ...means, resolve: () => ({ kind: 'unreachable' }) };
  const command = create('disk', { alert: { responders: [{ type: 'team', name: 'Ops' }] } });
  const alertId = command.alert.alertId;

  it('leave the alert settled, with a timer to try again', () => {
    const changes = settle([command], EMPTY, away);
    expect(only(changes.inserted)).toMatchObject({ responders: [], unresolved: { attempt: 1 } });
    expect(only(changes.timers)).toEqual({
      timerId: `resolve:${alertId}`,
      fence: 1,
      dueAt: new Date('2026-01-05T08:00:02.000Z'),
      alertId,
    });
  });

  it('join when they are found, and the flow starts again with them', () => {
    const world = after(EMPTY, settle([command], EMPTY, away));
    const changes = settle([timer(alertId, 1, { at: '2026-01-05T08:00:02.000Z' })], world);
    expect(only(changes.updated)).toMatchObject({
      responders: [{ type: 'team', id: 'id-of-Ops' }],
      unresolved: undefined,
      cycle: 2,
      flowStartedAt: new Date('2026-01-05T08:00:02.000Z'),
    });
    expect(only(changes.events)).toMatchObject({ version: 2, state: { cycle: 2 }, facts: [] });
  });

  it('join an acknowledged alert without waking anybody', () => {
    const world = after(EMPTY, settle([command, acknowledge(byAlias('disk'))], EMPTY, away));
    expect(only(settle([timer(alertId, 1)], world).updated)).toMatchObject({ cycle: 1, acknowledged: true });
  });

  it('are tried again later and later while nobody answers', () => {
    const world = after(EMPTY, settle([command], EMPTY, away));
    const changes = settle([timer(alertId, 1)], world, away);
    expect(only(changes.timers)).toMatchObject({ fence: 2, dueAt: new Date('2026-01-05T08:00:04.000Z') });
    expect(only(changes.updated)).toMatchObject({ unresolved: { attempt: 2 }, cycle: 1 });
  });

  it('are left alone by a timer of an earlier try, and on a closed alert', () => {
    const world = after(EMPTY, settle([command], EMPTY, away));
    expect(settle([timer(alertId, 7)], world).updated).toHaveLength(0);
    const shut = after(world, settle([close(byAlias('disk'))], world));
    expect(settle([timer(alertId, 1)], shut).updated).toHaveLength(0);
  });
});

const ALIASES = ['disk', 'fan', ''] as const;
const instants = fc.integer({ min: 0, max: 600_000 }).map((ms) => new Date(Date.parse(ACCEPTED_AT) + ms).toISOString());
const commands = fc.array(
  fc.oneof(
    fc.record({ alias: fc.constantFrom(...ALIASES), at: instants }).map(({ alias, at }) => create(alias, { at })),
    fc
      .record({ alias: fc.constantFrom(...ALIASES), at: instants })
      .map(({ alias, at }) => close(byAlias(alias), { at })),
    fc
      .record({ alias: fc.constantFrom(...ALIASES), at: instants })
      .map(({ alias, at }) => acknowledge(byAlias(alias), { at })),
    fc
      .record({ tiny: fc.nat(5), at: instants })
      .map(({ tiny, at }) => addNote({ type: 'tiny', value: String(tiny) }, 'n', { at })),
    fc
      .record({ tiny: fc.nat(5), at: instants })
      .map(({ tiny, at }) => close({ type: 'tiny', value: String(tiny) }, { at })),
  ),
  { maxLength: 40 },
);

describe('always', () => {
  it('the same command twice is once', () => {
    fc.assert(
      fc.property(commands, (batch) => {
        expect(settle([...batch, ...batch])).toEqual(settle(batch));
        const world = after(EMPTY, settle(batch));
        expect(settle(batch, world)).toMatchObject({ inserted: [], updated: [], logs: [], statuses: [], events: [] });
      }),
    );
  });

  it('every command settles, once', () => {
    fc.assert(
      fc.property(commands, (batch) => {
        expect(settle(batch).statuses.map(({ requestId }) => requestId)).toEqual(
          batch.map(({ requestId }) => requestId),
        );
      }),
    );
  });

  it('a closed alert never opens again, and at most one alert of an alias is open', () => {
    fc.assert(
      fc.property(commands, (batch) => {
        const closed = new Set<string>();
        let world = EMPTY;
        for (const [index, command] of batch.entries()) {
          world = after(world, settle([command], world, { ...means, firstTinyId: index + 1 }));
          for (const alert of world.alerts) {
            expect(closed.has(alert.id) && alert.status === 'open').toBe(false);
            if (alert.status === 'closed') closed.add(alert.id);
          }
          const open = world.alerts.filter(({ status }) => status === 'open').map(({ alias }) => alias);
          expect(new Set(open).size).toBe(open.length);
        }
      }),
    );
  });

  it('how the commands are cut into batches makes no difference to the alerts', () => {
    fc.assert(
      fc.property(commands, fc.nat(40), (batch, cut) => {
        const whole = after(EMPTY, settle(batch));
        const creates = batch.slice(0, cut).filter(({ kind }) => kind === 'create').length;
        const first = after(EMPTY, settle(batch.slice(0, cut)));
        const both = after(first, settle(batch.slice(cut), first, { ...means, firstTinyId: 1 + creates }));
        const sorted = (world: World): Alert[] => [...world.alerts].sort((a, b) => a.tinyId - b.tinyId);
        expect(sorted(both)).toEqual(sorted(whole));
      }),
    );
  });

  it('the history of an alert strictly increases, the versions of its events too, and the last event is its state', () => {
    fc.assert(
      fc.property(commands, (batch) => {
        const { logs, notes, events, inserted } = settle(batch);
        for (const alert of inserted) {
          const own = [...logs, ...notes].filter(({ alertId }) => alertId === alert.id);
          const positions = own.map(({ position }) => position).sort(comparePositions);
          positions.slice(1).forEach((position, index) => {
            expect(comparePositions(positions[index] ?? position, position)).toBeLessThan(0);
          });
          const versions = events.filter(({ alertId }) => alertId === alert.id).map(({ version }) => version);
          expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
          expect(versions.at(-1)).toBe(alert.version);
        }
      }),
    );
  });
});
