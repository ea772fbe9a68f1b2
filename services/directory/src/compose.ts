import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@tocsin/core';
import {
  Escalations,
  NoticeCommands,
  Roles as RolesTopic,
  Schedules,
  Sessions as SessionsTopic,
  SHADOW_SWITCH,
  ShadowSwitches,
  SubscriptionEvents,
  Teams as TeamsTopic,
  Users as UsersTopic,
  type Version,
  VerificationEvents,
} from '@tocsin/events';
import {
  AddressGuard,
  createServiceApp,
  type ServiceAppOptions,
  CodeHasher,
  CodeSealer,
  LinkSigner,
  newSessionToken,
} from '@tocsin/http';
import { consume, type Subscription } from '@tocsin/kafka';
import { CheckpointTransactions, type Connection, type DueWork, type IndexPlan } from '@tocsin/mongo';
import {
  appOptions,
  internalClient,
  openDueWork,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  type Replicas,
  serve,
  type ServiceContext,
  startConsumer,
  startDueWork,
} from '@tocsin/service';
import { createDirectory, type Directory } from './compose-operations.ts';
import { openStates, openStores } from './compose-stores.ts';
import type { Config } from './config.ts';
import { randomTopic } from './contacts/device-operations.ts';
import { contactRoutes, internalContactRoutes } from './contacts/routes.ts';
import { randomSubscriptionName } from './contacts/browser-operations.ts';
import { telegramLinkIndexes } from './contacts/telegram-link-store.ts';
import { randomLinkCode } from './contacts/telegram-operations.ts';
import { randomCode } from './contacts/verification-operations.ts';
import { moveRoutes } from './move/routes.ts';
import {
  copyIndexes,
  copyWorkOptions,
  type PendingCopyDocument,
  PendingCopyStore,
} from './notification-rules/copy-store.ts';
import type { CopyRules } from './notification-rules/copy.ts';
import { notificationRuleRoutes } from './notification-rules/routes.ts';
import { notificationStepRoutes } from './notification-rules/step-routes.ts';
import { roleRoutes } from './roles/routes.ts';
import { roleIndexes } from './roles/store.ts';
import { routingRuleRoutes } from './routing/routes.ts';
import { SchedulingClient } from './schedules/client.ts';
import { KnownBrowsers } from './sessions/known-browser.ts';
import { OpenIdClient } from './sessions/openid-client.ts';
import { openIdFlowIndexes } from './sessions/openid-flow-store.ts';
import type { OpenIdProvider } from './sessions/openid-operations.ts';
import { internalSessionRoutes, sessionRoutes } from './sessions/routes.ts';
import { CODE_DIGITS } from './sessions/sign-in.ts';
import { sessionIndexes } from './sessions/store.ts';
import { removeEndedSessions } from './sessions/task.ts';
import { ShadowNotifierClient } from './shadow/client.ts';
import { internalShadowRoutes, shadowRoutes } from './shadow/routes.ts';
import type { PublishedSwitch } from './shadow/shadow-switch.ts';
import { TeamPartsClient } from './teams/client.ts';
import { teamLogIndexes } from './teams/log-store.ts';
import { teamRoleRoutes } from './teams/role-routes.ts';
import { internalTeamRoutes, teamMemberRoutes, teamRoutes } from './teams/routes.ts';
import { sweepTeams } from './teams/saga-task.ts';
import { teamIndexes } from './teams/store.ts';
import { subscriptionEvents, verificationEvents } from './users/consumer.ts';
import { accountRoutes, internalUserRoutes, userRoutes } from './users/routes.ts';
import { userIndexes, type UserStore } from './users/store.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [
  ...userIndexes,
  ...roleIndexes,
  ...teamIndexes,
  ...teamLogIndexes,
  ...copyIndexes,
  ...sessionIndexes,
  ...openIdFlowIndexes,
  ...telegramLinkIndexes,
];

