import { describe, expect, it } from '@jest/globals';
import type { AlertCommand, WebhookCommand } from '@tocsin/events';
import { create, addNote, acknowledge, byAlias, close, order } from '../testing/commands-samples.ts';
import { after, CONTEXT, EMPTY } from '../testing/apply-samples.ts';
import type { Step } from '../testing/flow-samples.ts';
import { applyCommands, type CommandContext, type StoredState } from '../alerts/apply-commands.ts';
import { applyDueActions } from '../alerts/apply-due.ts';
import type { WebhookEvent } from './webhook-event.ts';

const telling: CommandContext = {
  ...CONTEXT,
  resolve: ({ id, name }) => ({ kind: 'known', id: id ?? `id-of-${name ?? ''}`, name: name ?? '' }),
  hasWebhooks: true,
};
const disk = byAlias('disk');
const opened = create('disk', { alert: { tags: ['a'], actions: ['Restart'] } });
const { alertId } = opened.alert;
const END = '2026-01-05T09:00:00.000Z';
type Own = Parameters<typeof order>[1];
const about = (own: Own, options: Parameters<typeof order>[2] = {}) => order(disk, own, options);

/** Does the due work at an instant. */
const elapsed = ({ alerts }: StoredState, at: Date) => ({
  ...applyDueActions(alerts, { ...telling, until: at, processedAt: at }),
  statuses: [],
});

/** The webhookEvents of the last of `steps`, each of its own on an alert without responders. */
function webhookEvents(...steps: readonly Step[]): readonly WebhookEvent[] {
  let stored = EMPTY;
  let last: readonly WebhookEvent[] = [];
  for (const step of [opened, ...steps]) {
    const changes = step instanceof Date ? elapsed(stored, step) : applyCommands([step], stored, telling);
    last = changes.webhookEvents;
    stored = after(stored, changes);
  }
  return last;
}

describe('a change of an alert, in the words of integrations', () => {
  const user = { type: 'user', name: 'ada@example.com' } as const;
  it.each<[WebhookCommand['action'], readonly AlertCommand[], object]>([
    ['Create', [], {}],
    ['Acknowledge', [acknowledge(disk, { note: 'mine' })], { note: 'mine' }],
    ['UnAcknowledge', [acknowledge(disk), about({ kind: 'unacknowledge' })], {}],
    ['Snooze', [about({ kind: 'snooze', endTime: END })], { snoozedUntil: END }],
    [
      'EscalateToNext',
      [about({ kind: 'escalate', escalation: { type: 'escalation', id: 'e1' } })],
      { responder: { type: 'escalation', id: 'e1' } },
    ],
    ['AddNote', [addNote(disk, 'looking')], { note: 'looking' }],
    ['AddNote', [acknowledge(disk), acknowledge(disk, { note: 'again' })], { note: 'again' }],
    [
      'AddRecipient',
      [about({ kind: 'add-responder', responder: { type: 'schedule', id: 's1' } })],
      { responder: { type: 'schedule', id: 's1' } },
    ],
    [
      'AddTeam',
      [about({ kind: 'add-team', responder: { type: 'team', id: 't1' } })],
      { responder: { type: 'team', id: 't1' } },
    ],
    [
      'AddTeam',
      [about({ kind: 'add-responder', responder: { type: 'team', id: 't1' } })],
      { responder: { type: 'team', id: 't1' } },
    ],
    ['AddTags', [about({ kind: 'add-tags', tags: ['a', 'b', 'c'] })], { tags: ['b', 'c'] }],
    ['RemoveTags', [about({ kind: 'remove-tags', tags: ['a', 'z'] })], { tags: ['a'] }],
    ['Close', [close(disk)], {}],
    ['Delete', [about({ kind: 'delete' })], {}],
    ['CustomAction', [about({ kind: 'execute-action', action: 'Restart' })], { customAction: 'Restart' }],
    [
      'AssignOwnership',
      [about({ kind: 'assign', owner: user }, { actor: 'bob@example.com' })],
      { responder: { type: 'user', id: 'id-of-ada@example.com' } },
    ],
    ['TakeOwnership', [about({ kind: 'assign', owner: user }, { actor: 'Ada@Example.com' })], {}],
    ['Update', [about({ kind: 'update-message', message: 'Fuller' })], { alert: { message: 'Fuller' } }],
    ['Update', [about({ kind: 'add-details', details: { rack: '7' } })], {}],
    ['Update', [about({ kind: 'update-priority', priority: 'P1' })], { alert: { priority: 'P1' } }],
    [
      'Update',
      [create('disk', { alert: { priority: 'P1' }, hook: { preset: 'zabbix' } })],
      { alert: { priority: 'P1' } },
    ],
  ])('is %s', (action, commands, more) => {
    expect(webhookEvents(...commands)).toMatchObject([{ action, ...more, alert: { id: alertId } }]);
  });

  it('is UnAcknowledge if the end of a snooze undoes an acknowledgement, and Update if there was none', () => {
    const snooze = about({ kind: 'snooze', endTime: END });
    expect(webhookEvents(acknowledge(disk), snooze, new Date(END))).toMatchObject([{ action: 'UnAcknowledge' }]);
    expect(webhookEvents(snooze, new Date(END)).map(({ action }) => action)).toEqual(['Update']);
  });

  it.each<[string, readonly AlertCommand[]]>([
    ['a repeat', [create('disk')]],
    ['a second acknowledgement', [acknowledge(disk), acknowledge(disk)]],
    ['a text that the alert has already', [about({ kind: 'update-message', message: opened.alert.message })]],
    ['tags that the alert has already', [about({ kind: 'add-tags', tags: ['a'] })]],
    ['a refused command', [close(disk), acknowledge(byAlias('disk'))]],
  ])('is nothing for %s', (_, commands) => {
    expect(webhookEvents(...commands)).toEqual([]);
  });

  it('is one event for each responder that joins later, once they can be looked up', () => {
    const unavailable = { ...telling, resolve: () => ({ kind: 'unreachable' as const }) };
    const first = applyCommands(
      [
        create('disk', {
          alert: {
            responders: [
              { type: 'team', id: 't1' },
              { type: 'user', id: 'u1' },
            ],
          },
        }),
      ],
      EMPTY,
      unavailable,
    );
    expect(first.webhookEvents.map(({ action }) => action)).toEqual(['Create']);
    const found = elapsed(after(EMPTY, first), new Date(END));
    expect(found.webhookEvents.map(({ action, responder }) => [action, responder?.id])).toEqual([
      ['AddTeam', 't1'],
      ['AddRecipient', 'u1'],
    ]);
  });

  it('is not computed if no integration wants webhooks', () => {
    expect(applyCommands([opened], EMPTY, CONTEXT).webhookEvents).toEqual([]);
  });
});
