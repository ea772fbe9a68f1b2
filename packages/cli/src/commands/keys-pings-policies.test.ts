import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi, type Reply } from '../testing/command-fixture.ts';

const ID = 'd2a7f0ce-9f6a-4f0a-8d8e-2f6f3c1f5a11';
let person: Person;
let api: ScriptedApi;

beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  api.stop();
  person.leave();
});

async function answering(...replies: Reply[]): Promise<void> {
  api = new ScriptedApi(...replies);
  person.env = { TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
}

describe('tocsin key', () => {
  const made = { status: 201, body: { code: 201, data: { id: ID, name: 'ci', enabled: true, apiKey: 'the-key' } } };

  it.each([
    [[], { allowWriteAccess: true, allowConfigurationAccess: false }],
    [['--team', 'Ops'], { ownerTeam: { name: 'Ops' } }],
    [['--team', ID, '--read-only'], { ownerTeam: { id: ID }, allowWriteAccess: false }],
    [['--configuration', '--type', 'Grafana'], { type: 'Grafana', allowConfigurationAccess: true }],
  ])('create with %j asks for %j; the key alone is on standard output', async (options, body) => {
    await answering(made);
    const { code, stdout, stderr } = await person.types('key', 'create', 'ci', ...options);
    expect([code, stdout]).toEqual([0, 'the-key\n']);
    expect(stderr).toContain('shown this once');
    expect(api.received).toMatchObject([{ method: 'POST', path: '/v2/integrations', body: { name: 'ci', ...body } }]);
  });

  it('create with --json prints all of it, and of a type without a key says so', async () => {
    await answering(made, { status: 201, body: { data: { id: ID, name: 'mail' } } });
    const { stdout } = await person.types('key', 'create', 'ci', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ id: ID, apiKey: 'the-key' });
    expect((await person.types('key', 'create', 'mail', '--type', 'Email')).stdout).toContain('has no key');
  });

  it('rotate finds an integration by its name, and says until when the key before works', async () => {
    const list = {
      body: {
        data: [
          { id: 'other', name: 'CI' },
          { id: ID, name: 'ci' },
        ],
      },
    };
    const data = { id: ID, name: 'ci', apiKey: 'new-key', previousKeyValidUntil: '2026-03-02T09:00:00Z' };
    await answering(list, { body: { data } });
    const { stdout, stderr } = await person.types('key', 'rotate', 'ci');
    expect([stdout, stderr]).toEqual(['new-key\n', expect.stringContaining('works until 2026-03-02 10:00 GMT+1')]);
    expect(api.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['GET /v2/integrations', `POST /v2/integrations/${ID}/rotate-key`],
    ]);
  });

  it('rotate ends with 5 for a name that is not there, and changes nothing', async () => {
    await answering({ body: { data: [] } });
    expect(await person.types('key', 'rotate', 'ci')).toMatchObject({ code: 5, stdout: '' });
    expect(api.received).toHaveLength(1);
  });
});

describe('tocsin heartbeat', () => {
  it('ping says what the API says, for any name', async () => {
    await answering({ status: 202, body: { result: 'PONG - Heartbeat received', took: 0, requestId: ID } });
    expect(await person.types('heartbeat', 'ping', 'nightly / db')).toEqual({
      ...{ code: 0, stdout: 'PONG - Heartbeat received\n', stderr: '' },
    });
    expect(api.received).toMatchObject([{ method: 'POST', path: '/v2/heartbeats/nightly%20%2F%20db/ping' }]);
    const { stdout } = await person.types('heartbeat', 'ping', 'x', '--json');
    expect(JSON.parse(stdout)).toEqual({ result: 'PONG - Heartbeat received', requestId: ID });
  });
});

describe('tocsin policy evaluate', () => {
  const evaluation = (more: object) => ({
    body: {
      data: {
        at: '2026-03-02T00:00:00Z',
        outcome: 'created',
        alert: { message: 'DISK FULL', priority: 'P1' },
        flow: { starts: 'at-once', startsAt: '2026-03-02T00:00:00Z' },
        policies: [],
        otherPolicies: { matched: 0, notMatched: 0 },
        ...more,
      },
    },
  });

  it('says what would become of the alert, policy by policy', async () => {
    const policies = [
      { id: '1', name: 'Tidy', type: 'modify', matched: true, text: 'changed message' },
      { id: '2', name: 'Quiet', type: 'suppress', matched: false, text: 'conditions' },
    ];
    await answering(evaluation({ policies, otherPolicies: { matched: 1, notMatched: 50 } }));
    const { stdout } = await person.types('policy', 'evaluate', 'Disk full', '-t', 'db', '--at', '2026-12-24T03:00Z');
    expect(stdout.split('\n')).toEqual([
      'It would make an alert',
      'Alert: P1 DISK FULL',
      'Users are notified at once',
      '',
      'MATCHES  POLICY  TYPE      WHAT IT DOES',
      'yes      Tidy    modify    changed message',
      'no       Quiet   suppress  conditions',
      'and 1 more that match, 50 that do not',
      '',
    ]);
    expect(api.received).toMatchObject([
      { path: '/v2/policies/evaluate', body: { message: 'Disk full', tags: ['db'], at: '2026-12-24T03:00:00.000Z' } },
    ]);
  });

  it.each([
    [{ outcome: 'dropped', status: 'Dropped by maintenance [x]' }, 'It would be dropped: Dropped by maintenance [x]'],
    [{ outcome: 'repeated', repeats: { tinyId: '17' } }, 'It would be counted on an open alert, 17'],
    [{ outcome: 'repeated' }, 'It would be counted on an open alert\n'],
    [{ flow: { starts: 'never', suppressed: 'by Quiet' } }, 'No user is notified: by Quiet'],
    [{ flow: { starts: 'later', startsAt: '2026-03-02T09:00:00Z' } }, 'Users are notified at 2026-03-02 10:00 GMT+1'],
    [{ flow: { starts: 'by-occurrence', occurrence: 3 } }, 'Users are notified with occurrence 3'],
    [{}, 'There are no policies for it'],
  ])('of %j says %s', async (data, text) => {
    await answering(evaluation(data));
    expect((await person.types('policy', 'evaluate', 'm')).stdout).toContain(text);
  });

  it('shows an alert of another sender without anything that a terminal obeys', async () => {
    await answering(evaluation({ alert: { message: 'Disk\u001b[2J\n\u009bfull', priority: 'P1' } }));
    const { stdout } = await person.types('policy', 'evaluate', '--existing', '17');
    expect(stdout).toContain('\nAlert: P1 Disk\ufffd[2J \ufffdfull\n');
  });

  it('asks about an alert that exists by what its name looks like', async () => {
    await answering(evaluation({}));
    await person.types('policy', 'evaluate', '--existing', '17', '--json');
    expect(api.received[0]?.body).toEqual({ identifier: '17', identifierType: 'tiny' });
    for (const args of [[], ['m', '--existing', '17']])
      expect((await person.types('policy', 'evaluate', ...args)).code).toBe(2);
  });
});