const OUTBOX_TOPICS = [NoticeCommands, UsersTopic, TeamsTopic, RolesTopic, SessionsTopic, ShadowSwitches];

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const comparison = { areSessionsCompared: false };
  const outbox = await openOutbox(context, connection, publisher, OUTBOX_TOPICS, {
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
  const publishedSwitch = followSwitch(replicas);
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
    newSubscriptionName: randomSubscriptionName,
    pushServices: new AddressGuard(config.webPushAllowedRanges),
    newToken: newSessionToken,
    codeHasher: new CodeHasher(config.common.signingKeys),
    codeSealer: new CodeSealer(config.common.signingKeys),
    knownBrowsers: new KnownBrowsers(new LinkSigner(config.common.signingKeys, 'browser')),
    log: context.logger,
    openId: openIdProvider(context),
    account: { name: config.accountName, timezone: config.accountTimezone, locale: config.accountLocale },
    confirmation: config.contactVerification,
    ...shadowOptions(context),
    ...deviceOptions(config),
  });

  await replicas.start();
  comparison.areSessionsCompared = true;
  context.tasks.wake(`republish-${SessionsTopic.name}`);
  await directory.shadow.restore(publishedSwitch());
  await directory.users.ensureOwner(config.ownerEmail);
  sweepTeams(context, directory.saga);
  startDueWork(context, copyWork);
  removeEndedSessions(context, { ...stores, clock });
  await serve(context, createApp({ ...appOptions(context), directory }));
  // The start does not wait for the consumer group: after a crash the group waits until the session of the dead process ends.
  const subscriptions = subscriptionsOf(stores.users, connection, clock);
  startConsumer(context, { group: 'directory', subscriptions, publisher, checkpointsIn: connection }).catch(
    (error: unknown) => {
      if (!context.lifecycle.stopping) context.onFatal(error as Error);
    },
  );
}

/** The switch as its topic has it, to be called after the start of the replicas. */
function followSwitch(replicas: Pick<Replicas, 'add'>): () => PublishedSwitch | undefined {
  const published = replicas.add(ShadowSwitches, {});
  let newest: Version | undefined;
  published.whenChanged((_, version) => {
    newest = version;
  });
  return () => {
    const state = published.get(SHADOW_SWITCH);
    return state && newest && { state, version: newest };
  };
}

/** The topics that directory settles. */
function subscriptionsOf(users: UserStore, connection: Connection, clock: Clock): readonly Subscription[] {
  const transactions = new CheckpointTransactions({ connection });
  return [
    consume(VerificationEvents, verificationEvents(users), transactions),
    consume(SubscriptionEvents, subscriptionEvents({ users, clock }), transactions),
  ];
}

/** How the switch is confirmed by notifier. */
const shadowOptions = (context: ServiceContext<Config>) => ({
  pause,
  shadowNotifier: new ShadowNotifierClient(internalClient(context, 'notifier')),
});

/** Where users have devices, by the settings. */
const deviceOptions = ({ gotifyUrl, mattermostUrl, pushoverUrl, pushUrl, slackUrl, telegramBotName }: Config) => ({
  pushUrl,
  deviceServices: {
    gotify: gotifyUrl !== undefined,
    pushover: pushoverUrl !== undefined,
    slack: slackUrl !== undefined,
    mattermost: mattermostUrl !== undefined,
  },
  telegramBot: telegramBotName,
  newTopic: randomTopic,
  newLinkCode: randomLinkCode,
});

/** The OpenID provider that the settings name; undefined where they name none. */
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

export interface AppOptions extends Omit<ServiceAppOptions, 'routes' | 'internalRoutes'> {
  readonly directory: Directory;
}

/** The HTTP operations of the service, without a port or a database. */
export function createApp({ directory, ...options }: AppOptions): RequestListener {
  const { account, moves, shadow, shadowSwitch, teams, teamStore, userStore } = directory;
  return createServiceApp({
    ...options,
    routes: [
      ...accountRoutes(userStore, account.name),
      ...roleRoutes(directory.roles),
      ...userRoutes(directory),
      ...contactRoutes(directory),
      ...notificationRuleRoutes(directory),
      ...notificationStepRoutes(directory.notificationSteps),
      ...teamRoutes(directory),
      ...teamMemberRoutes(directory.teamMembers),
      ...teamRoleRoutes(directory.teamRoles),
      ...routingRuleRoutes(directory.routingRules),
      ...sessionRoutes(directory),
      ...shadowRoutes(shadow),
      ...moveRoutes(moves),
    ],
    internalRoutes: [
      ...internalUserRoutes(userStore),
      ...internalContactRoutes(directory),
      ...internalTeamRoutes(teams, teamStore),
      ...internalSessionRoutes(directory, directory.sessionStore),
      ...internalShadowRoutes(shadowSwitch),
    ],
  });
}
