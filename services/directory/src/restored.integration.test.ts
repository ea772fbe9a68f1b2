import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tocsin/core';
import { Teams, type TeamState, Users, type UserState } from '@tocsin/events';
import type { ReplicaView } from '@tocsin/kafka';
import { composeService } from '@tocsin/service';
import { RestorableService } from '@tocsin/service/testing';
import { eventually } from '@tocsin/testkit';
import { compose } from './compose.ts';
import { Config } from './config.ts';

let service: RestorableService;
let users: ReplicaView<UserState>;
let teams: ReplicaView<TeamState>;

beforeAll(async () => {
  service = await RestorableService.open('directory', { OWNER_EMAIL: 'owner@example.com' }, (environment) =>
    composeService({ name: 'directory', config: Config.parse(environment), compose, clock: systemClock }),
  );
  users = service.follow(Users);
  teams = service.follow(Teams);
  await service.start();
});

afterAll(() => service.end());

describe('a database that is restored while the topics hold what came after the backup', () => {
  it('is what every service knows after the start: its users as they are, and no others', async () => {
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
});
