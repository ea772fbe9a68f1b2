import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Clock } from '@tocsin/core';
import {
  AlertCommands,
  AlertEvents,
  Decisions,
  Escalations as EscalationsTopic,
  NoticeCommands,
  Pages,
  Schedules as SchedulesTopic,
  ShiftNotices,
  Teams,
  type TeamState,
  Users,
  type UserState,
} from '@tocsin/events';
import { Admission, createServiceApp, newSessionToken, type ServiceAppOptions } from '@tocsin/http';
import { consume, type Publisher, type ReplicaView } from '@tocsin/kafka';
import {
  AUDIT_INDEXES,
  CheckpointTransactions,
  type Connection,
  dueIndex,
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
  startAudit,
  startConsumer,
  startDueWork,
  sweepRetained,
} from '@tocsin/service';
import { CalendarLinks, type CalendarLinkAccess } from './calendar-links/operations.ts';
import { calendarLinkRoutes } from './calendar-links/routes.ts';
import { calendarLinkIndexes, CalendarLinkStore } from './calendar-links/store.ts';
import type { Config } from './config.ts';
import type { ConfigurationAccess } from './configuration/configuration.ts';
import { References } from './configuration/reference-operations.ts';
import { Snapshots } from './configuration/snapshot-operations.ts';
import { configurationIndexes, ESCALATIONS, ConfigurationStore, SCHEDULES } from './configuration/store.ts';
import { cleanUpDeletedUsers, DeletedUserCleanup } from './configuration/task.ts';
import { Escalations } from './escalations/operations.ts';
import { escalationRoutes } from './escalations/routes.ts';
import { ForwardingRules } from './forwarding/operations.ts';
import { forwardingRoutes } from './forwarding/routes.ts';
import { Calendars } from './on-call/calendar-operations.ts';
import { calendarRoutes } from './on-call/calendar-routes.ts';
import { OnCallResolver } from './on-call/operations.ts';
import { onCallRoutes, usersOnCallRoute } from './on-call/routes.ts';
import { alertEvents } from './paging/consumer.ts';
import type { DueEscalations } from './paging/due-operations.ts';
import type { BeginTrace } from './paging/firing-traces.ts';
import { EscalationEngine } from './paging/operations.ts';
import { NextPages } from './paging/next-page-operations.ts';
import { ledgerRoute, nextPageRoute, simulationRoute } from './paging/routes.ts';
import { EscalationSimulator } from './paging/simulation-operations.ts';
import {
  type EscalationStateDocument,
  escalationStateIndexes,
  EscalationStateStore,
  escalationWorkOptions,
} from './paging/store.ts';
import { escalationAudit } from './paging/task.ts';
import { askAll, findingsOf } from './readiness/client.ts';
import { ReadinessReports, type ReadinessReportsOptions } from './readiness/operations.ts';
import { readinessRoutes } from './readiness/routes.ts';
import { reportReadiness } from './readiness/task.ts';
import {
  type ReadinessMailAccess,
  ReadinessMailResolver,
  ReadinessMails,
  type ResolvedMail,
} from './readiness-mails/operations.ts';
import { readinessMailRoutes } from './readiness-mails/routes.ts';
import {
  type ReadinessMailDocument,
  readinessMailIndexes,
  ReadinessMailStore,
  readinessMailWorkOptions,
} from './readiness-mails/store.ts';
import { Schedules } from './schedules/operations.ts';
import { Overrides } from './schedules/override-operations.ts';
import { Rotations } from './schedules/rotation-operations.ts';
import { overrideRoutes, rotationRoutes, scheduleRoutes } from './schedules/routes.ts';
import { ShiftNoticeResolver } from './shift-notices/operations.ts';
import {
  ShiftNoticeStore,
  type PreparedNotices,
  SHIFT_NOTICES,
  type ShiftNoticesDocument,
  shiftWorkOptions,
} from './shift-notices/store.ts';
import { routingUses, type RoutingUses } from './teams/client.ts';
import { DirectoryRequests } from './teams/operations.ts';
import { teamRoutes } from './teams/routes.ts';
import { configurationRoutes } from './configuration/routes.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [
  ...configurationIndexes,
  ...calendarLinkIndexes,
  ...escalationStateIndexes,
  dueIndex(SHIFT_NOTICES),
  ...readinessMailIndexes,
  ...AUDIT_INDEXES,
];

