import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALERT_ACTIONS, type ConditionSet, type IntegrationState } from '@tocsin/events';
import { create } from '../testing/commands-samples.ts';
import { aMaintenance, anIntegration, disabledIntegration } from '../testing/maintenance-samples.ts';
import { only, apply } from '../testing/apply-samples.ts';
import { equals, webhook } from '../testing/webhook-samples.ts';
import { maySee } from '../alerts/alert.ts';
import type { WebhookEvent } from './webhook-event.ts';
import { selectWebhooks, webhookCommand, webhookRules } from './webhook-rules.ts';

const opened = create('disk', { alert: { tags: ['db'], priority: 'P1', responders: [{ type: 'team', id: 't1' }] } });
const alert = only(apply([opened]).inserted);
const event: WebhookEvent = { action: 'Create', cause: opened, alert };
const CONTEXT = { nameOf: (_: string, id: string) => (id === 't1' ? 'Ops' : undefined), maintenances: [] };

const teams = (most: number) => Array.from({ length: most }, (_, n) => ({ type: 'team', id: `t${n + 1}` }) as const);

const selected = (integrations: readonly IntegrationState[], of: WebhookEvent = event, context = CONTEXT) => {
  const rules = webhookRules(integrations);
  return rules === undefined ? [] : selectWebhooks(rules, of, context);
};

describe('the integrations that select an event', () => {
  it('are those that list the action', () => {
    const integrations = [
      webhook('a', { alertActions: ['Create'] }),
      webhook('b', { alertActions: ['Close', 'AddTags'] }),
    ];
    expect(selected(integrations)).toEqual(['a']);
    expect(selected(integrations, { ...event, action: 'AddTags' })).toEqual(['b']);
    expect(selected(integrations, { ...event, action: 'Delete' })).toEqual([]);
  });

  it('are those whose filter holds for the alert, teams by id or name', () => {
    const integrations = [
      webhook('tag', { alertFilter: equals('tags', 'db') }),
      webhook('other', { alertFilter: equals('tags', 'web') }),
      webhook('name', { alertFilter: equals('teams', 'Ops') }),
      webhook('id', { alertFilter: equals('teams', 't1') }),
      webhook('priority', { alertFilter: equals('priority', 'P2') }),
    ];
    expect(selected(integrations)).toEqual(['tag', 'name', 'id']);
  });

  it('are those of a team if the team may see the alert, and those of the account always', () => {
    const integrations = [webhook('a'), webhook('own', { ownerTeamId: 't1' }), webhook('other', { ownerTeamId: 't2' })];
    expect(selected(integrations)).toEqual(['a', 'own']);
    expect(selected(integrations, { ...event, alert: { ...alert, ownerTeamId: 't2' } })).toEqual(['a', 'own', 'other']);
  });

  it('are none that is disabled, silenced by a window, or sends nothing', () => {
    const maintenance = aMaintenance({
      startsAt: new Date('2026-01-05T07:00:00.000Z'),
      endsAt: new Date('2026-01-05T09:00:00.000Z'),
      rules: [disabledIntegration('quiet')],
    });
    const integrations = [webhook('off', { enabled: false }), webhook('quiet'), anIntegration('api'), webhook('on')];
    expect(selected(integrations, event, { ...CONTEXT, maintenances: [maintenance] as never })).toEqual(['on']);
    expect(webhookRules([anIntegration('api'), webhook('off', { enabled: false })])).toBeUndefined();
  });

  it('are all channels of chat for an update, by their filters, and no webhook', () => {
    const chat = (id: string, tag: string) => ({
      ...webhook(id, { alertActions: ['Close'], alertFilter: equals('tags', tag) }),
      type: 'Slack',
    });
    const tagged = { ...event, action: 'Update' as const, alert: { ...alert, tags: ['db'] } };
    expect(selected([chat('a', 'db'), chat('b', 'web'), webhook('c')], tagged)).toEqual(['a']);
  });

  it('have filters whose total cost is bounded, and no owner pays for the filters of another', () => {
    const costly: ConditionSet = {
      type: 'match-all-conditions',
      conditions: [{ field: 'description', not: false, operation: 'matches', expectedValue: '.*h[a-h]{24}' }],
    };
    const long = { ...alert, description: 'abcdefgh'.repeat(1_800), visibleTo: teams(9) };
    const happened = { ...event, alert: long };
    const many = (ownerTeamId?: string) =>
      Array.from({ length: 20 }, (_, n) =>
        webhook(`${ownerTeamId ?? 'account'} ${n}`, { ownerTeamId, alertFilter: structuredClone(costly) }),
      );
    const alone = selected(many(), happened).length;
    expect([alone > 1, alone < 20]).toEqual([true, true]);
    const all = selected([...many(), ...teams(9).flatMap(({ id }) => many(id))], happened);
    expect(all.length).toBeLessThanOrEqual(2 * alone);
    expect(selected([...many(), webhook('plain', { ownerTeamId: 't1' })], happened).at(-1)).toBe('plain');
  });

  it('are always exactly those that are enabled, list the action, see the alert and whose filter matches', () => {
    const owners = fc.constantFrom(undefined, 't1', 't2');
    const wish = fc.record({
      enabled: fc.boolean(),
      ownerTeamId: owners,
      alertActions: fc.subarray([...ALERT_ACTIONS]),
      tag: fc.constantFrom('db', 'web'),
    });
    const change = fc.record({
      action: fc.constantFrom(...ALERT_ACTIONS),
      ownerTeamId: owners,
      tag: fc.constantFrom('db', 'web'),
    });
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 6 }), change, (wishes, { action, ownerTeamId, tag }) => {
        const happened = { ...event, action, alert: { ...alert, ownerTeamId, tags: [tag], responders: [] } };
        const integrations = wishes.map((one, n) =>
          webhook(String(n), { ...one, alertFilter: equals('tags', one.tag) }),
        );
        const expected = wishes.flatMap((one, n) =>
          one.enabled && one.alertActions.includes(action) && maySee(happened.alert, one.ownerTeamId) && one.tag === tag
            ? [String(n)]
            : [],
        );
        expect(selected(integrations, happened)).toEqual(expected);
      }),
    );
  });
});

describe('the command for an event', () => {
  it('has the state of the alert after it', () => {
    const stateOf = (of: Partial<WebhookEvent['alert']>) =>
      webhookCommand({ ...event, alert: { ...alert, ...of } }, ['a'], CONTEXT).state;
    expect(stateOf({})).toEqual({ status: 'open', acknowledged: false });
    const snoozedUntil = new Date('2026-01-05T09:00:00.000Z');
    const report = { acknowledgedBy: 'ada@example.com', closedBy: 'bob@example.com', closeTimeMs: 5 };
    expect(stateOf({ acknowledged: true, snoozedUntil, status: 'closed', report })).toEqual({
      status: 'closed',
      acknowledged: true,
      acknowledgedBy: 'ada@example.com',
      closedBy: 'bob@example.com',
      snoozedUntil: '2026-01-05T09:00:00.000Z',
    });
  });
});
