import { beforeEach, describe, expect, it } from '@jest/globals';
import { ALERT_SORT_FIELDS } from '@tocsin/api';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from '../system/system.ts';

const system = useSystem();
let scenario: Scenario;
let alias: string;

beforeEach(() => {
  scenario = system.scenario();
  alias = scenario.name('disk');
});

type Json = Readonly<Record<string, unknown>>;
interface Entry extends Json {
  readonly offset: string;
}

const byAlias = (of = alias) => `/v2/alerts/${encodeURIComponent(of)}?identifierType=alias`;
const settled = (requestId: string) => system.api.read<Json>(`/v2/alerts/requests/${requestId}`);

/** Opens an alert and resolves with its id. */
const open = async (body: object = {}): Promise<string> => {
  const { alertId } = await settled(await scenario.alert({ message: 'Disk full', alias, ...body }));
  return alertId as string;
};

describe('an alert (part 1, 2.2 and 4.1; wire facts 4.1)', () => {
  it('create-alert is accepted and said to be processed, without data', async () => {
    const { body, headers } = await system.api.expect(202, 'POST', '/v2/alerts', { message: 'Disk full', alias });
    expect(body).toEqual({
      result: 'Request will be processed',
      took: expect.any(Number),
      requestId: headers.get('x-request-id'),
    });
  });

  it('get-alert answers every field, by id, tiny id and alias', async () => {
    const { id: teamId } = await scenario.team('Ops');
    const content = {
      description: 'sda is full',
      tags: ['db'],
      actions: ['Grow'],
      details: { device: 'sda' },
      entity: 'db1',
      priority: 'P1',
      source: 'cron',
    };
    const id = await open({ ...content, responders: [scenario.responder('team', 'Ops')], user: 'Ada', note: 'Again' });
    await system.settle();
    const alert = await system.api.read<Json>(`/v2/alerts/${id}`);
    const instant = expect.stringMatching(/^2026-\d\d-\d\dT[\d:.]+Z$/);
    expect(alert).toEqual({
      id,
      alias,
      message: 'Disk full',
      ...content,
      tinyId: expect.stringMatching(/^\d+$/),
      status: 'open',
      acknowledged: false,
      isSeen: false,
      seen: false,
      snoozed: false,
      count: 1,
      owner: '',
      ownerTeamId: '',
      lastOccurredAt: instant,
      createdAt: instant,
      updatedAt: instant,
      teams: [{ id: teamId }],
      responders: [{ type: 'team', id: teamId }],
      integration: { id: expect.any(String), name: 'Default API', type: 'API' },
    });
    expect(await system.api.read(byAlias())).toEqual(alert);
    expect(await system.api.read(`/v2/alerts/${alert['tinyId'] as string}?identifierType=tiny`)).toEqual(alert);
  });

  it('get-alert finds an open alert alone by its alias, a closed one by its ids', async () => {
    const id = await open();
    await settled(await scenario.act(alias, 'close', { user: 'Ada' }));
    expect((await system.api.request('GET', byAlias())).status).toBe(404);
    expect(await system.api.read(`/v2/alerts/${id}`)).toMatchObject({
      status: 'closed',
      acknowledged: false,
      report: { closeTime: expect.any(Number), closedBy: 'Ada' },
    });
  });
});

describe('the status of a request (part 1, 2.3; A8)', () => {
  it('get-request-status answers what became of it as soon as it is asked', async () => {
    const requestId = await scenario.alert({ message: 'Disk full', alias });
    expect(await settled(requestId)).toEqual({
      success: true,
      isSuccess: true,
      action: 'Create',
      status: 'Created alert',
      alias,
      alertId: expect.any(String),
      integrationId: expect.any(String),
      processedAt: expect.stringMatching(/Z$/),
    });
  });

  it('get-request-status names why it failed, and is 404 of what was never asked', async () => {
    expect(await settled(await scenario.act(alias, 'acknowledge'))).toMatchObject({
      success: false,
      isSuccess: false,
      action: 'Acknowledge',
      status: 'Alert does not exist',
      alertId: '',
      alias: '',
    });
    const unknown = await system.api.request('GET', '/v2/alerts/requests/5f1d0a52-6d2b-4e0f-9d3f-2f6f3c1f5a12');
    expect(unknown.status).toBe(404);
    // It will never be: no caller need ask again.
    expect(unknown.headers.get('x-opsgenie-errortype')).toBeNull();
  });
});

