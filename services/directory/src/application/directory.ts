import type { Clock } from '@tocsin/clock';
import type { AlertIngest } from '../ports/alert-ingest.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { TeamStore } from '../ports/team-store.ts';
import type { UserStore } from '../ports/user-store.ts';
import type { ConfirmationPolicy } from '../domain/contact-book.ts';
import type { Log } from '../ports/log.ts';
import { ContactVerification } from './contact-verification.ts';
import { Contacts } from './contacts.ts';
import { CreateTeam } from './create-team.ts';
import { DeleteTeam } from './delete-team.ts';
import { RoutingRules, type RoutingTargets } from './routing-rules.ts';
import { TeamChanges } from './team-changes.ts';
import { TeamMembers } from './team-members.ts';
import { TeamRoles } from './team-roles.ts';
import { TeamSaga } from './team-saga.ts';
import { Teams } from './teams.ts';
import { UpdateTeam } from './update-team.ts';
import { Users, type AccountDefaults } from './users.ts';

export interface DirectoryPorts {
  readonly users: UserStore;
  readonly teams: TeamStore;
  readonly scheduling: Scheduling;
  /** What routing rules may name, as scheduling announces it. */
  readonly targets: RoutingTargets;
  readonly ingest: AlertIngest;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Six digits that nobody can foretell. */
  readonly newCode: () => string;
  readonly confirmation: ConfirmationPolicy;
  readonly log: Log;
  readonly account: AccountDefaults;
}

/** Everything that the service can do. */
export interface Directory {
  readonly users: Users;
  readonly contacts: Contacts;
  readonly contactVerification: ContactVerification;
  readonly teams: Teams;
  readonly createTeam: CreateTeam;
  readonly updateTeam: UpdateTeam;
  readonly deleteTeam: DeleteTeam;
  readonly teamMembers: TeamMembers;
  readonly teamRoles: TeamRoles;
  readonly routingRules: RoutingRules;
  readonly saga: TeamSaga;
}

export function createDirectory(ports: DirectoryPorts): Directory {
  const saga = new TeamSaga({ ...ports, timezone: ports.account.timezone });
  const changes = new TeamChanges(ports);
  return {
    saga,
    users: new Users(ports),
    contacts: new Contacts(ports),
    contactVerification: new ContactVerification(ports),
    teams: new Teams({ ...ports, changes }),
    createTeam: new CreateTeam({ ...ports, saga }),
    updateTeam: new UpdateTeam({ ...ports, changes }),
    deleteTeam: new DeleteTeam({ ...ports, saga }),
    teamMembers: new TeamMembers({ ...ports, changes }),
    teamRoles: new TeamRoles({ ...ports, changes }),
    routingRules: new RoutingRules({ ...ports, changes, timezone: ports.account.timezone }),
  };
}
