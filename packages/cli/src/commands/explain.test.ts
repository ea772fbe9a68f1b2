import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi } from '../testing/command-fixture.ts';

const explained = {
  alert: { id: 'a1', tinyId: '17', message: 'Disk full' },
  users: [
    { user: { id: 'u1', username: 'ada' }, outcome: 'notified', reason: 'The mail to ada was handed over.' },
    { user: { id: 'u2', username: 'grace' }, outcome: 'not-paged', reason: 'Rule 2 is skipped.' },
  ],
  steps: [{ at: '2026-03-02T07:00:09.5Z', text: 'Paged ada:\u001b[31m on call.\nfor now', facts: {} }],
  truncated: false,
};

let person: Person;
let api: ScriptedApi;

async function answering(data: object): Promise<void> {
  api = new ScriptedApi({ body: { data } });
  person.env = { TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
}

beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  api.stop();
  person.leave();
});

describe('tocsin explain', () => {
  it('says whom the alert reached and how, then what happened, in the time of this machine', async () => {
    await answering(explained);
    const { code, stdout } = await person.types('explain', '17');
    expect([code, api.received[0]?.path]).toEqual([0, '/v2/alerts/17/explanation?identifierType=tiny']);
    expect(stdout).toBe(
      [
        'Alert 17: Disk full',
        '  ada: notified. The mail to ada was handed over.',
        '  grace: not paged. Rule 2 is skipped.',
        '',
        'What happened',
        '  2026-03-02 08:00:09  Paged ada:\ufffd[31m on call.',
        '    for now',
        '',
      ].join('\n'),
    );
  });

  it('asks about one user, of an alert that is named by its alias', async () => {
    await answering({ ...explained, users: [], truncated: true });
    const { stdout } = await person.types('explain', 'disk of db', '--user', 'grace@example.com');
    expect(api.received[0]?.path).toBe(
      '/v2/alerts/disk%20of%20db/explanation?identifierType=alias&user=grace%40example.com',
    );
    expect(stdout).toContain('does not show that it has reached a user.');
    expect(stdout).toContain('its log is longer');
  });

  it('says that it has reached no user where the whole log was read', async () => {
    await answering({ ...explained, users: [] });
    expect((await person.types('explain', '17')).stdout).toContain('It has reached no user.');
  });

  it('prints what it was answered as JSON', async () => {
    await answering(explained);
    expect(JSON.parse((await person.types('explain', '17', '--json')).stdout)).toEqual(explained);
  });
});