describe('a list of alerts (part 1, 4.1)', () => {
  const valueAt = (alert: unknown, field: string): unknown =>
    field.split('.').reduce((within, name) => (within as Json | undefined)?.[name], alert);

  /** Numbers by size, absent before empty before all else. */
  const rank = (field: string, value: unknown) =>
    field === 'tinyId' ? Number(value) : typeof value === 'boolean' ? Number(value) : (value ?? '');

  /** Three alerts that differ in all that alerts can be sorted by, but for what made them. */
  async function three(): Promise<string> {
    const tag = scenario.name('sorted');
    for (const [at, of] of ['b', 'a', 'c'].entries()) {
      await open({ alias: scenario.name(of), message: of, source: of, tags: [tag] });
      for (let repeat = 0; repeat < at; repeat += 1) await open({ alias: scenario.name(of), message: of });
      await system.pass(1);
    }
    await settled(await scenario.act(scenario.name('a'), 'acknowledge', { user: 'Ada' }));
    const endTime = new Date(system.clock.now().getTime() + 60_000).toISOString();
    await settled(await scenario.act(scenario.name('b'), 'snooze', { endTime }));
    await settled(await scenario.act(scenario.name('c'), 'close', { user: 'Bob' }));
    return encodeURIComponent(`tag:"${tag}"`);
  }

  it('list-alerts sorts by every field, both ways', async () => {
    const query = await three();
    for (const field of ALERT_SORT_FIELDS) {
      const sorted = async (order: string) => {
        const alerts = await system.api.read<readonly Json[]>(`/v2/alerts?query=${query}&sort=${field}&order=${order}`);
        return alerts.map((alert) => rank(field, valueAt(alert, field)));
      };
      const upwards = await sorted('asc');
      expect([field, ...upwards]).toEqual([field, ...upwards.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))]);
      expect([field, ...(await sorted('desc'))]).toEqual([field, ...upwards.toReversed()]);
      expect(upwards).toHaveLength(3);
    }
  });

  it('list-alerts gives absolute addresses of the first, last, next and previous page', async () => {
    const query = await three();
    const { body } = await system.api.expect(200, 'GET', `/v2/alerts?query=${query}&limit=1&offset=1&sort=alias`);
    const paging = body['paging'] as Readonly<Record<string, string>>;
    expect(Object.keys(paging).sort()).toEqual(['first', 'last', 'next', 'prev']);
    const messages = async (url = '') => {
      expect(url.startsWith(`${system.api.url}/v2/alerts?`)).toBe(true);
      const page = await system.api.read<readonly Json[]>(url.slice(system.api.url.length));
      return page.map(({ message }) => message);
    };
    expect(await messages(paging['first'])).toEqual(['c']);
    expect(await messages(paging['prev'])).toEqual(['c']);
    expect(await messages(paging['next'])).toEqual(['a']);
    expect(await messages(paging['last'])).toEqual(['a']);
  });
});

describe('the notes and the log of an alert (wire facts 4; A12)', () => {
  async function noted(): Promise<string> {
    const id = await open();
    for (const note of ['one', 'two', 'three', 'four', 'five'])
      await settled(await scenario.act(alias, 'notes', { note, user: 'Ada' }));
    return id;
  }

  it('list-notes answers them newest first, and pages both ways from an offset', async () => {
    const path = `/v2/alerts/${await noted()}/notes`;
    const read = async (query: string) => {
      const entries = await system.api.read<readonly Entry[]>(path + query);
      return { entries, notes: entries.map(({ note }) => note) };
    };
    const { entries, notes } = await read('');
    expect(notes).toEqual(['five', 'four', 'three', 'two', 'one']);
    expect(entries[0]).toEqual({
      note: 'five',
      owner: 'Ada',
      offset: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
    });
    const offset = encodeURIComponent(entries[2]?.offset ?? '');
    expect((await read(`?order=asc&limit=2`)).notes).toEqual(['one', 'two']);
    expect((await read(`?order=asc&offset=${offset}`)).notes).toEqual(['four', 'five']);
    expect((await read(`?order=desc&offset=${offset}`)).notes).toEqual(['two', 'one']);
    expect((await read(`?order=desc&direction=prev&offset=${offset}`)).notes).toEqual(['five', 'four']);
  });

  it('list-alert-logs answers what was done, and its next pages lead to the end', async () => {
    const id = await noted();
    const logs: Entry[] = [];
    let url: string | undefined = `${system.api.url}/v2/alerts/${id}/logs?order=asc&limit=2`;
    while (url !== undefined) {
      const { body }: { body: Json } = await system.api.expect(200, 'GET', url.slice(system.api.url.length));
      logs.push(...(body['data'] as readonly Entry[]));
      url = (body['paging'] as { readonly next?: string }).next;
    }
    expect(logs).toHaveLength(6);
    expect(logs[0]).toEqual({
      log: expect.stringMatching(/created/i),
      type: expect.any(String),
      owner: expect.any(String),
      createdAt: expect.stringMatching(/Z$/),
      offset: expect.any(String),
    });
    expect(logs.slice(1).map(({ owner }) => owner)).toEqual(Array.from({ length: 5 }, () => 'Ada'));
    expect((await system.api.request('GET', '/v2/alerts/none/logs')).status).toBe(404);
  });
});
