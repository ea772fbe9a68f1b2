import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OPSGENIE_KEYS, startOpsgenie, type OpsgenieDouble } from '@tocsin/testkit';
import { impatient } from '../../testing/account-fixture.ts';
import { OpsgenieClient } from '../opsgenie-client.ts';
import { Progress } from '../progress.ts';
import { type Present, presentOf } from './present.ts';

let side: OpsgenieDouble;

beforeEach(async () => {
  side = await startOpsgenie();
});
afterEach(() => side.stop());

function read(policyTeams: readonly string[] = [], policyTeamNames: readonly string[] = []): Promise<Present> {
  const client = new OpsgenieClient({ url: side.url, key: OPSGENIE_KEYS.account }, impatient());
  const progress = new Progress(
    () => undefined,
    () => 0,
  );
  const teams = { ids: new Set(policyTeams), names: new Set(policyTeamNames) };
  return presentOf(client, { has: () => true, policyTeams: teams }, 0, progress);
}

const pathsOf = (pattern: RegExp): readonly string[] =>
  side.requests.map(({ path }) => path).filter((path) => pattern.test(path));
const usersIn = ({ bodies }: Present): object =>
  Object.fromEntries([...bodies].filter(([, { kind }]) => kind === 'users' || kind === 'notification-rules'));
const policiesIn = ({ ids }: Present): number | undefined => ids.get('policies')?.size;

describe('what Tocsin has', () => {
  it('is the same of users whose list item has their contacts, with the requests for their rules alone', async () => {
    const before = usersIn(await read());
    expect(pathsOf(/^\/v2\/users\/[^/]+\/contacts$/)).toHaveLength(side.account.users.length);
    for (const user of side.account.users) {
      const contacts = side.account.contacts.get(String(user['id'])) ?? [];
      user['userContacts'] = contacts.map(({ id, method, status, to }) => ({
        ...{ id, to, contactMethod: method },
        ...(status as object),
      }));
    }
    const sent = side.requests.length;
    expect(usersIn(await read())).toEqual(before);
    const later = side.requests.slice(sent).map(({ path }) => path);
    expect(later.filter((path) => /^\/v2\/users\/[^/]+(\/contacts)?$/.test(path))).toEqual([]);
  });

  it('has the policies of the account and of the teams that are asked for, and of no team that is not there', async () => {
    const data = side.account.teams.find(({ name }) => name === 'Data')?.['id'];
    expect(policiesIn(await read())).toBe(1);
    expect(policiesIn(await read([String(data), 'a-team-that-is-gone']))).toBe(2);
    const teams = side.requests.map(({ query }) => query.get('teamId')).filter((id) => id !== null);
    expect(new Set(teams)).toEqual(new Set([data]));
  });

  it('has the policies of a team that has the name of one that is asked for under another id', async () => {
    expect(policiesIn(await read(['the-id-in-opsgenie'], ['data', 'no such team']))).toBe(2);
  });
});
