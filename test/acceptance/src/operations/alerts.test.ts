import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let scenario: Scenario;
let alias: string;

beforeEach(() => {
  scenario = system.scenario();
  alias = scenario.name('disk');
});

const open = (body: object = {}) => scenario.alert({ message: 'Disk full', alias, actions: ['Restart'], ...body });
const settled = (requestId: string) => system.api.read<Record<string, unknown>>(`/v2/alerts/requests/${requestId}`);
const alert = () => scenario.alertOf(alias);
const inAMinute = () => new Date(system.clock.now().getTime() + 60_000).toISOString();

/** The status of a processed write, and the alert after it. */
async function does(action: string, body: object = {}, method = 'POST') {
  const status = await settled(await scenario.act(alias, action, body, method));
  return [status['action'], status['status'], status['success'], await alert()];
}

describe('writes to alerts (part 1, 4.1; wire facts 4)', () => {
  it('acknowledge-alert, unacknowledge-alert: the acknowledgement is there, and taken back', async () => {
    await open();
    expect(await does('acknowledge', { user: 'Ada' })).toEqual([
      ...['Acknowledge', 'Acknowledged alert', true],
      expect.objectContaining({ acknowledged: true, isSeen: true, owner: 'Ada' }),
    ]);
    expect(await does('unacknowledge')).toEqual([
      ...['Unacknowledge', 'Unacknowledged alert', true],
      expect.objectContaining({ acknowledged: false }),
    ]);
    const again = await settled(await scenario.act(alias, 'unacknowledge'));
    expect(again).toMatchObject({ success: false, isSuccess: false, alertId: '', alias: '' });
  });

  it('snooze-alert: until its end', async () => {
    await open();
    const endTime = inAMinute();
    const [action, status, success, after] = await does('snooze', { endTime });
    expect([action, status, success]).toEqual(['Snooze', 'Snoozed alert', true]);
    const { snoozed, snoozedUntil } = after as { snoozed: boolean; snoozedUntil: string };
    expect([snoozed, Date.parse(snoozedUntil)]).toEqual([true, Date.parse(endTime)]);
    await system.pass(1);
    expect(await alert()).toMatchObject({ snoozed: false });
    expect(await alert()).not.toHaveProperty('snoozedUntil');
  });

  it('add-tags, remove-tags, add-details, remove-details: what the alert holds', async () => {
    await open({ tags: ['db'] });
    const held = (fields: object) => expect.objectContaining(fields);
    expect(await does('tags', { tags: ['hot', 'db'] })).toEqual([
      'Add Tags',
      'Added tags',
      true,
      held({ tags: ['db', 'hot'] }),
    ]);
    expect(await does('tags', { tags: ['db'] }, 'DELETE')).toEqual([
      'Remove Tags',
      'Removed tags',
      true,
      held({ tags: ['hot'] }),
    ]);
    expect(await does('details', { details: { rack: 'b2', 'a.b$': '1' } })).toEqual([
      ...['Add Details', 'Added details', true],
      held({ details: { rack: 'b2', 'a.b$': '1' } }),
    ]);
    expect(await does('details', { keys: ['rack'] }, 'DELETE')).toEqual([
      ...['Remove Details', 'Removed details', true],
      held({ details: { 'a.b$': '1' } }),
    ]);
    const tags = Array.from({ length: 20 }, (_, at) => `tag-${at}`);
    const [, status, success] = await does('tags', { tags });
    expect([status, success]).toEqual(['The alert would have more than 20 tags', false]);
  });

  it('update-message, update-description, update-priority: the new words', async () => {
    await open();
    expect(await does('message', { message: 'Fan' }, 'PUT')).toMatchObject([
      'Update Message',
      'Updated message',
      true,
      { message: 'Fan' },
    ]);
    expect(await does('description', { description: 'of db' }, 'PUT')).toMatchObject([
      ...['Update Description', 'Updated description', true],
      { description: 'of db' },
    ]);
    expect(await does('description', {}, 'PUT')).toMatchObject([
      'Update Description',
      'Updated description',
      true,
      { description: '' },
    ]);
    expect(await does('priority', { priority: 'P1' }, 'PUT')).toMatchObject([
      'Update Priority',
      'Updated priority',
      true,
      { priority: 'P1' },
    ]);
  });

  it('execute-custom-action: only one that the alert lists', async () => {
    await open();
    expect(await does('actions/Restart')).toMatchObject(['Custom Action', 'Executed custom action', true, {}]);
    expect(await does('actions/Stop')).toMatchObject(['Custom Action', 'The alert has no action [Stop]', false, {}]);
  });

  it('assign-alert: the owner by user name, and no unknown one', async () => {
    await scenario.users('ada');
    await open();
    const owner = { username: scenario.address('ada') };
    expect(await does('assign', { owner })).toMatchObject([
      'Assign',
      'Assigned alert',
      true,
      { owner: scenario.address('ada') },
    ]);
    const [, status, success] = await does('assign', { owner: { username: 'ghost@example.com' } });
    expect([status, success]).toEqual(['Unknown: user [ghost@example.com]', false]);
  });

  it('add-responder, add-responder-team, escalate-alert: responders of every kind, and no unknown one', async () => {
    await scenario.users('ada');
    await scenario.escalation('Nights', { delay: 60, to: { type: 'user', name: 'ada' } });
    const { id } = await scenario.team('Ops', 'ada');
    await open();
    expect(await does('teams', { team: { name: scenario.name('Ops') } })).toMatchObject([
      ...['Add Team', 'Added team', true],
      { responders: [{ type: 'team', id }] },
    ]);
    await system.mailed(scenario.address('ada'), 'Disk full');
    const added = await does('responders', { responder: scenario.responder('escalation', 'Nights') });
    expect(added.slice(0, 3)).toEqual(['Add Responder', 'Added responder', true]);
    expect((added[3] as { responders: unknown[] }).responders).toHaveLength(2);
    const [action, status, success] = await does('escalate', { escalation: { name: scenario.name('Nights') } });
    expect([action, status, success]).toEqual(['Escalate', 'Escalated alert', true]);
    await system.mailed(scenario.address('ada'), 'Disk full');
    for (const [path, body] of [
      ['teams', { team: { name: 'nowhere' } }],
      ['responders', { responder: { type: 'user', id: 'unknown' } }],
      ['escalate', { escalation: { id: 'nothing' } }],
    ] as const)
      expect((await does(path, body)).slice(1, 3)).toEqual([expect.stringContaining('Unknown: '), false]);
    await scenario.act(alias, 'close');
  });

  it('close-alert, add-note, delete-alert: closed, noted all the same, gone', async () => {
    await open();
    await system.settle();
    const { id, tinyId } = (await alert()) as { id: string; tinyId: string };
    await scenario.act(alias, 'close');
    await system.settle();
    const path = `/v2/alerts/${tinyId}`;
    const noted = await system.api.expect(202, 'POST', `${path}/notes?identifierType=tiny`, { note: 'was the fan' });
    expect(await settled(noted.body['requestId'] as string)).toMatchObject({ status: 'Added note', success: true });
    const deleted = await system.api.expect(202, 'DELETE', `${path}?identifierType=tinyID&user=Ada`);
    expect(await settled(deleted.body['requestId'] as string)).toMatchObject({
      action: 'Delete',
      status: 'Deleted alert',
      success: true,
      alertId: id,
    });
    expect((await system.api.request('GET', `/v2/alerts/${id}`)).status).toBe(404);
    expect((await system.api.request('GET', `/v2/alerts/${id}/logs`)).status).toBe(404);
  });
});
