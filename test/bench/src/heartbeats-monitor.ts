/**
 * One monitor with MongoDB and without Kafka, in a process of its own: `npm run bench -- heartbeats` pings it. Whatever it publishes is taken
 * at once. It sends its port, and at each message how late it reported expiries since, and the processor time that it took.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@tocsin/core';
import { AlertCommands, type AlertCommand, type TeamState } from '@tocsin/events';
import { createMonitor, INDEXES } from '@tocsin/heartbeat-monitor/compose';
import { createServiceApp, PrincipalVerifier } from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import { asUnavailable, connectMongo, migrate, Outbox, persistenceIndexes, type RelayPublisher } from '@tocsin/mongo';
import type { MonitorReport } from './heartbeats-report.ts';

const [, , uri = '', database = '', signingKey = ''] = process.argv;
/** As often as the service looks. */
const TURN_MS = 500;

let lateMs: number[] = [];
const publisher: RelayPublisher = {
  publish: (_, messages) => {
    const now = Date.now();
    for (const { kind, acceptedAt } of messages as readonly unknown[] as readonly AlertCommand[])
      if (kind === 'create') lateMs.push(now - Date.parse(acceptedAt));
    return Promise.resolve();
  },
};

const connection = await connectMongo({ uri, database });
await migrate(connection, [...persistenceIndexes, ...INDEXES]);
const logger = { warn: () => undefined, error: () => undefined };
const outbox = new Outbox({ connection, publisher, topics: [AlertCommands], logger });
outbox.start();
const { routes, task } = createMonitor({
  connection,
  outbox,
  acceptsPings: () => Promise.resolve(true),
  teams: new MemoryReplica<TeamState>(),
  clock: systemClock,
  logger,
  onExpired: () => undefined,
});
const verifier = new PrincipalVerifier([signingKey], 'heartbeat-monitor');
const onDefect = (error: unknown) => {
  throw error;
};
const app = createServiceApp({ routes, verifier, clock: systemClock, onDefect, meaningOf: asUnavailable });
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');

let turning: Promise<void> | undefined;
setInterval(() => {
  turning ??= task.activate().finally(() => (turning = undefined));
}, TURN_MS);

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const report: MonitorReport = { lateMs, cpuMs: (user + system) / 1_000 };
  lateMs = [];
  process.send?.(report);
});
process.once('disconnect', () => process.exit(0));
process.send?.((server.address() as AddressInfo).port);
