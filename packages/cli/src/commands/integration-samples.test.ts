import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi, type Reply } from '../testing/command-fixture.ts';

const ID = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e40';
const SAMPLES = `/v2/integrations/${ID}/samples`;
const sample = (id: string, changes: object = {}) => ({
  id,
  receivedAt: '2026-03-02T00:00:07Z',
  preset: 'grafana',
  itemCount: 2,
  items: [
    { requestId: id, effect: 'create', alias: 'grafana:0198c0de:f1', action: { type: 'create', name: 'Open' } },
    { requestId: `${id}:1`, effect: 'none', alias: '', reason: 'No action of integration [Tool] matches.' },
  ],
  isTruncated: false,
  ...changes,
});
const refused = sample('r2', {
  preset: undefined,
  refusal: 'Request body is not valid JSON.',
  itemCount: 0,
  items: [],
});
const listed = (...samples: readonly object[]): Reply => ({ body: { data: samples } });
const status = (text: string): Reply => ({ body: { data: { status: text } } });
const unsettled: Reply = {
  status: 404,
  headers: { 'x-opsgenie-errortype': 'RequestNotProcessed' },
  body: { message: 'Request not processed yet.' },
};

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

describe('tocsin integration samples', () => {
  it('lists the last requests and what became of their items', async () => {
    await answering(listed(refused, sample('r1')));
    const { code, stdout } = await person.types('integration', 'samples', ID);
    expect([code, api.received.map(({ path: asked }) => asked)]).toEqual([0, [SAMPLES]]);
    expect(stdout).toBe(`RECEIVED (Europe/Berlin)  ID  PRESET   ITEMS  RESULT
2026-03-02 01:00:07       r2                  refused: Request body is not valid JSON.
2026-03-02 01:00:07       r1  grafana  2      create, No action of integration [Tool] matches.
`);
  });

  it('says that there is none', async () => {
    await answering(listed(), { body: { data: { name: 'Tool', keepSamples: true } } });
    expect((await person.types('integration', 'samples', ID)).stdout).toBe(
      'No request has come yet, or none is kept.\n',
    );
  });

  it.each(['samples', 'watch'])('ends with 5 where the integration keeps none: %s', async (command) => {
    await answering(listed(), { body: { data: { name: 'Tool', keepSamples: false } } });
    const { code, stderr } = await person.types('integration', command, ID);
    expect(code).toBe(5);
    expect(stderr).toContain('The integration [Tool] keeps no requests.');
  });

  it('writes the requests to a folder, each to a file that a trial reads', async () => {
    const request = (raw: string): Reply => ({ body: { data: { request: { raw } } } });
    await answering(listed(sample('r2'), sample('../r1')), request('{"a":2}'), request('{"a":1}'));
    const folder = path.join(person.home, 'new', 'requests');
    const { code, stderr } = await person.types('integration', 'samples', ID, '--save', folder);
    expect([code, stderr]).toEqual([0, `Saved 2 requests in ${folder}\n`]);
    expect(fs.readdirSync(folder).map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')])).toEqual([
      ['r1.txt', '{"a":1}'],
      ['r2.txt', '{"a":2}'],
    ]);
    const file = path.join(folder, 'r1.txt');
    expect(await person.types('integration', 'samples', ID, '--save', file)).toMatchObject({ code: 2 });
  });
});

describe('tocsin integration try --sample', () => {
  const request = {
    raw: '{"a":1}',
    contentType: 'application/json',
    headers: {},
    query: { q: '1' },
    preset: 'grafana',
  };
  const trial: Reply = { body: { data: { preset: 'grafana', itemCount: 0, items: [] } } };

  it.each([
    ['its place, the newest first', '2', [SAMPLES, `${SAMPLES}/r1`]],
    ['its id', 'r1', [`${SAMPLES}/r1`]],
  ])('tries a request that came, named by %s', async (_, name, paths) => {
    const replies = paths.length === 2 ? [listed(sample('r2'), sample('r1'))] : [];
    await answering(...replies, { body: { data: { request } } }, trial);
    expect(await person.types('integration', 'try', ID, '--sample', name)).toMatchObject({ code: 0 });
    expect(api.received.map(({ path: asked }) => asked)).toEqual([...paths, `/v2/integrations/${ID}/try`]);
    expect(api.received.at(-1)?.body).toEqual(request);
  });

  it('ends with 5 where there is no such sample, and with 2 without a request or with two', async () => {
    await answering(listed(sample('r1')));
    expect(await person.types('integration', 'try', ID, '--sample', '2')).toMatchObject({ code: 5 });
    expect(await person.types('integration', 'try', ID, '-', '--sample', '1')).toMatchObject({ code: 2 });
    expect(await person.types('integration', 'try', ID)).toMatchObject({ code: 2 });
  });
});

/** Presses Ctrl-C once the API was asked so often. */
async function interruptedAfter(requests: number): Promise<void> {
  const until = performance.now() + 30_000;
  while (api.received.length < requests) {
    if (performance.now() > until) throw new Error(`The API was asked ${api.received.length} times.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  person.interrupt.abort();
}

describe('tocsin integration watch', () => {
  it('shows each new request with what became of its items, until Ctrl-C, which is no failure', async () => {
    await answering(
      listed(sample('r1')),
      listed(refused, sample('r3'), sample('r1')),
      unsettled,
      status('Created alert'),
      status('No action of integration [Tool] matches.'),
      listed(refused, sample('r3'), sample('r1')),
    );
    const watching = person.types('integration', 'watch', ID);
    await interruptedAfter(6);
    const { code, stdout, stderr } = await watching;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`2026-03-02 01:00:07 request r3: 2 items, read by grafana
   1. create, by the action [Open]: grafana:0198c0de:f1
      Created alert
   2. none
      No action of integration [Tool] matches.
2026-03-02 01:00:07 request r2
   refused: Request body is not valid JSON.
`);
  });

  it('prints a line of JSON for each with --json, and goes on where the installation is unavailable for a while', async () => {
    const unavailable: Reply = {
      status: 503,
      headers: { 'retry-after': '0' },
      body: { message: 'MongoDB is unavailable.' },
    };
    const other = { ...refused, id: 'r\u202e4' };
    await answering(listed(sample('r1')), ...Array.from({ length: 6 }, () => unavailable), listed(other));
    const watching = person.types('integration', 'watch', ID, '--json');
    await interruptedAfter(9);
    const { code, stdout, stderr } = await watching;
    expect([code, stderr]).toEqual([0, 'MongoDB is unavailable. Trying again\n']);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'r\u202e4', refusal: 'Request body is not valid JSON.' });
    expect(stdout).not.toContain('\u202e');
  });

  it('ends where the key may not read the integration', async () => {
    await answering({ status: 403, body: { message: 'The key has no configuration access.' } });
    expect(await person.types('integration', 'watch', ID)).toMatchObject({ code: 4 });
  });
});
