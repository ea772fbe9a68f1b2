import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Clock } from '@tocsin/core';
import {
  Escalations,
  NoticeCommands,
  Roles as RolesTopic,
  Schedules,
  Sessions as SessionsTopic,
  Teams as TeamsTopic,
  Users as UsersTopic,
  VerificationEvents,
} from '@tocsin/events';
import {
  createServiceApp,
  type ServiceAppOptions,
  CodeHasher,
  CodeSealer,
  LinkSigner,
  newSessionToken,
} from '@tocsin/http';
import { consume } from '@tocsin/kafka';
import {
  type Announcements,
  CheckpointTransactions,
  ConfigurationCollection,
  type Connection,
  type DueWork,
  type IndexPlan,
  type Outbox,
  statesOf,
} from '@tocsin/mongo';
import {
  appOptions,
  internalClient,
  openDueWork,
  openEntityStates,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  serve,
  type ServiceContext,
  startConsumer,
  startDueWork,
} from '@tocsin/service';
import type { Config } from './config.ts';
import { Contacts, Devices, randomTopic } from './contacts/operations.ts';
import { contactRoutes } from './contacts/routes.ts';
import type { ConfirmationPolicy } from './contacts/user-contacts.ts';
import { ContactVerification, randomCode } from './contacts/verification-operations.ts';
import { CopyNotificationRules } from './notification-rules/copy-operations.ts';
import {
  copyIndexes,
  copyWorkOptions,
  type PendingCopyDocument,
  PendingCopyStore,
} from './notification-rules/copy-store.ts';
import type { CopyRules } from './notification-rules/copy.ts';
import { NotificationRules, RuleChanges } from './notification-rules/operations.ts';
import { notificationRuleRoutes } from './notification-rules/routes.ts';
import { NotificationSteps } from './notification-rules/step-operations.ts';
import { notificationStepRoutes } from './notification-rules/step-routes.ts';
import { Roles } from './roles/operations.ts';
import type { CustomRole } from './roles/role.ts';
import { roleRoutes } from './roles/routes.ts';
import { ROLE, roleIndexes, ROLES, RoleStore } from './roles/store.ts';
import { RoutingRules, type RoutingTargets } from './routing/operations.ts';
import { routingRuleRoutes } from './routing/routes.ts';
import { type Scheduling, SchedulingClient } from './schedules/client.ts';
import { UserSchedules } from './schedules/operations.ts';
import { KnownBrowsers } from './sessions/known-browser.ts';
import { OpenIdClient } from './sessions/openid-client.ts';
import { openIdFlowIndexes, OpenIdFlowStore } from './sessions/openid-flow-store.ts';
import { type OpenIdProvider, OpenIdSignIns } from './sessions/openid-operations.ts';
import { SignIns, UserSessions } from './sessions/operations.ts';
import { internalSessionRoutes, sessionRoutes } from './sessions/routes.ts';
import type { UserSession } from './sessions/session.ts';
import { CODE_DIGITS } from './sessions/sign-in.ts';
import { SESSION, sessionIndexes, SESSIONS, SessionStore, type SessionStoreOptions } from './sessions/store.ts';
import { removeEndedSessions } from './sessions/task.ts';
import { TeamChanges } from './teams/change-operations.ts';
import { type TeamParts, TeamPartsClient } from './teams/client.ts';
import { teamLogIndexes } from './teams/log-store.ts';
import { TeamMembers, type UserNames } from './teams/member-operations.ts';
import { Teams } from './teams/operations.ts';
import { TeamRoles } from './teams/role-operations.ts';
import { teamRoleRoutes } from './teams/role-routes.ts';
import { internalTeamRoutes, teamMemberRoutes, teamRoutes } from './teams/routes.ts';
import { sweepTeams, TeamSaga } from './teams/saga-task.ts';
import { TEAM, teamIndexes, TEAMS, TeamStore } from './teams/store.ts';
import type { Team } from './teams/team.ts';
import { accountRoutes } from './users/account-routes.ts';
import { UserBatchStore } from './users/batch-store.ts';
import { verificationEvents } from './users/consumer.ts';
import { type AccountDefaults, Users } from './users/operations.ts';
import { internalUserRoutes, userRoutes } from './users/routes.ts';
import { USER, userIndexes, USERS, UserStore, type UserStoreOptions } from './users/store.ts';
import type { User } from './users/user.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [
  ...userIndexes,
  ...roleIndexes,
  ...teamIndexes,
  ...teamLogIndexes,
  ...copyIndexes,
  ...sessionIndexes,
  ...openIdFlowIndexes,
];

/** Within this time a session that has begun is on its topic, or its person signs in again after a restart, in milliseconds (K21). */
const SESSION_PUBLISHED_MS = 600_000;

