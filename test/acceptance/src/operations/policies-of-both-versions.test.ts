import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { ALERT_POLICY, deletedAfterEach, inUnits, notificationPolicy, type Fields } from '../system/policies.ts';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const PATH = '/v2/policies';
const made = deletedAfterEach(system, PATH);

let scenario: Scenario;
let team: { readonly id: string };
beforeEach(async () => {
  scenario = system.scenario();
  team = await scenario.team('Ops');
});

const ofTeam = () => `?teamId=${team.id}`;
async function create(body: Fields, query = ''): Promise<string> {
  const { id } = await system.api.create(PATH + query, body);
  made.push(id);
  return `${PATH}/${id}`;
}
const idOf = (path: string) => path.split('/').at(-1) ?? '';
const read = (path: string) => system.api.read<Fields>(path);

describe('one policy in two versions (P14)', () => {
  it('shows what version 1 cannot say without losing it, and version 2 what version 1 wrote', async () => {
    const path = await create(notificationPolicy('delayAction', 'autoCloseAction'));
    const before = await read(path);
    const asOne = `/v1/policies/${idOf(path)}`;
    expect(await read(asOne)).toMatchObject({ type: 'notification-delay', delayOption: 'next-weekday', untilHour: 0 });
    const delay = {
      type: 'notification-delay',
      name: 'Later',
      delayOption: 'for-duration',
      duration: inUnits(10, 'seconds'),
    };
    await system.api.expect(200, 'PUT', asOne, { ...delay, enabled: 'true' });
    const after = await read(path);
    expect(after).toMatchObject({
      name: 'Later',
      enabled: true,
      delayAction: { delayOption: 'for-duration', duration: inUnits(10, 'seconds') },
      autoCloseAction: before['autoCloseAction'],
    });
    const { body } = await system.api.expect(422, 'PUT', asOne, {
      ...delay,
      enabled: true,
      type: 'auto-close',
      duration: inUnits(1, 'minutes'),
    });
    expect(body['errors']).toHaveProperty('type');
    expect(await read(path)).toEqual(after);
  });

  it('keeps the policies of teams, and those without an effect, to version 2', async () => {
    const ofATeam = await create(notificationPolicy('suppress'), ofTeam());
    const without = await create(notificationPolicy());
    expect(await system.api.read('/v1/policies')).toEqual([]);
    for (const path of [ofATeam, without]) await system.api.expect(404, 'GET', `/v1/policies/${idOf(path)}`);
    expect(await read(without)).toMatchObject({ type: 'notification' });
  });
});

describe('the key of a team', () => {
  it('makes and moves policies of its own team, reads no others, and makes none of the account (K4, K8)', async () => {
    const other = await scenario.team('Others');
    const theirs = await create(ALERT_POLICY, `?teamId=${other.id}`);
    const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', {
      type: 'API',
      name: scenario.name('Key'),
      ownerTeam: team,
      allowConfigurationAccess: true,
    });
    await system.settle();
    const key = system.api.as(apiKey);
    const own = await key.create(PATH + ofTeam(), ALERT_POLICY);
    made.push(own.id);
    await key.expect(200, 'POST', `${PATH}/${own.id}/enable${ofTeam()}`);
    expect(await key.read(`${PATH}/${own.id}`)).toMatchObject({ ...ALERT_POLICY, enabled: true });
    expect(await key.read(`${PATH}/alert${ofTeam()}`)).toMatchObject([{ id: own.id }]);
    for (const [method, path, body] of [
      ['POST', PATH, ALERT_POLICY],
      ['POST', `${PATH}?teamId=${other.id}`, ALERT_POLICY],
      ['GET', theirs, undefined],
      ['PUT', theirs, ALERT_POLICY],
      ['DELETE', theirs, undefined],
      ['GET', `${PATH}/alert?teamId=${other.id}`, undefined],
    ] as const)
      expect([method, path, (await key.expect(403, method, path, body)).body['code']]).toEqual([method, path, 40301]);
  });
});
