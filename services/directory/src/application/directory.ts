import type { Clock } from '@tocsin/clock';
import type { RoleStore } from '../ports/role-store.ts';
import type { Scheduling } from '../ports/scheduling.ts';
import type { TeamParts } from '../ports/team-parts.ts';
import type { TeamStore } from '../ports/team-store.ts';
import type { PendingCopies } from '../ports/pending-copies.ts';
import type { UserLots } from '../ports/user-lots.ts';
import type { UserStore } from '../ports/user-store.ts';
import type { ConfirmationPolicy } from '../domain/contact-book.ts';
import type { Log } from '../ports/log.ts';
import { Account } from './account.ts';
import { ContactVerification } from './contact-verification.ts';
import { Contacts } from './contacts.ts';
import { CopyNotificationRules } from './copy-notification-rules.ts';
import { CreateTeam } from './create-team.ts';
import { DeleteTeam } from './delete-team.ts';
import { Devices } from './devices.ts';
import { NotificationRules } from './notification-rules.ts';
import { NotificationSteps } from './notification-steps.ts';
import { Roles } from './roles.ts';
import { RuleChanges } from './rule-changes.ts';
import { RoutingRules, type RoutingTargets } from './routing-rules.ts';
import { TeamChanges } from './team-changes.ts';
import { TeamMembers } from './team-members.ts';
import { TeamRoles } from './team-roles.ts';
import { TeamSaga } from './team-saga.ts';
import { Teams } from './teams.ts';
import { UpdateTeam } from './update-team.ts';
import { UserSchedules } from './user-schedules.ts';
import { Users, type AccountDefaults } from './users.ts';

export interface DirectoryPorts {
  readonly users: UserStore;
  readonly roleStore: RoleStore;
  readonly userLots: UserLots;
  readonly pendingCopies: PendingCopies;
  readonly teams: TeamStore;
  readonly scheduling: Scheduling;
  /** What routing rules may name, as scheduling announces it. */
  readonly targets: RoutingTargets;
  readonly integrations: TeamParts;
  readonly policies: TeamParts;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Six digits that nobody can foretell. */
  readonly newCode: () => string;
  readonly confirmation: ConfirmationPolicy;
  /** A topic of the push server that nobody can foretell. */
  readonly newTopic: () => string;
  /** The push server; undefined: there is none. */
  readonly pushUrl: string | undefined;
  readonly log: Log;
  readonly account: AccountDefaults;
}

/** Everything that the service can do. */
export interface Directory {
  readonly account: Account;
  readonly roles: Roles;
  readonly users: Users;
  readonly contacts: Contacts;
  readonly contactVerification: ContactVerification;
  readonly devices: Devices;
  readonly notificationRules: NotificationRules;
  readonly notificationSteps: NotificationSteps;
  readonly copyNotificationRules: CopyNotificationRules;
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
  const roles = new Roles({ ...ports, roles: ports.roleStore });
  const rules = {
    ...ports,
    ruleChanges: new RuleChanges(ports.users),
    userSchedules: new UserSchedules({ ...ports, schedules: ports.targets.schedules }),
  };
  return {
    saga,
    roles,
    account: new Account(ports),
    users: new Users({ ...ports, roles }),
    contacts: new Contacts(ports),
    contactVerification: new ContactVerification(ports),
    devices: new Devices(ports),
    notificationRules: new NotificationRules(rules),
    notificationSteps: new NotificationSteps(rules),
    copyNotificationRules: new CopyNotificationRules(rules),
    teams: new Teams({ ...ports, changes }),
    createTeam: new CreateTeam({ ...ports, saga }),
    updateTeam: new UpdateTeam({ ...ports, changes }),
    deleteTeam: new DeleteTeam({ ...ports, saga }),
    teamMembers: new TeamMembers({ ...ports, changes }),
    teamRoles: new TeamRoles({ ...ports, changes }),
    routingRules: new RoutingRules({ ...ports, changes, timezone: ports.account.timezone }),
  };
}
