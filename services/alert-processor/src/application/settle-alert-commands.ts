import type { Clock } from '@tocsin/clock';
import type { AlertCommand, ConsumedBatch, ResponderReference, Settlement } from '@tocsin/contracts';
import { acceptedAt } from '../domain/decided.ts';
import type { Judgement } from '../domain/policies/judgement.ts';
import { failedStatus, type RequestStatus } from '../domain/request-status.ts';
import { settleCommands, type SettleContext } from '../domain/settle.ts';
import type { AlertLedger, BuriedCommand } from '../ports/alert-ledger.ts';
import type { AlertReader } from '../ports/alert-reader.ts';
import type { KnownResponders, ResponderDirectory } from '../ports/responder-directory.ts';
import type { TinyIds } from '../ports/tiny-ids.ts';
import type { CurrentRules } from './current-rules.ts';
import { judgedBatches, judgementContext, judgementsOf } from './judged-batches.ts';
import { lookUp } from './responder-look-up.ts';

export interface SettleAlertCommandsPorts {
  readonly ledger: AlertLedger;
  readonly reader: Pick<AlertReader, 'unresolved'>;
  readonly tinyIds: TinyIds;
  readonly rules: Pick<CurrentRules, 'get'>;
  readonly directory: ResponderDirectory & KnownResponders;
  readonly clock: Clock;
  /** Told of each command that settled newly, and how many seconds after its acceptance. */
  readonly onSettled: (status: RequestStatus, seconds: number) => void;
}

/** Brings every accepted command to a settled state that can be read (promise 1). */
export class SettleAlertCommands {
  readonly #ports: SettleAlertCommandsPorts;

  constructor(ports: SettleAlertCommandsPorts) {
    this.#ports = ports;
  }

  /**
   * Settles batches, each of another partition, in one transaction. Responders and tiny ids are fetched before it, once for all,
   * and creates are judged by the policies and maintenance windows of that moment. Several batches are refused together if one of them has to be settled by itself.
   *
   * @throws UnavailableError when the database is away before the transaction has begun.
   */
  async settle(...batches: readonly ConsumedBatch<AlertCommand>[]): Promise<Settlement> {
    const brought = batches.flatMap(({ records }) => records.map(({ value }) => value));
    const context = await this.#gather(brought);
    let statuses: readonly RequestStatus[] = [];
    const settlement = await this.#ports.ledger.settle(judgedBatches(batches, context.judged), (commands, stored) => {
      const changes = settleCommands(commands, stored, context);
      statuses = changes.statuses;
      return changes;
    });
    if (settlement.outcome === 'done') this.#tell(brought, statuses);
    return settlement;
  }

  /** Sets the status of a command that fails for ever to failed, with the reason, and goes on after it. */
  async bury(record: BuriedCommand, reason: string): Promise<Settlement> {
    const { clock, ledger } = this.#ports;
    const status = record.value === undefined ? undefined : failedStatus(record.value, reason, clock.now());
    return ledger.bury(record, status);
  }

  async #gather(commands: readonly AlertCommand[]): Promise<SettleContext & { readonly judged: Judgements }> {
    const { clock, directory, tinyIds } = this.#ports;
    const creates = commands.filter(({ kind }) => kind === 'create').length;
    const references = await this.#references(commands);
    const [asSent, firstTinyId, rules] = await Promise.all([
      lookUp(references, directory),
      creates === 0 ? 0 : tinyIds.reserve(creates),
      creates === 0 ? undefined : this.#ports.rules.get(),
    ]);
    const judging = judgementContext(asSent, directory);
    const judged: Judgements = rules === undefined ? new Map() : await judgementsOf(commands, rules, judging);
    const added = await lookUp(addedBy(judged, new Set(references)), directory);
    return {
      resolve: (reference) => {
        const resolution = asSent(reference);
        return resolution.kind === 'unreachable' ? added(reference) : resolution;
      },
      judged,
      firstTinyId,
      processedAt: clock.now(),
    };
  }

  async #references(commands: readonly AlertCommand[]): Promise<readonly ResponderReference[]> {
    const named = commands.flatMap(referencesOf);
    const waiting = commands.filter(({ kind }) => kind === 'timer').map(({ identifier }) => identifier.value);
    const unresolved = waiting.length === 0 ? [] : await this.#ports.reader.unresolved(waiting);
    return [...named, ...unresolved.flatMap(({ responders, visibleTo }) => [...responders, ...visibleTo])];
  }

  #tell(commands: readonly AlertCommand[], statuses: readonly RequestStatus[]): void {
    const { clock, onSettled } = this.#ports;
    const now = clock.now().getTime();
    const accepted = new Map(commands.map((command) => [command.requestId, acceptedAt(command).getTime()]));
    for (const status of statuses) onSettled(status, (now - (accepted.get(status.requestId) ?? now)) / 1_000);
  }
}

type Judgements = ReadonlyMap<string, Judgement>;

/** Whom the judged creates name besides `known`. */
const addedBy = (judged: Judgements, known: ReadonlySet<ResponderReference>): readonly ResponderReference[] =>
  [...judged.values()].flatMap(({ command }) => referencesOf(command)).filter((reference) => !known.has(reference));

/** Whom a command names. */
function referencesOf(command: AlertCommand): readonly ResponderReference[] {
  if (command.kind === 'create')
    return command.dropped === undefined ? [...command.alert.responders, ...command.alert.visibleTo] : [];
  if ('owner' in command) return [command.owner];
  if ('responder' in command) return [command.responder];
  return 'escalation' in command ? [command.escalation] : [];
}
