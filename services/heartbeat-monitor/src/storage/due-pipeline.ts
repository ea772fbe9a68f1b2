import type { mongo } from 'mongoose';
import type { Outage } from '../domain/outage.ts';
import type { HeartbeatDocument } from './heartbeat-documents.ts';

/** When pings could be taken for one whole interval since `expiresAt`. */
const afterAll = (outages: readonly Outage[]) => ({
  $add: [
    '$expiresAt',
    '$intervalMs',
    ...outages.map(({ from, to }) => ({ $max: [0, { $subtract: [to, { $max: ['$expiresAt', from] }] }] })),
  ],
});

/** As `dueAtOf` of the domain, which is the rule: here it is an expression, so that one command expires any number. */
export function dueAtAfter(outages: readonly Outage[]): object | string {
  const last = outages.at(-1);
  if (last === undefined) return '$expiresAt';
  return { $max: ['$expiresAt', { $min: [{ $add: [last.to, '$intervalMs'] }, afterAll(outages)] }] };
}

/** Those that were due before the last outage were put off by an earlier one: few, so that their dates are reckoned one by one. */
export function dueFilter(now: Date, outages: readonly Outage[]): mongo.Filter<HeartbeatDocument> {
  const last = outages.at(-1);
  if (last === undefined) return { expiresAt: { $lte: now } };
  return {
    $or: [
      { expiresAt: { $lte: now }, intervalMs: { $lte: now.getTime() - last.to.getTime() } },
      { expiresAt: { $lt: last.from }, $expr: { $lte: [afterAll(outages), now] } },
    ],
  };
}
