import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, ScriptedApi } from '../testing/command-fixture.ts';

const at = '2026-03-02T07:00:00Z';
const simulated = {
  outcome: 'paged',
  messages: [{ at, user: { id: 'u1', username: 'ada' }, method: 'email', why: 'rule 1 of escalation [Ops]' }],
  steps: [{ at, text: 'Escalation [Ops] started.' }],
  truncated: true,
};

let person: Person;
let api: ScriptedApi;

async function answering(data: object): Promise<void> {
  api = new ScriptedApi({ body: { data } });
  person.env = { TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
}

beforeEach(async () => {
  person = new Person();
  await answering(simulated);
});
afterEach(() => {
  api.stop();
  person.leave();
});

describe('tocsin simulate', () => {
  it('says which users would be notified, when, how and why', async () => {
    const { code, stdout } = await person.types('simulate', 'Disk full', '-r', 'team:Ops', '--at', at);
    expect([code, api.received]).toMatchObject([
      0,
      [
        {
          method: 'POST',
          path: '/v2/alerts/simulate',
          body: { message: 'Disk full', responders: [{ type: 'team', name: 'Ops' }], at: '2026-03-02T07:00:00.000Z' },
        },
      ],
    ]);
    expect(stdout).toContain('2026-03-02 08:00  ada  email  rule 1 of escalation [Ops]');
    expect(stdout).toContain('and more after that');
    expect(stdout).not.toContain('started');
  });

  it('says what would be decided on the way where it is asked to, of an alert that exists', async () => {
    const { stdout } = await person.types('simulate', '--existing', '17', '--steps');
    expect(api.received).toMatchObject([{ body: { identifier: '17', identifierType: 'tiny' } }]);
    expect(stdout).toContain('2026-03-02 08:00  Escalation [Ops] started.');
  });

  it('says why no user would be notified', async () => {
    api.stop();
    await answering({
      ...simulated,
      outcome: 'no-recipient',
      reason: 'It has no responders.',
      messages: [],
      truncated: false,
    });
    expect((await person.types('simulate', 'm')).stdout).toContain('No user would be notified. It has no responders.');
  });

  it.each([
    ['-p', 'P1'],
    ['-r', 'user:ada@example.com'],
    ['--tag', 'db'],
    ['--integration', 'i1'],
  ])('ends with 2 where an alert that exists is described by %s', async (...option) => {
    const { code, stderr } = await person.types('simulate', '--existing', '17', ...option);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--existing takes the alert as it is')]);
    expect(api.received).toEqual([]);
  });

  it.each([[[]], [['m', '--existing', '17']]])('ends with 2 where it is not one alert: %j', async (args) => {
    expect((await person.types('simulate', ...args)).code).toBe(2);
    expect(api.received).toEqual([]);
  });
});
