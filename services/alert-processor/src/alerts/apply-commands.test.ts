import { describe, expect, it } from '@jest/globals';
import { acknowledge, addNote, byAlias, byId, close, create, pagingCreate } from '../testing/commands-samples.ts';
import { after, EMPTY, only, apply } from '../testing/apply-samples.ts';

describe('an acknowledgement', () => {
  const ack = (actor: string) => acknowledge(byAlias('disk'), { actor, at: '2026-01-05T08:00:11.751Z' });

  it('makes the actor the owner and reports the milliseconds since the creation', () => {
    const changes = apply([pagingCreate('disk'), ack('ada')]);
    expect(only(changes.inserted)).toMatchObject({
      acknowledged: true,
      seen: true,
      owner: 'ada',
      report: { ackTimeMs: 11_751, acknowledgedBy: 'ada' },
      version: 2,
    });
    expect(changes.events.map(({ facts }) => facts[0]?.kind)).toEqual(['created', 'acknowledged']);
  });

  it('repeated is processed as success and changes nothing', () => {
    const stored = after(EMPTY, apply([create('disk'), ack('ada')]));
    const changes = apply([ack('bob')], stored);
    expect(only(changes.statuses)).toMatchObject({ success: true, status: 'Acknowledged alert' });
    expect(changes).toMatchObject({ inserted: [], updated: [], logs: [], notes: [], events: [] });
  });

  it('repeated still keeps its note (A4)', () => {
    const stored = after(EMPTY, apply([create('disk'), ack('ada')]));
    const changes = apply([{ ...ack('bob'), note: 'on it as well' }], stored);
    expect(only(changes.statuses)).toMatchObject({ success: true, status: 'Acknowledged alert' });
    expect(only(changes.notes)).toMatchObject({ note: 'on it as well', owner: 'bob' });
    expect(only(changes.updated)).toMatchObject({ owner: 'ada', report: { acknowledgedBy: 'ada' } });
  });

  it('of a closed alert is processed as failed', () => {
    const command = create('disk');
    const stored = after(EMPTY, apply([command, close(byAlias('disk'))]));
    const changes = apply([acknowledge(byId(command.alert.alertId))], stored);
    expect(only(changes.statuses)).toMatchObject({ success: false, alertId: '', alias: '' });
    expect(changes.updated).toHaveLength(0);
  });

  it('accepted before the creation, by a clock that lags, is reported as 0 ms', () => {
    const changes = apply([create('disk'), acknowledge(byAlias('disk'), { at: '2026-01-05T07:59:59.000Z' })]);
    expect(only(changes.inserted).report?.ackTimeMs).toBe(0);
  });
});

describe('a close', () => {
  it('by alias finds the open alert only', () => {
    const changes = apply([create('disk'), close(byAlias('disk')), close(byAlias('disk'))]);
    expect(changes.statuses.map(({ success, status }) => ({ success, status }))).toEqual([
      { success: true, status: 'Created alert' },
      { success: true, status: 'Closed alert' },
      { success: false, status: 'Alert does not exist' },
    ]);
  });

  it('repeated by id or tiny id is processed as success and keeps the first report', () => {
    const command = create('disk');
    const stored = after(
      EMPTY,
      apply([command, close(byAlias('disk'), { actor: 'ada', at: '2026-01-05T08:01:00.000Z' })]),
    );
    const changes = apply([close(byId(command.alert.alertId)), close({ type: 'tiny', value: '1' })], stored);
    expect(changes.statuses.map(({ success }) => success)).toEqual([true, true]);
    expect(changes.updated).toHaveLength(0);
    expect(stored.alerts[0]?.report).toEqual({ closeTimeMs: 60_000, closedBy: 'ada' });
  });

  it('leaves an alert that no user acknowledged unacknowledged', () => {
    expect(only(apply([create('disk'), close(byAlias('disk'))]).inserted).acknowledged).toBe(false);
  });
});

describe('a close of a tool (Q3)', () => {
  const hook = { preset: 'grafana' };
  const ok = (rest: Parameters<typeof close>[1] = {}) => close(byAlias('disk'), { hook, ...rest });

  it('is a success where no alert is open, and its status says that there is nothing to close', () => {
    const changes = apply([ok(), create('disk'), ok(), ok()]);
    const nothing = { success: true, status: 'No open alert has the alias [disk]: nothing to close', alertId: '' };
    expect(changes.statuses).toMatchObject([
      nothing,
      { status: 'Created alert' },
      { success: true, status: 'Closed alert' },
      nothing,
    ]);
    expect(only(changes.inserted)).toMatchObject({ status: 'closed', version: 2 });
  });

  it('is one where only other teams have opened the alias', () => {
    const integration = { id: 'i-2', name: 'Red', type: 'Grafana', ownerTeamId: 'red' };
    const changes = apply([create('disk'), ok({ integration })]);
    expect(changes.statuses.map(({ success }) => success)).toEqual([true, true]);
    expect(only(changes.inserted).status).toBe('open');
  });

  it('that found nothing to close closes no later alert when its message is delivered again (Q6)', () => {
    const mail = { key: 'm1', hasMessageId: true };
    const commands = [ok({ mail }), create('disk'), ok({ mail }), ok({ mail })];
    const status = `Repeated message of request ${commands[0]?.requestId ?? ''}`;
    const changes = apply(commands);
    expect(changes.statuses.map((one) => one.status).slice(2)).toEqual([status, status]);
    expect(only(changes.inserted).status).toBe('open');
  });

  it('is none for an acknowledgement and a note, which a user expects to be kept (A7)', () => {
    const changes = apply([acknowledge(byAlias('disk'), { hook }), addNote(byAlias('disk'), 'n', { hook })]);
    expect(changes.statuses.map(({ success }) => success)).toEqual([false, false]);
  });
});

describe('a note', () => {
  it('is kept, logged and published, also on a closed alert', () => {
    const command = pagingCreate('disk');
    const changes = apply([command, close(byAlias('disk')), addNote(byId(command.alert.alertId), 'was the fan')]);
    expect(only(changes.notes)).toMatchObject({ note: 'was the fan', owner: 'Alert API' });
    expect(changes.events.at(-1)?.facts).toMatchObject([{ kind: 'noted', note: 'was the fan' }]);
  });
});

describe('any command', () => {
  it.each([acknowledge(byId('none')), close(byAlias('none')), addNote({ type: 'tiny', value: '9' }, 'x')])(
    'on an alert that is not there is processed as `Alert does not exist`: $kind',
    (command) => {
      expect(only(apply([command]).statuses)).toMatchObject({
        success: false,
        status: 'Alert does not exist',
        alertId: '',
        alias: '',
      });
    },
  );

  it('of a team key reaches only alerts that name its team', () => {
    const seen = create('seen', { alert: { visibleTo: [{ type: 'team', id: 'red' }] } });
    const stored = after(EMPTY, apply([seen, create('hidden')]));
    const integration = { id: 'i-2', name: 'Red', type: 'API', ownerTeamId: 'red' };
    const changes = apply([close(byAlias('seen'), { integration }), close(byAlias('hidden'), { integration })], stored);
    expect(changes.statuses.map(({ status }) => status)).toEqual(['Closed alert', 'Alert does not exist']);
    expect(only(changes.updated).alias).toBe('seen');
  });

  it('of a team key reaches alerts that came through an integration of its team', () => {
    const integration = { id: 'i-2', name: 'Red', type: 'API', ownerTeamId: 'red' };
    const changes = apply([create('disk', { integration }), close(byAlias('disk'), { integration })]);
    expect(changes.statuses.map(({ success }) => success)).toEqual([true, true]);
  });
});