/** The only file that knows every concrete part. Work stops first, then resources, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const comparison = { areSessionsCompared: false };
  const topics = [NoticeCommands, UsersTopic, TeamsTopic, RolesTopic, SessionsTopic];
  const outbox = await openOutbox(context, connection, publisher, topics, {
    mayRelay: (topic) => topic !== SessionsTopic.name || comparison.areSessionsCompared,
  });
  const { announcements, own } = openStates(context, { connection, publisher, outbox, comparison });
  const stores = openStores({ connection, announcements, outbox });
  const copyWork: DueWork<PendingCopyDocument, readonly CopyRules[]> = openDueWork(
    context,
    copyWorkOptions(connection, () => ({
      copies: pendingCopies,
      prepare: (copy) => directory.copyNotificationRules.prepare(copy),
    })),
  );
  const pendingCopies = new PendingCopyStore({
    connection,
    clock,
    changeUsers: (session, batch, work) => stores.userBatches.changeNext(session, batch, work),
    dueWork: copyWork,
    log: context.logger,
  });
  const replicas = await openReplicas(context);
  own(replicas, stores.sessions);
  const directory: Directory = createDirectory({
    ...stores,
    pendingCopies,
    scheduling: new SchedulingClient(internalClient(context, 'scheduling')),
    targets: {
      schedules: replicas.add(Schedules, { owner: 'scheduling' }),
      escalations: replicas.add(Escalations, { owner: 'scheduling' }),
    },
    integrations: new TeamPartsClient(internalClient(context, 'alert-ingest'), 'alert-ingest'),
    policies: new TeamPartsClient(internalClient(context, 'alert-processor'), 'alert-processor'),
    clock,
    newId: randomUUID,
    newCode: () => randomCode(),
    newSignInCode: () => randomCode(CODE_DIGITS),
    newTopic: randomTopic,
    newToken: newSessionToken,
    codeHasher: new CodeHasher(config.common.signingKeys),
    codeSealer: new CodeSealer(config.common.signingKeys),
    knownBrowsers: new KnownBrowsers(new LinkSigner(config.common.signingKeys, 'browser')),
    log: context.logger,
    openId: openIdProvider(context),
    account: { name: config.accountName, timezone: config.accountTimezone, locale: config.accountLocale },
    confirmation: config.contactVerification,
    pushUrl: config.pushUrl,
  });

  await replicas.start();
  comparison.areSessionsCompared = true;
  context.tasks.wake(`republish-${SessionsTopic.name}`);
  await directory.users.ensureOwner(config.ownerEmail);
  sweepTeams(context, directory.saga);
  startDueWork(context, copyWork);
  removeEndedSessions(context, { clock, sessions: stores.sessions, openIdFlows: stores.openIdFlows });
  await serve(context, createApp({ ...appOptions(context), directory }));
  // The start does not wait for the consumer group, which after a crash waits for the dead process.
  const stages = verificationEvents(stores.users);
  const subscriptions = [consume(VerificationEvents, stages, new CheckpointTransactions({ connection }))];
  startConsumer(context, { group: 'directory', subscriptions, publisher, checkpointsIn: connection }).catch(
    (error: unknown) => {
      if (!context.lifecycle.stopping) context.onFatal(error as Error);
    },
  );
}

/** The provider by which people can sign in, where the settings name one. */
function openIdProvider({ config, logger }: ServiceContext<Config>): OpenIdProvider | undefined {
  const {
    openidClientId: clientId,
    openidClientSecret: clientSecret,
    openidDomains: domains,
    openidIssuer: issuer,
  } = config;
  // The settings have all of them or none.
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || domains === undefined)
    return undefined;
  const settings = { issuer, clientId, clientSecret };
  const client = new OpenIdClient({ settings, allowedRanges: config.outgoingAllowedRanges, log: logger });
  return { client, domains, host: new URL(issuer).host };
}

/** The states that this service publishes, and what compares those on the topics with the database at the start. */
function openStates(
  context: ServiceContext<Config>,
  common: {
    readonly connection: Connection;
    readonly publisher: Awaited<ReturnType<typeof openPublisher>>;
    readonly outbox: Outbox;
    /** Before it, what is published of a session that a backup has brought back would make the topic seem to know that session. */
    readonly comparison: { readonly areSessionsCompared: boolean };
  },
) {
  const { comparison, connection } = common;
  const [users, teams, roles, sessions] = [
    statesOf(connection, USER),
    statesOf(connection, TEAM),
    statesOf(connection, ROLE),
    statesOf(connection, SESSION),
  ] as const;
  const announcements = {
    users: openEntityStates(context, { ...common, topic: UsersTopic, ...users }),
    teams: openEntityStates(context, { ...common, topic: TeamsTopic, ...teams }),
    roles: openEntityStates(context, { ...common, topic: RolesTopic, ...roles }),
    sessions: openEntityStates(context, {
      ...common,
      topic: SessionsTopic,
      ...sessions,
      mayRepublish: () => comparison.areSessionsCompared,
    }),
  };
  return {
    announcements,
    own: (
      replicas: Pick<Awaited<ReturnType<typeof openReplicas>>, 'own'>,
      sessionStore: Pick<SessionStore, 'removeCodes'>,
    ) => {
      replicas.own(UsersTopic, { connection, collection: USERS, ...users, announcements: announcements.users });
      replicas.own(TeamsTopic, { connection, collection: TEAMS, ...teams, announcements: announcements.teams });
      replicas.own(RolesTopic, { connection, collection: ROLES, ...roles, announcements: announcements.roles });
      replicas.own(SessionsTopic, {
        connection,
        collection: SESSIONS,
        ...sessions,
        announcements: announcements.sessions,
        deleteCreatedBefore: new Date(context.clock.now().getTime() - SESSION_PUBLISHED_MS),
        afterRestore: (session) => sessionStore.removeCodes(session),
      });
    },
  };
}

