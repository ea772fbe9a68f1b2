import { randomUUID } from 'node:crypto';
import { AlertCommands, AlertEvents, Decisions, Escalations, Pages, Schedules, Teams, Users } from '@tocsin/contracts';
import { subscription, type Publisher } from '@tocsin/messaging';
import { statesOf, type Connection } from '@tocsin/persistence';
import {
  appOptions,
  internalClient,
  openMongo,
  openOutbox,
  openPublisher,
  openReplicas,
  openStateOutbox,
  openTimers,
  serve,
  startConsumer,
  startTimers,
  sweepRetained,
  type ServiceContext,
} from '@tocsin/service-kit';
import { timerIndexes, type Timers } from '@tocsin/timers';
import { createApp } from './app.ts';
import type { Snapshots } from './application/loaded-snapshot.ts';
import { RunEngine } from './application/runs/run-engine.ts';
import { createScheduling } from './application/scheduling.ts';
import { HttpRoutingRules } from './clients/http-routing-rules.ts';
import type { Config } from './config.ts';
import { alertEventHandler } from './events/alert-event-handler.ts';
import { sweepLeavers } from './jobs/sweep-leavers.ts';
import { configurationIndexes, ESCALATIONS, SCHEDULES } from './storage/configuration-kinds.ts';
import { MongoConfigurationStore } from './storage/mongo-configuration-store.ts';
import { RULE_TIMERS, runIndexes } from './storage/runs/documents.ts';
import { MongoRetainedRuns } from './storage/runs/mongo-retained-runs.ts';
import { MongoRunStore, type RuleDue } from './storage/runs/mongo-run-store.ts';

/** The only file that knows every concrete part. Parts stop in the reverse of the order in which they start. */
export async function compose(context: ServiceContext<Config>): Promise<void> {
  const { clock, config } = context;
  const connection = await openMongo(context, [...configurationIndexes, ...runIndexes, ...timerIndexes(RULE_TIMERS)]);
  const publisher = await openPublisher(context);
  const relay = { connection, publisher };
  const announcements = {
    schedules: await openStateOutbox(context, { ...relay, topic: Schedules, ...statesOf(connection, SCHEDULES) }),
    escalations: await openStateOutbox(context, { ...relay, topic: Escalations, ...statesOf(connection, ESCALATIONS) }),
  };
  const store = new MongoConfigurationStore(connection, announcements);
  const routingRules = new HttpRoutingRules(internalClient(context, 'directory'));
  const replicas = await openReplicas(context);
  const users = replicas.add(Users, { owner: 'directory', indexes: { username: (user) => user.username } });
  const teams = replicas.add(Teams, { owner: 'directory', indexes: { name: (team) => team.name } });
  const { accountTimezone } = config;
  const scheduling = createScheduling({ store, users, teams, routingRules, clock, newId: randomUUID, accountTimezone });

  await replicas.start();
  await serve(context, createApp(scheduling, appOptions(context)));
  await sweepLeavers(context, { leavers: scheduling.leavers, users });
  await composeRuns(context, { connection, publisher, snapshots: scheduling.snapshots });
}

/** The engine of escalation runs: what consumes the events of alerts, and the timers of rules. */
async function composeRuns(
  context: ServiceContext<Config>,
  { connection, publisher, snapshots }: { connection: Connection; publisher: Publisher; snapshots: Snapshots },
): Promise<void> {
  const { clock, metrics } = context;
  const outbox = await openOutbox(context, connection, publisher, [Pages, AlertCommands, Decisions]);
  const timers: Timers<RuleDue['payload']> = openTimers<RuleDue['payload']>(context, {
    connection,
    collection: RULE_TIMERS,
    fire: (due) => engine.fireRules(due),
  });
  const store = new MongoRunStore({ connection, outbox, timers });
  const engine: RunEngine<RuleDue> = new RunEngine<RuleDue>({
    store,
    snapshots,
    clock,
    random: () => Math.random(),
    onRouted: (seconds) => {
      metrics.stage('routed', seconds);
    },
    onNobody: () => {
      metrics.count('nobody_on_call_total', 'Escalation rules, and schedules reached without one, that found nobody.');
    },
  });
  const runs = new MongoRetainedRuns(connection);
  const { runRetentionDays: days } = context.config;
  await sweepRetained(context, { name: 'retention of runs', days, removals: [(until) => runs.remove(until)] });
  await startTimers(context, timers);
  const handler = alertEventHandler(engine, store, clock);
  const subscriptions = [subscription(AlertEvents, handler)];
  await startConsumer(context, { group: 'scheduling', subscriptions, publisher, checkpointsIn: connection });
}
