import { describe, expect, it } from '@jest/globals';
import type { ImportBody, ImportKind } from '../bodies/body.ts';
import type { Json } from '../json.ts';
import { KINDS, type KindName } from '../kinds.ts';
import type { AppliedBody } from './applied.ts';
import { changes, type Choices, type Plan, planOf } from './plan.ts';
import { listKindOf, type Present } from './present.ts';

const CHOICES: Choices = { adopt: false, prune: false, kinds: new Set(KINDS) };
const thing = (kind: ImportKind, id: string, body: Json): ImportBody => ({
  kind,
  id,
  body,
  name: typeof body['name'] === 'string' ? body['name'] : id,
});
const role = (id: string, body: Json = {}): ImportBody => thing('roles', id, { name: id, ...body });

function present(...bodies: readonly ImportBody[]): Present {
  const [ids, names] = [new Map<KindName, Set<string>>(), new Map<KindName, Map<string, string>>()];
  for (const { id, kind, name } of bodies) {
    if (listKindOf(kind) !== kind) continue;
    ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
    names.set(kind, (names.get(kind) ?? new Map<string, string>()).set(name, id));
  }
  return { bodies: new Map(bodies.map((each) => [`${each.kind}/${each.id}`, each])), ids, names };
}

const applied = (...bodies: readonly ImportBody[]) => ({
  bodies: new Map<string, AppliedBody>(
    bodies.map(({ body, id, kind }) => [`${kind}/${id}`, { body, isAnswered: true }]),
  ),
  adopted: new Map<string, string>(),
});

const plan = (
  wanted: readonly ImportBody[],
  ours = present(),
  before = applied(),
  choices: Partial<Choices> = {},
): Plan => planOf({ bodies: wanted, losses: [], unreadable: [] }, ours, before, { ...CHOICES, ...choices });
const states = ({ things }: Plan): readonly string[] => things.map(({ id, state }) => `${id} ${state}`);

