import { randomUUID } from 'node:crypto';
import {
  AlertCommands,
  AlertEvents,
  Decisions,
  Escalations,
  Pages,
  Schedules,
  ShiftNotices,
  Teams,
  Users,
} from '@tocsin/contracts';
import { subscription, type Publisher } from '@tocsin/messaging';
import {
  AUDIT_INDEXES,
  dueIndex,
  statesOf,
  type Connection,
  type DueWork,
  type IndexPlan,
  type Outbox,
} from '@tocsin/persistence';
import {
  appOptions,
  internalClient,
  openDueWork,
  openMongo,
  openEntityStates,
  openOutbox,
  openPublisher,
  openReplicas,
  serve,
  startConsumer,
  startDueWork,
  sweepRetained,
  type ServiceContext,
} from '@tocsin/service-kit';
import { createApp } from './app.ts';
import type { Snapshots } from './application/loaded-snapshot.ts';
import type { DueRuns } from './application/runs/due-runs.ts';
import type { BeginLater } from './application/runs/firing-traces.ts';
import { RunEngine } from './application/runs/run-engine.ts';
import { ShiftNoticeResolver } from './application/shift-notices/shift-notice-resolver.ts';
import { createScheduling } from './application/scheduling.ts';
import { HttpRoutingRules } from './clients/http-routing-rules.ts';
import type { Config } from './config.ts';
import { alertEventHandler } from './events/alert-event-handler.ts';
import { auditRuns } from './jobs/audit-runs.ts';
import { sweepLeavers } from './jobs/sweep-leavers.ts';
import { configurationIndexes, ESCALATIONS, SCHEDULES } from './storage/configuration-kinds.ts';
import { MongoConfigurationStore } from './storage/mongo-configuration-store.ts';
import { runIndexes, type RunDocument } from './storage/runs/documents.ts';
import { MongoOverdueRuns } from './storage/runs/mongo-overdue-runs.ts';
import { MongoRunStore } from './storage/runs/mongo-run-store.ts';
import { runWorkOptions } from './storage/runs/run-work.ts';
import {
  MongoShiftNotices,
  SHIFT_NOTICES,
  shiftWorkOptions,
  type PreparedNotices,
  type ShiftNoticesDocument,
} from './storage/shift-notices/mongo-shift-notices.ts';

/** Every index of this service's own collections. */
export const INDEXES: readonly IndexPlan[] = [
  ...configurationIndexes,
  ...runIndexes,
  dueIndex(SHIFT_NOTICES),
  ...AUDIT_INDEXES,
];

/** The only file that knows every concrete part. Work stops first, then resources, the last one first. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await openMongo(context, INDEXES);
  const publisher = await openPublisher(context);
  const outbox = await openOutbox(context, connection, publisher, [
    Pages,
    AlertCommands,
    ShiftNotices,
    Decisions,
    Schedules,
    Escalations,
  ]);
  const common = { connection, publisher, outbox };
  const [scheduleSource, escalationSource] = [statesOf(connection, SCHEDULES), statesOf(connection, ESCALATIONS)];
  const announcements = {
    schedules: openEntityStates(context, { ...common, topic: Schedules, ...scheduleSource }),
    escalations: openEntityStates(context, { ...common, topic: Escalations, ...escalationSource }),
  };
  const shiftWork: DueWork<ShiftNoticesDocument, PreparedNotices> = openDueWork<ShiftNoticesDocument, PreparedNotices>(
    context,
    { connection, ...shiftWorkOptions(() => ({ resolver, store: shiftNotices })) },
  );
  const shiftNotices = new MongoShiftNotices({ connection, outbox, dueWork: shiftWork, clock });
  const store = new MongoConfigurationStore(connection, announcements, shiftNotices);
  const routingRules = new HttpRoutingRules(internalClient(context, 'directory'));
  const replicas = await openReplicas(context);
  replicas.own(Schedules, {
    connection,
    ...scheduleSource,
    collection: SCHEDULES.collection,
    announcements: announcements.schedules,
  });
  replicas.own(Escalations, {
    connection,
    ...escalationSource,
    collection: ESCALATIONS.collection,
    announcements: announcements.escalations,
  });
  const users = replicas.add(Users, { owner: 'directory', indexes: { username: (user) => user.username } });
  const teams = replicas.add(Teams, { owner: 'directory', indexes: { name: (team) => team.name } });
  const { accountTimezone } = config;
  const scheduling = createScheduling({ store, users, teams, routingRules, clock, newId: randomUUID, accountTimezone });

  const { snapshots } = scheduling;
  const resolver = new ShiftNoticeResolver(snapshots);

  await replicas.start();
  await serve(context, createApp(scheduling, new MongoOverdueRuns(connection), appOptions(context)));
  await sweepLeavers(context, { leavers: scheduling.leavers, users });
  startDueWork(context, shiftWork);
  await composeRuns(context, { connection, publisher, outbox, snapshots });
}

interface RunParts {
  readonly connection: Connection;
  readonly outbox: Outbox;
  readonly publisher: Publisher;
  readonly snapshots: Snapshots;
}

/** Escalation runs: the consumer of alert events, and what runs do at their time. */
async function composeRuns(
  context: ServiceContext<Config>,
  { connection, outbox, publisher, snapshots }: RunParts,
): Promise<void> {
  const { clock, metrics, tracer } = context;
  const runWork: DueWork<RunDocument, DueRuns> = openDueWork<RunDocument, DueRuns>(context, {
    connection,
    ...runWorkOptions(() => ({ engine, store })),
  });
  const store = new MongoRunStore({ connection, outbox, dueWork: runWork });
  const engine: RunEngine = new RunEngine({
    store,
    snapshots,
    clock,
    random: () => Math.random(),
    beginLater: beginLaterBy(tracer),
    onRouted: (seconds) => {
      metrics.stage('routed', seconds);
    },
    onNobody: (count) => {
      metrics.count('tocsin_nobody_on_call_total', count);
    },
    onExhausted: (count) => {
      metrics.count('tocsin_pages_exhausted_total', count);
    },
  });
  const { runRetentionDays: days } = context.config;
  sweepRetained(context, { name: 'retention-runs', days, removals: [(until) => store.removeEnded(until)] });
  startDueWork(context, runWork);
  const handler = alertEventHandler(engine, store, clock);
  await startConsumer(context, {
    group: 'scheduling',
    publisher,
    checkpointsIn: connection,
    subscriptions: [subscription(AlertEvents, handler)],
    reportsBacklogOf: AlertEvents,
  });
  auditRuns(context, { connection, publisher, runs: new MongoOverdueRuns(connection) });
}

/** A rule that fires later begins a trace of its own: the one that asked for it may have ended half an hour ago. */
function beginLaterBy(tracer: ServiceContext['tracer']): BeginLater {
  return (name, asked, alertId) => {
    const span = tracer.begin(name, { kind: 'internal', links: [asked], attributes: { 'tocsin.alert_id': alertId } });
    return span && { trace: span.context, end: span.end.bind(span) };
  };
}
