import { describe, expect, it } from '@jest/globals';
import type { CreateAlert } from '@tocsin/events';
import { anIntegration } from '../testing/maintenance-samples.ts';
import { setUp } from '../testing/component-fixture.ts';
import { acknowledge, addNote, byAlias, close, create } from '../testing/commands-samples.ts';

const PATH = '/v1/maintenance';
const START = '2026-01-05T10:00:00.000Z';
const END = '2026-01-05T11:00:00.000Z';
const [BEFORE, FIRST, LAST] = ['2026-01-05T09:59:59.999Z', START, '2026-01-05T10:59:59.999Z'];
const WEB = { id: 'web', name: 'Web', type: 'API' };
const MAIL = { id: 'mail', name: 'Mail', type: 'Email' };
const IGNORED = 'Ignored by maintenance [Upgrade] of integration [Web].';

/** A window of an hour that silences the integration `web`, and a clock after it. */
async function withWindow(time: object = { type: 'schedule', startDate: START, endDate: END }) {
  const service = await setUp();
  const { get, send, apply, clock, integrations } = service;
  for (const id of ['web', 'mail']) integrations.put(id, anIntegration(id));
  const rules = [{ entity: { type: 'integration', id: 'web' } }];
  const created = await send('post', PATH, { description: 'Upgrade', time, rules });
  const path = `${PATH}/${(created.body as { data: { id: string } }).data.id}`;
  const statusOf = async (command: CreateAlert) => {
    await apply(command);
    const answered = await get(`/v2/alerts/requests/${command.requestId}`);
    return (answered.body as { data: { status: string; success: boolean; alertId: string } }).data;
  };
  let aliases = 0;
  const through = (integration: CreateAlert['integration'], at: string) =>
    statusOf(create(`alert-${String((aliases += 1))}`, { at, integration }));
  const moveTo = (at: string) => {
    clock.moveTo(new Date(at));
  };
  return { ...service, path, statusOf, through, moveTo };
}

describe('a window that disables an integration', () => {
  it('lets creates be processed as ignored if they were accepted between its start and its end', async () => {
    const { through, moveTo } = await withWindow();
    moveTo('2026-01-05T12:00:00.000Z');
    for (const at of [FIRST, LAST])
      expect(await through(WEB, at)).toMatchObject({ success: true, alertId: '', status: IGNORED });
    for (const at of [BEFORE, END]) expect(await through(WEB, at)).toMatchObject({ status: 'Created alert' });
  });

  it('silences no other integration', async () => {
    const { through } = await withWindow();
    expect(await through(MAIL, FIRST)).toMatchObject({ status: 'Created alert' });
  });

  it('lets an earlier alert be acknowledged, noted and closed, but counts no repeats on it', async () => {
    const { get, apply, statusOf, moveTo } = await withWindow();
    const opened = create('disk', { at: BEFORE, integration: WEB });
    await apply(opened);
    moveTo(LAST);
    expect(await statusOf(create('disk', { at: FIRST, integration: WEB }))).toMatchObject({ status: IGNORED });
    const during = { at: FIRST, integration: WEB };
    await apply(addNote(byAlias('disk'), 'Known', during), acknowledge(byAlias('disk'), during));
    await apply(close(byAlias('disk'), during));
    expect((await get(`/v2/alerts/${opened.alert.alertId}`)).body).toMatchObject({
      data: { status: 'closed', acknowledged: true, count: 1 },
    });
  });

  it.each([
    ['cancelled', 'post', '/cancel'],
    ['deleted', 'delete', ''],
  ] as const)('that is %s governs what was accepted before, and nothing after', async (_, method, verb) => {
    const { send, through, path, moveTo } = await withWindow();
    moveTo('2026-01-05T10:30:00.000Z');
    await send(method, `${path}${verb}`);
    expect(await through(WEB, '2026-01-05T10:29:59.999Z')).toMatchObject({ status: IGNORED });
    expect(await through(WEB, '2026-01-05T10:30:00.000Z')).toMatchObject({ status: 'Created alert' });
  });

  it('whose end was moved lasts until the new end', async () => {
    const { send, through, path, moveTo } = await withWindow({ type: 'for-5-minutes' });
    const endDate = '2026-01-05T08:03:00Z';
    moveTo('2026-01-05T08:02:00.000Z');
    expect((await send('post', `${path}/change-end-date`, { endDate })).status).toBe(200);
    expect(await through(WEB, '2026-01-05T08:02:59.999Z')).toMatchObject({ status: IGNORED });
    expect(await through(WEB, '2026-01-05T08:03:00.000Z')).toMatchObject({ status: 'Created alert' });
  });

  it('drops no alert of a heartbeat', async () => {
    const { statusOf } = await withWindow();
    const expired = create('heartbeat:db', { at: FIRST, integration: WEB });
    expect(await statusOf({ ...expired, ofHeartbeat: true })).toMatchObject({ status: 'Created alert' });
  });

  it('releases the files of a mail with the create that it drops', async () => {
    const { store, clock, apply, moveTo } = await withWindow();
    moveTo(FIRST);
    const bytes = (async function* () {
      yield await Promise.resolve(Buffer.of(1));
    })();
    const id = await store.attachments.keep({ name: 'a.txt', type: 'text/plain', bytes }, new Date(END));
    await apply(create('mail', { at: FIRST, integration: WEB, alert: { attachments: [String(id)] } }));
    expect(await store.attachments.sweep(clock.now(), 10)).toBe(1);
  });
});