/** Opens all parts and connects them. At the stop, work ends first, then resources are closed, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [
    Pages,
    AlertCommands,
    ShiftNotices,
    NoticeCommands,
    Decisions,
    SchedulesTopic,
    EscalationsTopic,
  ]);
  const common = { connection, publisher, outbox };
  const [scheduleSource, escalationSource] = [statesOf(connection, SCHEDULES), statesOf(connection, ESCALATIONS)];
  const announcements = {
    schedules: openEntityStates(context, { ...common, topic: SchedulesTopic, ...scheduleSource }),
    escalations: openEntityStates(context, { ...common, topic: EscalationsTopic, ...escalationSource }),
  };
  const shiftWork: DueWork<ShiftNoticesDocument, PreparedNotices> = openDueWork<ShiftNoticesDocument, PreparedNotices>(
    context,
    { connection, ...shiftWorkOptions(() => ({ resolver, store: shiftNotices })) },
  );
  const shiftNotices = new ShiftNoticeStore({ connection, outbox, dueWork: shiftWork, clock });
  const mails = openReadinessMails(context, { connection, outbox, resolver: () => mailResolver });
  const store = new ConfigurationStore(connection, announcements, shiftNotices);
  const replicas = await openReplicas(context);
  replicas.own(SchedulesTopic, {
    connection,
    ...scheduleSource,
    collection: SCHEDULES.collection,
    announcements: announcements.schedules,
  });
  replicas.own(EscalationsTopic, {
    connection,
    ...escalationSource,
    collection: ESCALATIONS.collection,
    announcements: announcements.escalations,
  });
  const users = replicas.add(Users, { owner: 'directory', indexes: { username: (user) => user.username } });
  const teams = replicas.add(Teams, { owner: 'directory', indexes: { name: (team) => team.name } });
  const operations = createOperations({
    store,
    calendarLinks: new CalendarLinkStore(connection),
    readinessMails: mails.store,
    users,
    teams,
    routingUses: routingUses(internalClient(context, 'directory')),
    otherFindings: otherFindings(context),
    clock,
    newId: randomUUID,
    newToken: newSessionToken,
    accountTimezone: config.accountTimezone,
  });
  const { deletedUserCleanup, snapshots } = operations;
  const resolver = new ShiftNoticeResolver(snapshots);
  const mailResolver = new ReadinessMailResolver({ reports: operations.readiness, users, teams });
  const paging = openPaging(context, { connection, outbox, snapshots });

  await replicas.start();
  await serve(context, createApp(operations, paging.store, appOptions(context)));
  reportReadiness(context, operations.readiness);
  await cleanUpDeletedUsers(context, { deletedUserCleanup, users });
  startDueWork(context, shiftWork);
  startDueWork(context, mails.dueWork);
  await startPaging(context, { ...paging, connection, publisher });
}

/** Asks the services that have findings of their own. */
function otherFindings(context: ServiceContext<Config>): ReadinessReportsOptions['others'] {
  const ask = (['alert-ingest', 'alert-processor', 'notifier'] as const).map((service) =>
    findingsOf(service, internalClient(context, service)),
  );
  return () => askAll(ask);
}

interface MailParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly resolver: () => ReadinessMailResolver;
}

function openReadinessMails(context: ServiceContext<Config>, { connection, outbox, resolver }: MailParts) {
  const dueWork: DueWork<ReadinessMailDocument, readonly ResolvedMail[]> = openDueWork<
    ReadinessMailDocument,
    readonly ResolvedMail[]
  >(context, { connection, ...readinessMailWorkOptions(() => ({ resolver: resolver(), store })) });
  const store = new ReadinessMailStore({ connection, outbox, dueWork });
  return { dueWork, store };
}

interface Paging {
  readonly engine: EscalationEngine;
  readonly store: EscalationStateStore;
  readonly dueWork: DueWork<EscalationStateDocument, DueEscalations>;
}

function openPaging(
  context: ServiceContext<Config>,
  { connection, outbox, snapshots }: { connection: Connection; outbox: Outbox; snapshots: Snapshots },
): Paging {
  const { clock, metrics, tracer } = context;
  const dueWork: Paging['dueWork'] = openDueWork<EscalationStateDocument, DueEscalations>(context, {
    connection,
    ...escalationWorkOptions(() => ({ engine, store })),
  });
  const store = new EscalationStateStore({ connection, outbox, dueWork });
  const engine: EscalationEngine = new EscalationEngine({
    findStates: (alertIds) => store.find(alertIds),
    snapshots,
    clock,
    random: () => Math.random(),
    beginTrace: beginTraceBy(tracer),
    onRouted: (seconds) => {
      metrics.stage('routed', seconds);
    },
    onNoRecipient: (count) => {
      metrics.count('tocsin_no_user_on_call_total', count);
    },
    onExhausted: (count) => {
      metrics.count('tocsin_pages_exhausted_total', count);
    },
  });
  return { dueWork, engine, store };
}

/** Starts paging: the consumer of alert events, and the due work of escalation states. */
async function startPaging(
  context: ServiceContext<Config>,
  { connection, dueWork, engine, publisher, store }: Paging & { connection: Connection; publisher: Publisher },
): Promise<void> {
  const { auditResponders: responders, runRetentionDays: days } = context.config;
  sweepRetained(context, { name: 'retention-runs', days, removals: [(until) => store.removeEnded(until)] });
  startDueWork(context, dueWork);
  await startConsumer(context, {
    group: 'scheduling',
    publisher,
    checkpointsIn: connection,
    subscriptions: [consume(AlertEvents, alertEvents(engine, store), new CheckpointTransactions({ connection }))],
    reportsBacklogOf: AlertEvents,
  });
  const audit = escalationAudit(store);
  startAudit(context, { connection, publisher, responders, gauge: 'tocsin_flows_overdue', audit });
}

