import type { KeyedPushService } from '@tocsin/api';
import type { Clock } from '@tocsin/core';
import { type CodeHasher, type CodeSealer } from '@tocsin/http';
import { Browsers, type BrowsersDependencies } from './contacts/browser-operations.ts';
import { Devices } from './contacts/device-operations.ts';
import { Contacts } from './contacts/operations.ts';
import { TelegramDevices } from './contacts/telegram-operations.ts';
import type { ConfirmationPolicy } from './contacts/user-contacts.ts';
import { ContactVerification } from './contacts/verification-operations.ts';
import { CopyNotificationRules } from './notification-rules/copy-operations.ts';
import { Moves } from './move/operations.ts';
import type { PendingCopyStore } from './notification-rules/copy-store.ts';
import { NotificationRules, RuleChanges } from './notification-rules/operations.ts';
import { NotificationSteps } from './notification-rules/step-operations.ts';
import { Roles } from './roles/operations.ts';
import { RoutingRules, type RoutingTargets } from './routing/operations.ts';
import type { Scheduling } from './schedules/client.ts';
import { UserSchedules } from './schedules/operations.ts';
import type { KnownBrowsers } from './sessions/known-browser.ts';
import { type OpenIdProvider, OpenIdSignIns } from './sessions/openid-operations.ts';
import { SignIns, UserSessions } from './sessions/operations.ts';
import type { SessionStore } from './sessions/store.ts';
import { Shadow, type ShadowDependencies } from './shadow/operations.ts';
import { TeamChanges } from './teams/change-operations.ts';
import type { TeamIntegrations, TeamParts } from './teams/client.ts';
import { TeamImports } from './teams/import-operations.ts';
import { TeamMembers, type UserNames } from './teams/member-operations.ts';
import { Teams } from './teams/operations.ts';
import { TeamRoles } from './teams/role-operations.ts';
import { TeamSaga } from './teams/saga-task.ts';
import type { TeamStore } from './teams/store.ts';
import { type AccountDefaults, Users } from './users/operations.ts';
import { UserImports } from './users/import-operations.ts';
import type { UserStore } from './users/store.ts';
import type { Stores } from './compose-stores.ts';

export interface DirectoryOptions
  extends
    Stores,
    Pick<BrowsersDependencies, 'newSubscriptionName' | 'pushServices'>,
    Pick<ShadowDependencies, 'nowMs' | 'pause' | 'shadowNotifier'> {
  readonly pendingCopies: Pick<PendingCopyStore, 'keep'>;
  readonly scheduling: Scheduling;
  /** The schedules and escalations that scheduling publishes, which routing rules may name. */
  readonly targets: RoutingTargets;
  readonly integrations: TeamIntegrations;
  readonly policies: TeamParts;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Six random digits. */
  readonly newCode: () => string;
  /** Eight random digits. */
  readonly newSignInCode: () => string;
  readonly confirmation: ConfirmationPolicy;
  /** A random topic of the push server. */
  readonly newTopic: () => string;
  /** 256 random bits. */
  readonly newToken: () => string;
  readonly codeHasher: CodeHasher;
  readonly codeSealer: CodeSealer;
  readonly knownBrowsers: KnownBrowsers;
  /** The URL of the push server; undefined: there is none. */
  readonly pushUrl: string | undefined;
  /** The push services beside it that are set up. */
  readonly deviceServices: Readonly<Record<KeyedPushService, boolean>>;
  /** The user name of the bot of the installation in Telegram; undefined: there is none. */
  readonly telegramBot: string | undefined;
  /** A random code of a link to it. */
  readonly newLinkCode: () => string;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** The OpenID provider; undefined: there is none (K25). */
  readonly openId: OpenIdProvider | undefined;
  readonly account: AccountDefaults;
}

/** The operations of the service, without HTTP. */
export interface Directory {
  readonly account: AccountDefaults;
  readonly roles: Roles;
  readonly users: Users;
  readonly userImports: UserImports;
  readonly userStore: UserStore;
  readonly contacts: Contacts;
  readonly contactVerification: ContactVerification;
  readonly browsers: Browsers;
  readonly devices: Devices;
  readonly telegramDevices: TelegramDevices;
  readonly notificationRules: NotificationRules;
  readonly notificationSteps: NotificationSteps;
  readonly copyNotificationRules: CopyNotificationRules;
  readonly teams: Teams;
  readonly teamImports: TeamImports;
  readonly teamStore: TeamStore;
  readonly teamMembers: TeamMembers;
  readonly teamRoles: TeamRoles;
  readonly routingRules: RoutingRules;
  readonly saga: TeamSaga;
  readonly signIns: SignIns;
  readonly openIdSignIns: OpenIdSignIns;
  readonly userSessions: UserSessions;
  readonly sessionStore: SessionStore;
  readonly shadow: Shadow;
  readonly shadowSwitch: DirectoryOptions['shadowSwitch'];
  readonly moves: Moves;
}

export function createDirectory(options: DirectoryOptions): Directory {
  const { account, targets, teams: teamStore, users: userStore } = options;
  const saga = new TeamSaga({ ...options, timezone: account.timezone });
  const changes = new TeamChanges(options);
  const roles = new Roles(options);
  const signIns = new SignIns(options);
  const users = new Users({ ...options, roles });
  const userNames: UserNames = (references) => userStore.names(references);
  const rules = {
    ...options,
    userNames,
    ruleChanges: new RuleChanges(users),
    userSchedules: new UserSchedules({
      ...options,
      findTeam: (reference) => teamStore.find(reference),
      schedules: targets.schedules,
    }),
  };
  const team = { ...options, userNames, changes, saga, timezone: account.timezone };
  const contacts = new Contacts({ ...options, users });
  return {
    account,
    saga,
    roles,
    users,
    userImports: new UserImports({ ...options, roles }),
    userStore,
    contacts,
    contactVerification: new ContactVerification({ ...options, users }),
    browsers: new Browsers({ ...options, users }),
    devices: new Devices({ ...options, users }),
    telegramDevices: new TelegramDevices({ ...options, users, contacts }),
    notificationRules: new NotificationRules(rules),
    notificationSteps: new NotificationSteps(rules),
    copyNotificationRules: new CopyNotificationRules(rules),
    teams: new Teams(team),
    teamImports: new TeamImports(team),
    teamStore,
    teamMembers: new TeamMembers(team),
    teamRoles: new TeamRoles(team),
    routingRules: new RoutingRules(team),
    signIns,
    openIdSignIns: new OpenIdSignIns({ ...options, signIns }),
    userSessions: new UserSessions(options),
    sessionStore: options.sessions,
    shadow: new Shadow(options),
    shadowSwitch: options.shadowSwitch,
    moves: new Moves(options),
  };
}
