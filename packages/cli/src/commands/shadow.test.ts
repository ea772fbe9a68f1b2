import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Person, type Reply, ScriptedApi } from '../testing/command-fixture.ts';

const shadow = (enabled: boolean): Reply => ({
  body: { data: { enabled, changedAt: '2026-03-01T08:00:00Z', changedBy: 'ada@example.com' } },
});
const ON =
  'SHADOW IS ON since 2026-03-01 09:00 GMT+1, by ada@example.com: no message is sent to any user. `tocsin shadow stop` ends it.\n';
const OFF = 'Shadow is off since 2026-03-01 09:00 GMT+1, by ada@example.com: messages are sent.\n';

let person: Person;
let api: ScriptedApi;

async function answering(...replies: Reply[]): Promise<void> {
  api = new ScriptedApi(...replies);
  api.hasSwitch = true;
  person.env = { TOCSIN_URL: await api.start(), TOCSIN_KEY: 'key' };
}

beforeEach(() => {
  person = new Person();
});
afterEach(() => {
  api.stop();
  person.leave();
});

const sent = () => api.received.map(({ body, method, path }) => [method, path, body]);

describe('tocsin shadow', () => {
  it('begins, and says so once the API has answered, also after a 503', async () => {
    const notYet = { status: 503, headers: { 'retry-after': '0' }, body: { message: 'not confirmed' } };
    await answering(notYet, shadow(true));
    expect(await person.types('shadow', 'start')).toEqual({ code: 0, stdout: ON, stderr: '' });
    const put = ['PUT', '/v2/account/shadow', { enabled: true }];
    expect(sent()).toEqual([put, put]);
  });

  it('says whether it is on, as JSON too', async () => {
    await answering(shadow(false));
    expect(await person.types('shadow', 'status')).toMatchObject({ code: 0, stdout: OFF });
    const { stdout } = await person.types('shadow', 'status', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ enabled: false, changedBy: 'ada@example.com' });
  });

  it('ends with --yes, or where a person types yes, because users are paged from then on', async () => {
    await answering(shadow(false));
    expect(await person.types('shadow', 'stop', '--yes')).toEqual({ code: 0, stdout: OFF, stderr: '' });
    person.typesAtTerminal = true;
    expect(await person.feeds('yes\n', 'shadow', 'stop')).toMatchObject({ code: 0, stdout: OFF });
    expect(sent()).toEqual(Array.from({ length: 2 }, () => ['PUT', '/v2/account/shadow', { enabled: false }]));
  });

  it('does not end where a script or a person does not say so', async () => {
    await answering(shadow(false));
    expect(await person.types('shadow', 'stop')).toMatchObject({
      code: 2,
      stderr: 'tocsin: Users are paged once shadow ends. Repeat it with --yes.\n',
    });
    person.typesAtTerminal = true;
    for (const typed of ['\n', 'y\n', 'no\n'])
      expect(await person.feeds(typed, 'shadow', 'stop')).toMatchObject({ code: 1 });
    expect(sent()).toEqual([]);
  });

  it('exits as each command does where the key may not, or another request came between', async () => {
    await answering({ status: 403, body: { message: 'You are not authorized.' } });
    expect(await person.types('shadow', 'start')).toMatchObject({ code: 4 });
    api.stop();
    await answering({ status: 409, body: { message: 'Another request has changed the switch meanwhile.' } });
    expect(await person.types('shadow', 'start')).toMatchObject({ code: 1 });
  });
});

describe('tocsin who', () => {
  it('says before all else that shadow is on', async () => {
    await answering(shadow(true), { body: { data: [] } });
    expect(await person.types('who')).toEqual({ code: 0, stdout: 'There are no schedules\n', stderr: ON });
  });

  it('says nothing of it while it is off, and where the installation does not answer about it', async () => {
    await answering(shadow(false), { body: { data: [] } });
    expect(await person.types('who')).toMatchObject({ code: 0, stderr: '' });
    api.stop();
    await answering({ status: 503, body: { message: 'unavailable' } }, { body: { data: [] } });
    expect(await person.types('who')).toEqual({ code: 0, stdout: 'There are no schedules\n', stderr: '' });
  });
});