describe('the plan of an import', () => {
  it('creates what Tocsin does not have, in the order of the kinds', () => {
    const made = plan([thing('teams', 't', { name: 'T' }), role('r')]);
    expect(states(made)).toEqual(['r create', 't create']);
    expect(changes(made)).toBe(2);
  });

  it('has nothing to do where both sides say the same in another order', () => {
    const made = plan(
      [role('r', { grantedRights: ['a', 'b'], x: 1 })],
      present(role('r', { x: 1, grantedRights: ['b', 'a'] })),
    );
    expect([states(made), changes(made)]).toEqual([['r same'], 0]);
  });

  it.each([
    ['only Opsgenie changed it', 'old', 'base', 'base', 'change', 'old'],
    ['only Tocsin changed it', 'base', 'ours', 'base', 'keep', undefined],
    ['both changed it', 'old', 'ours', 'base', 'conflict', undefined],
    ['both changed it to the same', 'new', 'new', 'base', 'same', undefined],
    ['it differs and nothing was written before', 'old', 'ours', undefined, 'conflict', undefined],
  ])('decides by what was written last: %s', (_what, old, ours, base, state, written) => {
    const before = base === undefined ? applied() : applied(role('r', { x: base }));
    const { things } = plan([role('r', { x: old })], present(role('r', { x: ours })), before);
    expect([things[0]?.state, things[0]?.body?.['x']]).toEqual([state, written]);
  });

  it('writes fields that Opsgenie changed beside fields that Tocsin changed', () => {
    const { things } = plan(
      [role('r', { x: 2, y: 1 })],
      present(role('r', { x: 1, y: 3 })),
      applied(role('r', { x: 1, y: 1 })),
    );
    expect(things).toMatchObject([{ state: 'change', body: { x: 2, y: 3 } }]);
  });

  it('shows both values of a conflict', () => {
    const { things } = plan([role('r', { x: 'old' })], present(role('r', { x: 'ours' })));
    expect(things[0]?.differences).toEqual([{ field: 'x', old: 'old', ours: 'ours', decision: 'conflict' }]);
  });

  it('decides conflicts as the user says', () => {
    const ours = present(role('r', { x: 'ours' }));
    expect(plan([role('r', { x: 'old' })], ours, applied(), { take: 'old' }).things).toMatchObject([
      { state: 'change', body: { x: 'old' } },
    ]);
    expect(states(plan([role('r', { x: 'old' })], ours, applied(), { take: 'ours' }))).toEqual(['r keep']);
  });

  it('takes the rules that a new user has as its own, and not those of one that was there', () => {
    const rules = (x: number): ImportBody => thing('notification-rules', 'u', { rules: [x] });
    const user = thing('users', 'u', { username: 'u' });
    expect(states(plan([user, rules(1)], present(user, rules(2)), applied(user)))).toEqual(['u same', 'u change']);
    expect(states(plan([user, rules(1)], present(user, rules(2))))).toEqual(['u same', 'u conflict']);
  });

  it('does not make again what was deleted in Tocsin, unless Opsgenie changed it and the user takes that', () => {
    const before = applied(role('r', { x: 1 }));
    expect(states(plan([role('r', { x: 1 })], present(), before))).toEqual(['r keep']);
    expect(states(plan([role('r', { x: 2 })], present(), before))).toEqual(['r conflict']);
    expect(states(plan([role('r', { x: 2 })], present(), before, { take: 'old' }))).toEqual(['r create']);
  });

  it('writes the rules of a new user that were refused before, whatever Tocsin gave the user', () => {
    const user = thing('users', 'u', { username: 'u' });
    const begun = { ...applied(), bodies: new Map([['users/u', { body: user.body, isAnswered: false }]]) };
    const rules = (x: number): ImportBody => thing('notification-rules', 'u', { rules: [x] });
    expect(states(plan([user, rules(1)], present(user, rules(2)), begun))).toEqual(['u same', 'u change']);
  });

  it('creates what an earlier run began to create', () => {
    const before = { ...applied(), bodies: new Map([['roles/r', { body: role('r').body, isAnswered: false }]]) };
    expect(states(plan([role('r')], present(), before))).toEqual(['r create']);
  });

  it('names both ids where another thing has the name, and takes them for the same where the user says so', () => {
    const [wanted, member] = [thing('teams', 'old', { name: 'Ops' }), role('r', { team: { id: 'old' } })];
    const ours = present(thing('teams', 'ours', { name: 'ops' }));
    expect(plan([wanted], ours).things).toMatchObject([
      { state: 'conflict', why: expect.stringMatching(/with the id ours, the snapshot with old\. .*--adopt/) },
    ]);
    const rules = thing('routing-rules', 'old', { rules: [] });
    expect(states(plan([wanted, rules], ours))).toEqual(['old conflict', 'old conflict']);
    const adopted = plan([wanted, member], ours, applied(), { adopt: true, take: 'old' });
    expect(adopted.things).toMatchObject([{ body: { team: { id: 'ours' } } }, { id: 'ours', state: 'change' }]);
    expect(adopted.adopted).toEqual(new Map([['old', 'ours']]));
  });

  it('deletes what the snapshot has no longer only where it wrote it, and the user says so', () => {
    const ours = present(role('written'), role('own'));
    const before = applied(role('written'));
    expect(states(plan([], ours, before))).toEqual(['written gone']);
    expect(states(plan([], ours, before, { prune: true }))).toEqual(['written delete']);
    expect(states(plan([], ours, before, { prune: true, kinds: new Set() }))).toEqual([]);
  });

  it('deletes nothing that was changed in Tocsin since it was written, unless the user takes that', () => {
    const user = thing('users', 'u', { username: 'u' });
    const rules = (x: number): ImportBody => thing('notification-rules', 'u', { rules: [x] });
    const [before, ours] = [applied(role('r', { x: 1 }), user, rules(1)), present(role('r', { x: 2 }), user, rules(2))];
    expect(states(plan([], ours, before))).toEqual(['r gone', 'u gone']);
    const pruned = (take?: 'old' | 'ours') => plan([], ours, before, { prune: true, ...(take && { take }) });
    expect(pruned().things).toMatchObject([
      { state: 'conflict', why: 'It was deleted in Opsgenie and changed in Tocsin.' },
      { state: 'conflict' },
    ]);
    expect(states(pruned('ours'))).toEqual(['r keep', 'u keep']);
    expect(states(pruned('old'))).toEqual(['r delete', 'u delete']);
  });

  it('deletes nothing that took the place of a thing of the snapshot, because no import made it', () => {
    const ours = present(role('mine'));
    const before = { ...applied(role('mine')), adopted: new Map([['old', 'mine']]) };
    expect(states(plan([], ours, before, { prune: true }))).toEqual(['mine keep']);
  });

  it('leaves masked fields as Tocsin has them, and creates no webhook without its URL', () => {
    const hook = (url: string, headers: Json): ImportBody =>
      thing('integrations', 'i', { name: 'I', type: 'Webhook', url, headers });
    const masked = hook('https://a.example/*****', { Authorization: '*****' });
    expect(states(plan([masked], present(hook('https://a.example/token', { Authorization: 'secret' }))))).toEqual([
      'i same',
    ]);
    expect(plan([masked]).things).toMatchObject([{ state: 'cannot', why: expect.stringContaining('--with-secrets') }]);
    expect(plan([hook('https://a.example', { Authorization: '*****' })]).things[0]?.body).not.toHaveProperty('headers');
  });

  it('names references that nothing carries', () => {
    const schedule = thing('schedules', 's', {
      name: 'S',
      ownerTeam: { id: 'here' },
      rotations: [{ id: 'r', participants: [{ type: 'user', id: 'nowhere' }] }],
      overrides: [{ alias: 'a', user: { type: 'none' }, rotations: [{ id: 'r' }, { id: 'no-rotation' }] }],
    });
    expect(plan([schedule], present(thing('teams', 'here', { name: 'T' }))).dangling).toMatchObject([
      { field: 'rotations.0.participants.0', to: 'nowhere' },
      { field: 'overrides.0.rotations.1', to: 'no-rotation' },
    ]);
  });
});