/** Due work begins a trace of its own, because the trace that caused it may have ended half an hour ago. */
function beginTraceBy(tracer: ServiceContext['tracer']): BeginTrace {
  return (name, linkedTo, alertId) => {
    const span = tracer.begin(name, {
      kind: 'internal',
      links: [linkedTo],
      attributes: { 'tocsin.alert_id': alertId },
    });
    return span && { trace: span.context, end: span.end.bind(span) };
  };
}

export interface OperationsOptions {
  readonly store: ConfigurationAccess;
  readonly calendarLinks: CalendarLinkAccess;
  readonly readinessMails: ReadinessMailAccess;
  readonly users: ReplicaView<UserState>;
  readonly teams: ReplicaView<TeamState>;
  readonly routingUses: RoutingUses;
  readonly otherFindings: ReadinessReportsOptions['others'];
  readonly clock: Clock;
  readonly newId: () => string;
  readonly newToken: () => string;
  /** The zone of a schedule that names none. */
  readonly accountTimezone: string;
}

/** The operations of the service, by noun. */
export interface Operations {
  readonly store: ConfigurationAccess;
  readonly snapshots: Snapshots;
  readonly schedules: Schedules;
  readonly rotations: Rotations;
  readonly escalations: Escalations;
  readonly overrides: Overrides;
  readonly forwardingRules: ForwardingRules;
  readonly deletedUserCleanup: DeletedUserCleanup;
  readonly onCalls: OnCallResolver;
  readonly calendars: Calendars;
  readonly calendarLinks: CalendarLinks;
  readonly directoryRequests: DirectoryRequests;
  readonly simulation: EscalationSimulator;
  readonly readiness: ReadinessReports;
  readonly readinessMails: ReadinessMails;
}

export function createOperations(options: OperationsOptions): Operations {
  const { store, users, teams, clock, accountTimezone } = options;
  const references = new References({ users, teams });
  const snapshots = new Snapshots({ store, users, teams });
  const readinessMails = new ReadinessMails({ ...options, store: options.readinessMails, references });
  return {
    store,
    snapshots,
    schedules: new Schedules({ ...options, references }),
    rotations: new Rotations({ ...options, references }),
    escalations: new Escalations({ ...options, references }),
    overrides: new Overrides({ store, references }),
    forwardingRules: new ForwardingRules({ ...options, references }),
    deletedUserCleanup: new DeletedUserCleanup({ ...options, readinessMails }),
    onCalls: new OnCallResolver(snapshots),
    calendars: new Calendars({ snapshots, references }),
    calendarLinks: new CalendarLinks({ ...options, store: options.calendarLinks, references }),
    directoryRequests: new DirectoryRequests({ store, clock, accountTimezone }),
    simulation: new EscalationSimulator(snapshots, () => Math.random()),
    readiness: new ReadinessReports({ snapshots, users, teams, clock, others: options.otherFindings }),
    readinessMails,
  };
}

/**
 * The limits of long reads, such as timelines, for all keys together and for one key (F5). Further reads wait, because this process
 * also pages users.
 */
const LONG_READS = { inAll: 4, each: 2, waiting: { inAll: 128, each: 96 }, waitMs: 1_500 };

/**
 * The limits of calendars that links open, for all users together and for one user. Callers without a key choose how many of these
 * requests there are, so they share no place with other reads (F5).
 */
const LINK_READS = { inAll: 1, each: 1, waiting: { inAll: 32, each: 2 }, waitMs: 1_500 };

/** The HTTP server without a port. */
export function createApp(
  operations: Operations,
  escalationStates: Pick<EscalationStateStore, 'find' | 'findOverdue' | 'countOpen'>,
  options: Omit<ServiceAppOptions, 'routes' | 'internalRoutes'>,
): RequestListener {
  const { store, schedules, escalations, onCalls, calendars, directoryRequests, snapshots } = operations;
  const { simulation, readiness, readinessMails, rotations, overrides, forwardingRules, calendarLinks } = operations;
  const { clock } = options;
  const longReads = new Admission(LONG_READS);
  return createServiceApp({
    ...options,
    routes: [
      ...scheduleRoutes(schedules, snapshots),
      ...rotationRoutes(rotations, schedules, snapshots),
      ...overrideRoutes(overrides, schedules, snapshots),
      ...forwardingRoutes(forwardingRules, snapshots),
      ...escalationRoutes(escalations, snapshots),
      ...onCallRoutes(onCalls, { overrides, rotations }, options.clock, longReads),
      ...readinessRoutes(readiness, longReads),
      ...readinessMailRoutes(readinessMails),
      ...calendarLinkRoutes(calendarLinks),
      ...calendarRoutes({
        calendars,
        schedules,
        snapshots,
        clock,
        links: calendarLinks,
        pool: longReads,
        linkPool: new Admission(LINK_READS),
      }),
    ],
    internalRoutes: [
      ...configurationRoutes(store),
      ...teamRoutes(directoryRequests),
      usersOnCallRoute(onCalls, clock),
      simulationRoute(simulation),
      nextPageRoute(new NextPages(escalationStates, snapshots, () => Math.random())),
      ledgerRoute(escalationStates, options.clock),
    ],
  });
}
