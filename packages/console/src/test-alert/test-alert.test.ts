import { expect, test } from '@jest/globals';
import type { CallRequest } from '../api/call.ts';
import { sendTestAlert, testAlertSearch } from './test-alert.ts';

const team = { type: 'team', id: 't1', name: String.raw`Pay "EU" \ US` } as const;
const user = { type: 'user', id: 'u1', name: 'ada@example.com' } as const;

async function sent(...[request]: Parameters<typeof sendTestAlert>): Promise<readonly CallRequest[]> {
  const requests: CallRequest[] = [];
  await sendTestAlert(request, (each) => Promise.resolve(requests.push(each)));
  return requests;
}

test.each([team, user])(
  'A test alert goes to its $type alone, and each one that is sent is another alert.',
  async (responder) => {
    const { id, type } = responder;
    const body = { message: 'Test alert', priority: 'P3', tags: ['tocsin-test-alert'], responders: [{ type, id }] };

    expect(await sent({ responder, page: 'Me' })).toMatchObject([
      { method: 'POST', path: '/v2/alerts', body, isDoneEachTime: true },
    ]);
  },
);

test('It has the priority that its person chose, and names its page.', async () => {
  const body = { priority: 'P1', description: expect.stringContaining('"Me"') as unknown };

  expect(await sent({ responder: user, page: 'Me', priority: 'P1' })).toMatchObject([{ body }]);
});

test('The search finds those of a team by its name, and those of a user by their user name.', () => {
  expect(testAlertSearch(team)).toBe(String.raw`tag:tocsin-test-alert AND teams:"Pay \"EU\" \\ US"`);
  expect(testAlertSearch(user)).toBe('tag:tocsin-test-alert AND responders:"ada@example.com"');
});
