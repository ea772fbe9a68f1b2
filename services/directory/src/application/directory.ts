import type { Clock } from '@tocsin/clock';
import type { AlertIngest } from '../ports/alert-ingest.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { TeamStore } from '../ports/team-store.ts';
import type { UserStore } from '../ports/user-store.ts';
import { CreateTeam } from './create-team.ts';
import { DeleteTeam } from './delete-team.ts';
import { TeamSaga } from './team-saga.ts';
import { Teams } from './teams.ts';
import { Users, type AccountDefaults } from './users.ts';

export interface DirectoryPorts {
  readonly users: UserStore;
  readonly teams: TeamStore;
  readonly scheduling: Scheduling;
  readonly ingest: AlertIngest;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly account: AccountDefaults;
}

/** Everything that the service can do. */
export interface Directory {
  readonly users: Users;
  readonly teams: Teams;
  readonly createTeam: CreateTeam;
  readonly deleteTeam: DeleteTeam;
  readonly saga: TeamSaga;
}

export function createDirectory(ports: DirectoryPorts): Directory {
  const saga = new TeamSaga({ ...ports, timezone: ports.account.timezone });
  return {
    saga,
    users: new Users(ports),
    teams: new Teams(ports),
    createTeam: new CreateTeam({ ...ports, saga }),
    deleteTeam: new DeleteTeam({ ...ports, saga }),
  };
}
