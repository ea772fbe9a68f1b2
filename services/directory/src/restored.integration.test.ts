import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { collectionOf, inTransaction, Outbox } from '@tocsin/mongo';
import {
  Sessions,
  type SessionState,
  SHADOW_SWITCH,
  ShadowSwitches,
  type ShadowSwitchState,
  Teams,
  type TeamState,
  Users,
  type UserState,
} from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import { composeService } from '@tocsin/service';
import { RestorableService } from '@tocsin/service/testing';
import { eventually } from '@tocsin/testkit';
import { compose } from './compose.ts';
import { Config } from './config.ts';

let service: RestorableService;
let users: ReplicaView<UserState>;
let teams: ReplicaView<TeamState>;
let sessions: ReplicaView<SessionState>;
let switches: ReplicaView<ShadowSwitchState>;

beforeAll(async () => {
  service = await RestorableService.open('directory', { OWNER_EMAIL: 'owner@example.com' }, (environment) =>
    composeService({ name: 'directory', config: Config.parse(environment), compose, clock: systemClock }),
  );
  users = service.follow(Users);
  teams = service.follow(Teams);
  sessions = service.follow(Sessions);
  switches = service.follow(ShadowSwitches);
  await service.start();
});

afterAll(() => service.end());

/** A state that was not on the topic yet at the time of the backup. */
async function addToOutbox(
  state: Pick<SessionState, 'id' | 'userId' | 'tokenHash'>,
  version: { readonly epoch: number; readonly n: number },
): Promise<void> {
  const [lastUsedAt, expiresAt] = [new Date().toISOString(), new Date(Date.now() + 86_400_000).toISOString()];
  const logger = { warn: () => undefined, error: () => undefined };
  const { database: connection, publisher } = service;
  const outbox = new Outbox({ connection, publisher, topics: [Sessions], logger });
  const message = { id: state.id, version, deleted: false as const, state: { ...state, lastUsedAt, expiresAt } };
  await inTransaction(connection, (session) => outbox.add(session, Sessions, [message]));
}

describe('a database that is restored while the topics have later states than the backup', () => {
  it('is the source of every service after the start: its users, and no others', async () => {
    const owner = await eventually(() => {
      const [found] = [...users.all()];
      if (found === undefined) throw new Error('The owner is not published yet.');
      return found;
    });
    await service.stop();
    const version = { epoch: Date.now(), n: 9 };
    const later = (state: UserState) => ({ id: state.id, version, deleted: false as const, state });
    await service.publisher.publish(Users, [later({ ...owner, fullName: 'Later' }), later({ ...owner, id: 'later' })]);
    const team: TeamState = { id: 'later', name: 'Later', description: '', members: [], routingRules: [] };
    await service.publisher.publish(Teams, [{ id: 'later', version, deleted: false, state: team }]);
    await eventually(() => {
      expect([users.get(owner.id)?.fullName, users.get('later')?.id, teams.get('later')?.name]).toEqual([
        'Later',
        'later',
        'Later',
      ]);
    });
    await service.start();
    await eventually(() => {
      expect([...users.all()]).toEqual([owner]);
      expect([...teams.all()]).toEqual([]);
    });
  });

  it('begins and ends no shadow: the switch is as the topic has it, also where the backup has none (M3)', async () => {
    const stored = collectionOf<{ _id: string; enabled: boolean; periodId?: string }>(
      service.database,
      'shadow_switches',
    );
    await eventually(() => {
      expect(switches.get(SHADOW_SWITCH)).toMatchObject({ enabled: false });
    });
    await service.stop();
    const state = { enabled: true, periodId: 'begun after the backup', changedAt: '2026-01-01T00:00:00Z' };
    const version = { epoch: Date.now(), n: 9 };
    await service.publisher.publish(ShadowSwitches, [{ id: SHADOW_SWITCH, version, deleted: false, state }]);
    await service.start();
    expect(await stored.findOne({})).toMatchObject({ enabled: true, periodId: 'begun after the backup' });
    await service.stop();
    await stored.deleteMany({});
    await service.start();
    expect(await stored.findOne({})).toMatchObject({ enabled: true, periodId: 'begun after the backup' });
    expect(switches.get(SHADOW_SWITCH)).toEqual(state);
  });

  it('has no session that has ended since, whether the topic says so or knows nothing of it any more (K21)', async () => {
    const stored = collectionOf<{ _id: string }>(service.database, 'sessions');
    const version = { epoch: 1, n: 1 };
    const restored = (id: string) => ({
      ...{ _id: id, userId: 'ada', tokenHash: id, address: '192.0.2.7', browser: 'Firefox', version },
      createdAt: new Date(Date.now() - 86_400_000),
      lastUsedAt: new Date(),
      expiresAt: new Date(Date.now() + 86_400_000),
    });
    await service.stop();
    await stored.insertMany([restored('signed-out'), restored('ended-long-ago'), restored('waiting-in-the-outbox')]);
    await addToOutbox({ id: 'waiting-in-the-outbox', userId: 'ada', tokenHash: 'waiting-in-the-outbox' }, version);
    const signIns = collectionOf<{ _id: string; codes: object[] }>(service.database, 'sign_ins');
    const expiresAt = new Date(Date.now() + 600_000);
    const code = { flowHash: 'flow', hash: 'redeemed since', expiresAt, triesLeft: 5 };
    await signIns.insertOne({ _id: 'ada@example.com', codes: [code] });
    await service.publisher.publish(Sessions, [{ id: 'signed-out', version: { epoch: 1, n: 2 }, deleted: true }]);
    await service.start();
    expect(await stored.find().toArray()).toEqual([]);
    expect(await signIns.find().toArray()).toEqual([{ _id: 'ada@example.com', codes: [] }]);
    await eventually(async () => {
      expect(await collectionOf(service.database, 'outbox').countDocuments()).toBe(0);
      expect([...sessions.all()]).toEqual([]);
    });
  });
});
