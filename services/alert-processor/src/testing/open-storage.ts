import type { AlertCommand, AlertEvent, BatchResult } from '@tocsin/events';
import { batchOf } from './batch-samples.ts';
import { AT_ONCE, type FlowPlan } from '../policies/policy-result.ts';
import { applyCommands, type CommandContext } from '../alerts/apply-commands.ts';
import type { LedgerProcessor } from './ledger-processor.ts';
import type { AlertListing, AlertSelection } from '../alerts/listing.ts';
import type { AlertReader } from '../alerts/reader-store.ts';
import type { DecisionStore } from '../alert-log/store.ts';
import type { RequestStatusStore } from '../requests/store.ts';
import type { RetentionStore } from '../alerts/retention-store.ts';
import type { TinyIdStore } from '../alerts/tiny-id-store.ts';

/** The service's whole storage, on one database. */
export interface AlertStorage {
  readonly ledger: LedgerProcessor;
  readonly reader: AlertReader;
  readonly statuses: RequestStatusStore;
  readonly decisionLog: DecisionStore;
  readonly retained: RetentionStore;
  readonly tinyIds: TinyIdStore;
  /** The events published so far. */
  readonly events: () => Promise<readonly AlertEvent[]>;
}

/** Every responder is known except `unavailable`. */
export const context: CommandContext = {
  resolve: ({ id, name }) =>
    id === 'unavailable' ? { kind: 'unreachable' } : { kind: 'known', id: id ?? name ?? '', name: '' },
  firstTinyId: 1,
  processedAt: new Date('2026-01-05T08:00:01.000Z'),
};

/** Every alert, to a key that sees all. */
export const EVERYTHING: AlertSelection = { teamId: undefined, search: undefined };

/** The first page of all alerts. */
export const listing: AlertListing = { ...EVERYTHING, sort: 'createdAt', order: 'asc', offset: 0, limit: 20 };

/** A storage, with the operations that tests need. */
export interface OpenStorage extends AlertStorage {
  /** Processes commands as one batch, at the next offsets. */
  readonly apply: (...commands: AlertCommand[]) => Promise<BatchResult>;
  /** Like `apply`, at another instant. */
  readonly applyLate: (processedAt: Date, ...commands: AlertCommand[]) => Promise<BatchResult>;
  /** Like `apply`; each new alert gets the plan `plan`. */
  readonly applyPlanned: (plan: Partial<FlowPlan>, ...commands: AlertCommand[]) => Promise<BatchResult>;
  /** Processes commands as one batch that begins at the given offset. */
  readonly applyAt: (at: number, commands: readonly AlertCommand[]) => Promise<BatchResult>;
  /** Lists alerts, and returns their aliases. */
  readonly aliases: (wanted: Partial<AlertListing>) => Promise<readonly string[]>;
}

/** Opens the storage that `make` makes. */
export async function openWith(make: () => Promise<AlertStorage>): Promise<OpenStorage> {
  const storage = await make();
  let offset = 0;
  let creates = 0;
  const applyAt = async (at: number, commands: readonly AlertCommand[], own = {}): Promise<BatchResult> => {
    const firstTinyId = 1 + creates;
    creates += commands.filter(({ kind }) => kind === 'create').length;
    return storage.ledger.apply([batchOf(commands, at)], (given, stored) =>
      applyCommands(given, stored, { ...context, firstTinyId, ...own }),
    );
  };
  const apply = async (...commands: AlertCommand[]): Promise<BatchResult> =>
    applyLate(context.processedAt, ...commands);
  const applyNext = async (own: Partial<CommandContext>, commands: readonly AlertCommand[]): Promise<BatchResult> => {
    offset += commands.length;
    return applyAt(offset - commands.length, commands, own);
  };
  const applyLate: OpenStorage['applyLate'] = (processedAt, ...commands) => applyNext({ processedAt }, commands);
  const applyPlanned: OpenStorage['applyPlanned'] = (plan, ...commands) => {
    const policyResult = { flow: { ...AT_ONCE, ...plan }, entry: undefined };
    return applyNext({ policyResults: new Map(commands.map(({ requestId }) => [requestId, policyResult])) }, commands);
  };
  const aliases = async (wanted: Partial<AlertListing>) =>
    (await storage.reader.list({ ...listing, ...wanted })).map(({ alias }) => alias);
  return { ...storage, apply, applyLate, applyPlanned, applyAt, aliases };
}
