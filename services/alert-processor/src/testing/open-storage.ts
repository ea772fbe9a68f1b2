import type { AlertCommand, AlertEvent, Settlement } from '@tocsin/contracts';
import { batchOf } from './batch-samples.ts';
import { AT_ONCE, type FlowPlan } from '../domain/policies/judgement.ts';
import { settleCommands, type SettleContext } from '../domain/settle.ts';
import type { AlertLedger } from '../ports/alert-ledger.ts';
import type { AlertListing, AlertReader, AlertSelection } from '../ports/alert-reader.ts';
import type { DecisionLog } from '../ports/decision-log.ts';
import type { RequestStatuses } from '../ports/request-statuses.ts';
import type { RetainedRows } from '../ports/retained-rows.ts';
import type { TinyIds } from '../ports/tiny-ids.ts';

/** The service's whole storage, on one database. */
export interface AlertStorage {
  readonly ledger: AlertLedger;
  readonly reader: AlertReader;
  readonly statuses: RequestStatuses;
  readonly decisionLog: DecisionLog;
  readonly retained: RetainedRows;
  readonly tinyIds: TinyIds;
  /** The events published so far. */
  readonly events: () => Promise<readonly AlertEvent[]>;
}

/** Everybody is known except `away`. */
export const context: SettleContext = {
  resolve: ({ id, name }) =>
    id === 'away' ? { kind: 'unreachable' } : { kind: 'known', id: id ?? name ?? '', name: '' },
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:01.000Z'),
};

/** Every alert, to a key that sees all. */
export const EVERYTHING: AlertSelection = { teamId: undefined, search: undefined };

/** The first page of all alerts. */
export const listing: AlertListing = { ...EVERYTHING, sort: 'createdAt', order: 'asc', offset: 0, limit: 20 };

/** A storage, with the operations that tests need. */
export interface OpenStorage extends AlertStorage {
  /** Settles commands as one batch, at the next offsets. */
  readonly settle: (...commands: AlertCommand[]) => Promise<Settlement>;
  /** Like `settle`, at another instant. */
  readonly settleLate: (processedAt: Date, ...commands: AlertCommand[]) => Promise<Settlement>;
  /** Like `settle`; each new alert gets the plan `plan`. */
  readonly settlePlanned: (plan: Partial<FlowPlan>, ...commands: AlertCommand[]) => Promise<Settlement>;
  /** Settles commands as one batch that begins at the given offset. */
  readonly settleAt: (at: number, commands: readonly AlertCommand[]) => Promise<Settlement>;
  /** Lists alerts, and returns their aliases. */
  readonly aliases: (wanted: Partial<AlertListing>) => Promise<readonly string[]>;
}

/** Opens the storage that `make` makes. */
export async function openWith(make: () => Promise<AlertStorage>): Promise<OpenStorage> {
  const storage = await make();
  let offset = 0;
  let creates = 0;
  const settleAt = async (at: number, commands: readonly AlertCommand[], own = {}): Promise<Settlement> => {
    const firstTinyId = 1 + creates;
    creates += commands.filter(({ kind }) => kind === 'create').length;
    return storage.ledger.settle([batchOf(commands, at)], (given, stored) =>
      settleCommands(given, stored, { ...context, firstTinyId, ...own }),
    );
  };
  const settle = async (...commands: AlertCommand[]): Promise<Settlement> =>
    settleLate(context.processedAt, ...commands);
  const settleNext = async (own: Partial<SettleContext>, commands: readonly AlertCommand[]): Promise<Settlement> => {
    offset += commands.length;
    return settleAt(offset - commands.length, commands, own);
  };
  const settleLate: OpenStorage['settleLate'] = (processedAt, ...commands) => settleNext({ processedAt }, commands);
  const settlePlanned: OpenStorage['settlePlanned'] = (plan, ...commands) => {
    const judged = { flow: { ...AT_ONCE, ...plan }, entry: undefined };
    return settleNext({ judged: new Map(commands.map(({ requestId }) => [requestId, judged])) }, commands);
  };
  const aliases = async (wanted: Partial<AlertListing>) =>
    (await storage.reader.list({ ...listing, ...wanted })).map(({ alias }) => alias);
  return { ...storage, settle, settleLate, settlePlanned, settleAt, aliases };
}
