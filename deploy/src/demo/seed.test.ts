import { describe, expect, test } from '@jest/globals';
import { demoPlan } from '../../../charts/tocsin/files/demo-plan.mjs';
import { seedDemo, type Answer, type CallApi } from './seed.ts';

const plan = demoPlan(new Date('2026-03-01T10:00:00Z'));
const ROTATIONS = '/v2/schedules/Demo_schedule/rotations?scheduleIdentifierType=name';

/** An API that knows what was created; `interfere` answers in its place where it gives an answer. */
function fakeApi(interfere: (method: string, path: string) => Answer | undefined = () => undefined) {
  const created: string[] = [];
  const present = new Set<string>();
  const call: CallApi = (method, path) => {
    const thing = plan.find(({ lookUp, create }) => (method === 'GET' ? lookUp === path : isNext(create.path, path)));
    const answer = interfere(method, path) ?? (method === 'GET' ? looked(path) : made(thing?.lookUp ?? '', path));
    return Promise.resolve(answer);
  };
  const isNext = (known: string, path: string): boolean =>
    known === path && plan.some((thing) => thing.create.path === path && !present.has(thing.lookUp));
  const looked = (path: string): Answer => {
    if (path === ROTATIONS) return { status: 200, body: JSON.stringify({ data: present.has(path) ? [{}] : [] }) };
    return { status: present.has(path) ? 200 : 404, body: '' };
  };
  const made = (_: string, path: string): Answer => {
    const next = plan.find((thing) => thing.create.path === path && !present.has(thing.lookUp));
    if (next !== undefined) present.add(next.lookUp);
    created.push(path);
    return { status: 201, body: '' };
  };
  return { call, created };
}

describe('seedDemo', () => {
  test('creates everything in a fresh installation', async () => {
    const api = fakeApi();

    await seedDemo(plan, api.call);

    expect(api.created).toEqual(['/v2/users', '/v2/users', '/v2/teams', ROTATIONS, '/v2/escalations']);
  });

  test('creates nothing the second time', async () => {
    const api = fakeApi();
    await seedDemo(plan, api.call);
    api.created.length = 0;

    await seedDemo(plan, api.call);

    expect(api.created).toEqual([]);
  });

  test('asks again while a part is still on its way up', async () => {
    let refusals = 2;
    const api = fakeApi((method) => (method === 'POST' && refusals-- > 0 ? { status: 503, body: '' } : undefined));

    await seedDemo(plan, api.call, 0);

    expect(api.created).toHaveLength(5);
  });

  test('asks again until the server has created the schedule of the team', async () => {
    let missing = 2;
    const api = fakeApi((method, path) =>
      method === 'GET' && path === ROTATIONS && missing-- > 0 ? { status: 404, body: '' } : undefined,
    );

    await seedDemo(plan, api.call, 0);

    expect(api.created).toContain(ROTATIONS);
  });

  test('leaves a team alone whose schedule was renamed or deleted', async () => {
    const api = fakeApi((method, path) =>
      method === 'GET' && path === ROTATIONS ? { status: 404, body: '' } : undefined,
    );

    await seedDemo(plan, api.call, 0);

    expect(api.created).not.toContain(ROTATIONS);
    expect(api.created).toHaveLength(4);
  });

  test('uses an entity that another caller has just created', async () => {
    const api = fakeApi((method, path) =>
      method === 'POST' && path === '/v2/teams' ? { status: 409, body: '' } : undefined,
    );

    await expect(seedDemo(plan, api.call)).resolves.toBeUndefined();
  });

  test('stops at a refusal and says what was refused and why', async () => {
    const api = fakeApi((method, path) =>
      method === 'POST' && path === ROTATIONS ? { status: 422, body: 'rotations' } : undefined,
    );

    await expect(seedDemo(plan, api.call)).rejects.toThrow(
      'create the rotation of schedule Demo_schedule: 422 rotations',
    );
  });

  test('says where the key comes from when it is refused', async () => {
    const api = fakeApi(() => ({ status: 401, body: '' }));

    await expect(seedDemo(plan, api.call)).rejects.toThrow('BOOTSTRAP_API_KEY');
  });
});
