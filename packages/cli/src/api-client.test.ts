import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi, type Reply } from './testing/command-fixture.ts';

const ID = '0199c7a2-0000-7000-8000-000000000001';
let person: Person;
let api: ScriptedApi | undefined;

beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  api?.stop();
  person.leave();
});

/** An installation that answers so, at which the person is. */
async function answering(...replies: (Reply | 'silence')[]): Promise<ScriptedApi> {
  api = new ScriptedApi(...replies);
  person.env = { ...person.env, TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
  return api;
}

/** Resolves when so many requests have come in. */
async function asked(times: number): Promise<void> {
  while ((api?.received.length ?? times) < times) await new Promise(setImmediate);
}

const refusal = (status: number, message: string, more: Reply = {}): Reply => ({
  status,
  headers: { 'x-request-id': ID, ...more.headers },
  body: { message, took: 0.01, requestId: ID, ...(more.body as object) },
});
const accepted: Reply = { status: 202, body: { result: 'Request will be processed', took: 0, requestId: ID } };
const settled = { success: true, action: 'Acknowledge', status: 'Acknowledged alert', alertId: 'a', alias: 'a' };
const pending = refusal(404, 'Request not found. It might not be processed, yet.', {
  headers: { 'x-opsgenie-errortype': 'RequestNotProcessed' },
});

describe('what the API refuses', () => {
  it.each([
    [1, refusal(422, 'Request body is not processable. Please check the errors.', { body: { errors: { a: 'b' } } })],
    [1, refusal(409, 'Name is taken.')],
    [4, refusal(401, 'Could not authenticate')],
    [4, refusal(403, 'To perform this action, use an API key from an API integration.')],
    [4, refusal(422, 'Key format is not valid!')],
    [5, refusal(404, 'Schedule does not exist.')],
    [3, refusal(500, 'Internal Server Error')],
    [3, refusal(504, 'The service did not answer.')],
  ])('ends with %i, its message and the id of the request on standard error', async (code, reply) => {
    await answering(reply);
    const { message, errors } = reply.body as { readonly message: string; readonly errors?: object };
    const outcome = await person.types('who', '--json');
    expect(outcome).toMatchObject({ code, stdout: '' });
    const fields = Object.entries(errors ?? {}).map(([field, reason]) => `  ${field}: ${String(reason)}\n`);
    expect(outcome.stderr).toBe(`tocsin: ${message}\n${fields.join('')}  request ${ID}\n`);
  });

  it('says that something else answers there', async () => {
    await answering({ body: '<html>', headers: { 'content-type': 'text/html' } });
    expect(await person.types('who')).toMatchObject({ code: 1, stderr: expect.stringContaining('200 without JSON') });
    api?.stop();
    await answering({ status: 302, headers: { location: 'https://login.example.com' }, body: '' });
    const { code, stderr } = await person.types('who');
    expect([code, stderr]).toEqual([1, expect.stringContaining('https://login.example.com')]);
    expect(api?.received).toHaveLength(1);
  });

  it('shows no message that the terminal would obey', async () => {
    await answering(refusal(409, 'a\u001b[2Jb\u202ec'));
    expect((await person.types('who')).stderr).toContain('tocsin: a\ufffd[2Jb\ufffdc\n');
  });
});

describe('what the API has no room for', () => {
  const busy = (after: string, status = 503) => refusal(status, 'Busy.', { headers: { 'retry-after': after } });

  it('is sent again after as long as it says', async () => {
    const { received } = await answering(busy('0'), busy('0', 429), {});
    expect(await person.types('who')).toMatchObject({ code: 0, stdout: 'There are no schedules\n', stderr: '' });
    expect(received).toHaveLength(3);
  });

  it('is not sent again at once where it says a time that is longer than a timer can be', async () => {
    const { received } = await answering(busy('3000000'));
    expect(await person.types('who', '--timeout', '1')).toMatchObject({ code: 3, stdout: '' });
    expect(received).toHaveLength(1);
  });

  it('is sent six times and no more', async () => {
    const { received } = await answering(busy('0'));
    expect(await person.types('who')).toMatchObject({ code: 3, stderr: expect.stringContaining('tocsin: Busy.\n') });
    expect(received).toHaveLength(6);
  });

  it.each([
    ['note', '17', 'It was the fan'],
    ['escalate', '17', 'Ops_escalation'],
  ])('is sent again by %s after 429 alone: what is answered 503 may be done all the same', async (...words) => {
    const { received } = await answering(busy('0', 429), busy('0'), accepted);
    expect((await person.types('alert', ...words)).code).toBe(3);
    expect(received).toHaveLength(2);
  });

  it('is sent again as the same alert, which has an alias for that', async () => {
    const { received } = await answering(busy('0'), accepted, { body: { data: settled } });
    expect((await person.types('alert', 'create', 'm')).code).toBe(0);
    expect(received[0]?.body).toEqual({ message: 'm', alias: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(received[1]?.body).toEqual(received[0]?.body);
  });

  it('is given up, with the refusal, when the time of the command ends before that', async () => {
    const { received } = await answering(busy('3000'));
    const { code, stderr } = await person.types('who', '--timeout', '1');
    expect([code, stderr]).toEqual([3, `tocsin: Busy.\n  request ${ID}\n`]);
    expect(received).toHaveLength(1);
  });

  it('shows a person at a terminal what it waits for', async () => {
    person.isTTY = true;
    await answering(busy('0'), {});
    expect((await person.types('who')).stderr).toContain('Busy. Trying again in 0 s');
  });
});

describe('no answer', () => {
  it('ends with 3 where nothing listens, and names the place', async () => {
    (await answering({})).stop();
    const { code, stderr } = await person.types('who');
    const url = person.env['TOCSIN_URL'] ?? '';
    expect([code, stderr]).toEqual([3, `tocsin: No connection to ${url}: nothing listens there (ECONNREFUSED).\n`]);
  });

  it('ends with 3 when the time is over', async () => {
    await answering('silence');
    const { code, stderr } = await person.types('who', '--timeout', '1');
    expect([code, stderr]).toEqual([3, expect.stringContaining('within 1 s (--timeout)')]);
  });

  it('ends with 130 on Ctrl-C', async () => {
    await answering('silence');
    const running = person.types('who');
    await asked(1);
    person.interrupt.abort();
    expect(await running).toMatchObject({ code: 130, stdout: '', stderr: 'tocsin: Interrupted.\n' });
  });
});

describe('a request that was accepted', () => {
  const ack = (...options: readonly string[]) => person.types('alert', 'ack', '17', ...options);

  it('is waited for until it is settled, and asked for by its id', async () => {
    const { received } = await answering(accepted, pending, pending, { body: { data: settled } });
    expect(await ack('--user', 'Ada')).toEqual({ code: 0, stdout: 'Acknowledged alert a\n', stderr: '' });
    expect(received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/v2/alerts/17/acknowledge?identifierType=tiny', { user: 'Ada' }],
      ...Array.from({ length: 3 }, () => ['GET', `/v2/alerts/requests/${ID}`, undefined]),
    ]);
  });

  it('is shown without anything that a terminal obeys: the sender of the alert chose its alias', async () => {
    const alias = 'disk\u001b]0;owned\u0007\u001b[2J\u202e';
    await answering(accepted, { body: { data: { ...settled, alias } } });
    const { stdout } = await ack();
    expect(stdout).toBe('Acknowledged alert a, alias disk\ufffd]0;owned\ufffd\ufffd[2J\ufffd\n');
  });

  it('says what dropped it where it made no alert', async () => {
    const dropped = { ...settled, status: 'Dropped by maintenance', alertId: '', alias: '' };
    await answering(accepted, { body: { data: dropped } });
    expect((await person.types('alert', 'create', 'm')).stdout).toBe('Dropped by maintenance\n');
  });

  it('ends with 6 and its id when it is not settled in time', async () => {
    await answering(accepted, 'silence');
    const { code, stdout, stderr } = await ack('--timeout', '4');
    expect([code, stdout]).toEqual([6, '']);
    expect(stderr).toContain(`request ${ID} was accepted; what became of it is not known yet`);
  });

  it('ends with 130 and its id on Ctrl-C', async () => {
    await answering(accepted, 'silence');
    const running = ack();
    await asked(2);
    person.interrupt.abort();
    const { code, stderr } = await running;
    expect([code, stderr]).toEqual([130, expect.stringContaining(`request ${ID} was accepted`)]);
  });

  it('is not asked about with --no-wait', async () => {
    const { received } = await answering(accepted);
    expect((await ack('--no-wait')).stdout).toBe(`Request will be processed, request ${ID}\n`);
    expect(received).toHaveLength(1);
  });
});

describe('colours', () => {
  const empty = [{ _parent: { id: '1', name: 'Ops', enabled: true }, onCallRecipients: [] }];
  const timeline = {
    startDate: '2026-03-02T00:00:00Z',
    endDate: '2026-03-10T00:00:00Z',
    finalTimeline: { rotations: [{ periods: [] }] },
  };

  it.each([
    ['a terminal', true, {}, true],
    ['a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['a dumb terminal', true, { TERM: 'dumb' }, false],
    ['a pipe', false, {}, false],
  ])('on %s: %s %j', async (_where, isTTY, env, expected) => {
    person.isTTY = isTTY;
    person.env = env;
    await answering({ body: { data: empty } }, { body: { data: timeline } });
    const { stdout } = await person.types('who');
    expect(stdout).toContain('NO USER');
    expect(stdout.includes('\u001b[')).toBe(expected);
  });

  it('raise no alarm about a schedule that has no rotation, as the default one of a new team', async () => {
    person.isTTY = true;
    await answering({ body: { data: empty } }, { body: { data: { ...timeline, finalTimeline: { rotations: [] } } } });
    const { stdout } = await person.types('who');
    expect(stdout).toContain('no rotations');
    expect(stdout).not.toContain('NO USER');
  });
});
