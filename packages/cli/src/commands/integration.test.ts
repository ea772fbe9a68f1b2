import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi, type Reply } from '../testing/command-fixture.ts';

const ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40';
const opened = {
  fields: { key: 'f1', severity: 'critical', text: '' },
  effect: 'create',
  alias: 'grafana:0198c0de:f1',
  action: { type: 'create', name: 'Open' },
  unmatched: [{ type: 'ignore', name: 'Quiet', reason: '_state equals [ignore], but it is [open]' }],
  alert: { message: 'Disk full', priority: 'P1' },
  remarks: ['A remark.'],
};
const OPEN = { id: 'a1', tinyId: '7', status: 'open', acknowledged: false, priority: 'P3' };
const trialOf = (...items: readonly object[]) => ({ data: { preset: 'grafana', itemCount: items.length + 2, items } });

let person: Person;
let api: ScriptedApi;

async function answering(...replies: readonly Reply[]): Promise<void> {
  api = new ScriptedApi(...replies);
  person.env = { TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
}

beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  api.stop();
  person.leave();
});

describe('tocsin integration try', () => {
  it('says what the request in a file would come to, of an integration that is named', async () => {
    await answering({ body: { data: [{ id: ID, name: 'Tool' }] } }, { body: trialOf(opened) });
    const [file, draft] = ['request.json', 'draft.json'].map((name) => path.join(person.home, name)) as [
      string,
      string,
    ];
    fs.writeFileSync(file, '{"a":1}');
    fs.writeFileSync(draft, '{"close":[]}');
    const { code, stdout } = await person.types('integration', 'try', 'Tool', file, '--actions', draft);
    expect([code, api.received.at(-1)]).toMatchObject([
      0,
      { method: 'POST', path: `/v2/integrations/${ID}/try`, body: { raw: '{"a":1}', actions: { close: [] } } },
    ]);
    expect(stdout).toBe(`Read by the preset grafana.

1. create, by the action [Open]
   alias: grafana:0198c0de:f1
   P1: Disk full
   key: f1
   severity: critical
   not by ignore [Quiet]: _state equals [ignore], but it is [open]
   A remark.

… and 2 items more
`);
  });

  it.each([
    [{ outcome: 'opened' }, 'opens an alert'],
    [{ outcome: 'counted', openAlert: OPEN }, 'counts on the open alert #7 (P3)'],
    [
      { outcome: 'raised', openAlert: { ...OPEN, acknowledged: true } },
      'raises the open alert #7 (P3, acknowledged) to P1',
    ],
    [{ outcome: 'closed', openAlert: OPEN }, 'closes the open alert #7 (P3)'],
    [{ outcome: 'closed' }, 'closes the open alert'],
    [{ outcome: 'acknowledged', openAlert: OPEN }, 'acknowledges the open alert #7 (P3)'],
    [{ outcome: 'noted', openAlert: OPEN }, 'adds a note to the open alert #7 (P3)'],
    [{ outcome: 'nothing-to-close', requestStatus: 'nothing to close' }, 'nothing to close'],
    [{ outcome: 'dropped', requestStatus: 'In maintenance.' }, 'In maintenance.'],
  ])('says which open alert an item would change: %j', async (change, text) => {
    await answering({ body: trialOf({ ...opened, ...change }) });
    const { stdout } = await person.feeds('{}', 'integration', 'try', ID, '-');
    expect(stdout).toContain(`\n   now: ${text}\n`);
  });

  it('ends with 1 where an item matches no action or has no key, but not where it is ignored', async () => {
    const { action: _, ...unmatched } = opened;
    const ignored = { ...opened, fields: {}, effect: 'none', action: { type: 'ignore', name: 'Quiet' } };
    await answering({ body: trialOf(opened, ignored, unmatched, { ...opened, fields: { key: '' } }) });
    const { code, stderr } = await person.feeds('{}', 'integration', 'try', ID, '-', '--preset', 'grafana');
    expect(code).toBe(1);
    expect(stderr).toContain('2 of 4 items match no action or have no key.');
    expect(api.received).toMatchObject([{ body: { raw: '{}', preset: 'grafana' } }]);
  });

  it('ends with 2 where a file cannot be read, or is no JSON', async () => {
    await answering();
    const none = path.join(person.home, 'none');
    expect(await person.types('integration', 'try', ID, none)).toMatchObject({ code: 2 });
    const written = path.join(person.home, 'written');
    fs.writeFileSync(written, '{');
    expect(await person.types('integration', 'try', ID, written, '--actions', written)).toMatchObject({ code: 2 });
    expect(api.received).toEqual([]);
  });
});

it('tocsin integration presets lists them with the types that have them', async () => {
  await answering({ body: { data: [{ name: 'grafana', title: 'Grafana', types: ['Grafana', 'GrafanaV2'] }] } });
  const { stdout } = await person.types('integration', 'presets');
  expect(stdout).toMatch(/PRESET\s+TOOL\s+TYPES\ngrafana\s+Grafana\s+Grafana, GrafanaV2/);
});