export interface StoreOptions {
  readonly connection: Connection;
  readonly announcements: Readonly<Record<'teams' | 'roles', Announcements>> & {
    readonly users: Announcements & UserStoreOptions['announcements'];
    readonly sessions: SessionStoreOptions['announcements'];
  };
  readonly outbox: Pick<Outbox, 'add'>;
}

export interface Stores {
  readonly users: UserStore;
  readonly userBatches: UserBatchStore;
  readonly roles: RoleStore;
  readonly teams: TeamStore;
  readonly sessions: SessionStore;
  readonly openIdFlows: OpenIdFlowStore;
}

/** The stores of the configuration in one database. */
export function openStores({ connection, announcements, outbox }: StoreOptions): Stores {
  const collections = {
    connection,
    users: new ConfigurationCollection<User>(connection, USER, announcements.users),
    teams: new ConfigurationCollection<Team>(connection, TEAM, announcements.teams),
    roles: new ConfigurationCollection<CustomRole>(connection, ROLE, announcements.roles),
    sessions: new ConfigurationCollection<UserSession>(connection, SESSION, announcements.sessions),
  };
  const users = new UserStore({ ...collections, announcements: announcements.users, outbox });
  return {
    users,
    userBatches: new UserBatchStore(collections),
    roles: new RoleStore({ ...collections, users }),
    teams: new TeamStore(collections),
    sessions: new SessionStore({ ...collections, announcements: announcements.sessions, outbox }),
    openIdFlows: new OpenIdFlowStore(connection),
  };
}

export interface DirectoryOptions extends Stores {
  readonly pendingCopies: Pick<PendingCopyStore, 'keep'>;
  readonly scheduling: Scheduling;
  /** What routing rules may name, as scheduling publishes it. */
  readonly targets: RoutingTargets;
  readonly integrations: TeamParts;
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
  /** The push server; undefined: there is none. */
  readonly pushUrl: string | undefined;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
  /** The provider by which people can sign in; undefined: there is none (K25). */
  readonly openId: OpenIdProvider | undefined;
  readonly account: AccountDefaults;
}

/** What the service can do, without HTTP. */
export interface Directory {
  readonly account: AccountDefaults;
  readonly roles: Roles;
  readonly users: Users;
  readonly userStore: UserStore;
  readonly contacts: Contacts;
  readonly contactVerification: ContactVerification;
  readonly devices: Devices;
  readonly notificationRules: NotificationRules;
  readonly notificationSteps: NotificationSteps;
  readonly copyNotificationRules: CopyNotificationRules;
  readonly teams: Teams;
  readonly teamStore: TeamStore;
  readonly teamMembers: TeamMembers;
  readonly teamRoles: TeamRoles;
  readonly routingRules: RoutingRules;
  readonly saga: TeamSaga;
  readonly signIns: SignIns;
  readonly openIdSignIns: OpenIdSignIns;
  readonly userSessions: UserSessions;
  readonly sessionStore: SessionStore;
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
  return {
    account,
    saga,
    roles,
    users,
    userStore,
    contacts: new Contacts({ ...options, users }),
    contactVerification: new ContactVerification({ ...options, users }),
    devices: new Devices({ ...options, users }),
    notificationRules: new NotificationRules(rules),
    notificationSteps: new NotificationSteps(rules),
    copyNotificationRules: new CopyNotificationRules(rules),
    teams: new Teams(team),
    teamStore,
    teamMembers: new TeamMembers(team),
    teamRoles: new TeamRoles(team),
    routingRules: new RoutingRules(team),
    signIns,
    openIdSignIns: new OpenIdSignIns({ ...options, signIns }),
    userSessions: new UserSessions(options),
    sessionStore: options.sessions,
  };
}

export interface AppOptions extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly directory: Directory;
}

/** The HTTP face of the service, without a port or a database: what component tests drive. */
export function createApp({ directory, ...options }: AppOptions): RequestListener {
  const { account, teams, teamStore, users, userStore } = directory;
  return createServiceApp({
    ...options,
    routes: [
      ...accountRoutes(userStore, account.name),
      ...roleRoutes(directory.roles),
      ...userRoutes(users),
      ...contactRoutes(directory),
      ...notificationRuleRoutes(directory),
      ...notificationStepRoutes(directory.notificationSteps),
      ...teamRoutes(teams),
      ...teamMemberRoutes(directory.teamMembers),
      ...teamRoleRoutes(directory.teamRoles),
      ...routingRuleRoutes(directory.routingRules),
      ...sessionRoutes(directory),
    ],
    internalRoutes: [
      ...internalUserRoutes(userStore),
      ...internalTeamRoutes(teams, teamStore),
      ...internalSessionRoutes(directory, directory.sessionStore),
    ],
  });
}
