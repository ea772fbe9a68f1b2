import { describe, expect, it } from '@jest/globals';
import { ALERT_SORT_FIELDS } from '@tocsin/api';
import { acknowledge, addNote, byAlias, close, create } from '../testing/commands-samples.ts';
import { decisionEntries } from '../alert-log/consumer.ts';
import { EVERYTHING, listing } from '../testing/open-storage.ts';
import { useStorage } from '../testing/mongo-fixture.ts';

const open = useStorage();
describe('the reader of alerts', () => {
  it('sorts by every field, both ways, and by id if values are equal', async () => {
    const { apply, reader } = await open();
    const at = (minute: number) => `2026-01-05T08:0${String(minute)}:00.000Z`;
    await apply(create('b', { at: at(1), source: 'x' }), create('a', { at: at(2) }), create('a', { at: at(4) }));
    await apply(create('c', { at: at(3) }), acknowledge(byAlias('b'), { actor: 'ada' }), close(byAlias('c')));
    for (const sort of ALERT_SORT_FIELDS) {
      const up = await reader.list({ ...listing, sort });
      const down = await reader.list({ ...listing, sort, order: 'desc' });
      expect(up.map(({ id }) => id)).toEqual(down.map(({ id }) => id).toReversed());
      expect(up).toHaveLength(3);
    }
  });

  it('orders by the value; alerts without one come first', async () => {
    const { apply, aliases } = await open();
    await apply(create('b'), create('a'), create('c'), create('c'));
    await apply(acknowledge(byAlias('b'), { actor: 'ada', at: '2026-01-05T08:09:00.000Z' }));
    expect(await aliases({ sort: 'alias' })).toEqual(['a', 'b', 'c']);
    expect(await aliases({ sort: 'count', order: 'desc', limit: 1 })).toEqual(['c']);
    expect(await aliases({ sort: 'isSeen', order: 'desc', limit: 1 })).toEqual(['b']);
    expect(await aliases({ sort: 'report.ackTime', offset: 2 })).toEqual(['b']);
    expect(await aliases({ sort: 'tinyId', order: 'desc', offset: 1, limit: 1 })).toEqual(['a']);
  });

  it('shows a team the alerts that name it, and no others', async () => {
    const { apply, reader, aliases } = await open();
    await apply(
      create('responder', { alert: { responders: [{ type: 'team', id: 'red' }] } }),
      create('visible', { alert: { visibleTo: [{ type: 'team', id: 'red' }] } }),
      create('owned', { integration: { id: 'i', name: 'Red', type: 'API', ownerTeamId: 'red' } }),
      create('user', { alert: { responders: [{ type: 'user', id: 'red' }] } }),
      create('other', { alert: { responders: [{ type: 'team', id: 'blue' }] } }),
    );
    expect(await aliases({ teamId: 'red', sort: 'alias' })).toEqual(['owned', 'responder', 'visible']);
    expect(await reader.count({ ...EVERYTHING, teamId: 'red' }, 10)).toBe(3);
    expect(await reader.count({ ...EVERYTHING, teamId: 'red' }, 2)).toBe(2);
    expect(await reader.count({ ...EVERYTHING, teamId: 'red' }, Number.MAX_SAFE_INTEGER)).toBe(3);
    expect(await reader.count(EVERYTHING, 10)).toBe(5);
    expect(await reader.estimate()).toBe(5);
  });

  it('gives the history of one alert from a cursor, exclusively, both ways', async () => {
    const { apply, reader } = await open();
    const command = create('disk');
    await apply(command, create('other'), ...['1', '2', '3'].map((note) => addNote(byAlias('disk'), note)));
    const page = { alertId: command.alert.alertId, after: undefined, limit: 10 } as const;
    const all = await reader.notes({ ...page, order: 'asc' });
    expect(all.map(({ note }) => note)).toEqual(['1', '2', '3']);
    const after = all[1]?.position;
    expect((await reader.notes({ ...page, after, order: 'asc' })).map(({ note }) => note)).toEqual(['3']);
    expect((await reader.notes({ ...page, after, order: 'desc' })).map(({ note }) => note)).toEqual(['1']);
    expect((await reader.notes({ ...page, order: 'desc', limit: 2 })).map(({ note }) => note)).toEqual(['3', '2']);
    expect(await reader.logs({ ...page, order: 'asc' })).toHaveLength(4);
  });

  it('lists which users the flow of an alert reached, which were notified, and which acted', async () => {
    const { decisionLog, reader, apply } = await open();
    const [command, other] = [create('disk'), create('fan')];
    const { alertId } = command.alert;
    const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 8, 0, second));
    const entries = (about: string, user: string, second: number, stage: 'route' | 'deliver') =>
      decisionEntries({
        decisionId: `${stage}:${about}:${user}`,
        alertId: about,
        stage,
        at: at(second).toISOString(),
        findings: [
          { subject: 'rule', outcome: 'skipped', text: 'Skipped', facts: { userId: 'x', username: 'x' } },
          {
            subject: stage === 'route' ? 'page' : 'delivery',
            outcome: stage === 'route' ? 'paged' : 'sent',
            text: 'Said',
            facts: { userId: `id-of-${user}`, username: user, method: 'email' },
          },
        ],
      });
    await apply(command, other);
    await decisionLog.append([
      ...[...entries(alertId, 'grace', 3, 'deliver'), ...entries(alertId, 'ada', 2, 'route')],
      ...[...entries(alertId, 'grace', 1, 'route'), ...entries(other.alert.alertId, 'edsger', 1, 'route')],
    ]);
    await apply(close(byAlias('disk'), { actor: 'ada', at: at(4).toISOString() }));
    const rows = [
      {
        userId: 'id-of-grace',
        username: 'grace',
        state: 'active',
        method: 'email',
        createdAt: at(1),
        updatedAt: at(3),
      },
      {
        userId: 'id-of-ada',
        username: 'ada',
        state: 'action',
        method: 'Close',
        createdAt: at(2),
        updatedAt: at(4),
      },
    ];
    expect(await reader.recipients(alertId, 10)).toEqual(rows);
    expect(await reader.recipients(alertId, 1)).toEqual(rows.slice(0, 1));
    expect(await reader.recipients('nothing', 10)).toEqual([]);
  });
});
