import { describe, expect, it } from '@jest/globals';
import type { EscalationState, ScheduleState, TeamState, UserState } from '@tocsin/events';
import { MemoryReplica, RESPONDER_INDEXES, Responders } from './index.ts';

const replicas = {
  user: new MemoryReplica<UserState>(RESPONDER_INDEXES.user),
  team: new MemoryReplica<TeamState>(RESPONDER_INDEXES.team),
  schedule: new MemoryReplica<ScheduleState>(RESPONDER_INDEXES.schedule),
  escalation: new MemoryReplica<EscalationState>(RESPONDER_INDEXES.escalation),
};
replicas.user.put('u1', { id: 'u1', username: 'ada@example.com' } as UserState);
replicas.team.put('t1', { id: 't1', name: 'Ops' } as TeamState);
replicas.schedule.put('s1', { id: 's1', name: 'Nights', ownerTeamId: 't1' } as ScheduleState);
replicas.escalation.put('e1', { id: 'e1', name: 'All hands' } as EscalationState);
const responders = new Responders(replicas);

describe('responders', () => {
  it.each([
    ['user', 'u1', 'ada@example.com', undefined],
    ['team', 't1', 'Ops', undefined],
    ['schedule', 's1', 'Nights', 't1'],
    ['escalation', 'e1', 'All hands', undefined],
  ] as const)('of the kind %s are found by id and by name, with their owner', async (type, id, name, ownerTeamId) => {
    expect(await responders.find(type, { id })).toStrictEqual({ id, name, ownerTeamId });
    expect(await responders.find(type, { name })).toStrictEqual({ id, name, ownerTeamId });
    expect([responders.nameOf(type, id), responders.idOf(type, name)]).toEqual([name, id]);
  });

  it('that are users are found in any case of their names, others as they are written', async () => {
    expect(await responders.find('user', { name: 'Ada@Example.COM' })).toMatchObject({ id: 'u1' });
    expect(responders.idOf('user', 'ADA@example.com')).toBe('u1');
    expect([await responders.find('team', { name: 'ops' }), responders.idOf('team', 'OPS')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are found by the id where there is one, whatever the name is, and not found without both', async () => {
    expect(await responders.find('team', { id: 't2', name: 'Ops' })).toBeUndefined();
    expect(await responders.find('team', {})).toBeUndefined();
    expect(responders.nameOf('team', 't2')).toBeUndefined();
  });

  it('that are everyone are all users', () => {
    expect(responders.everyone()).toEqual(['u1']);
  });
});
