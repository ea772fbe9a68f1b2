import type { Clock } from '@tocsin/clock';
import type { AlertCommand, ConsumedBatch, ResponderReference, Settlement, WebhookCommand } from '@tocsin/contracts';
import { acceptedAt } from '../domain/decided.ts';
import type { Maintenance } from '../domain/maintenance.ts';
import type { Judgement } from '../domain/policies/judgement.ts';
import { failedStatus, type RequestStatus } from '../domain/request-status.ts';
import { settleCommands, type Changes, type SettleContext } from '../domain/settle.ts';
import type { WebhookRules } from '../domain/webhooks/webhook-rules.ts';
import type { AlertLedger, BuriedCommand } from '../ports/alert-ledger.ts';
import type { KnownResponders, ResponderDirectory } from '../ports/responder-directory.ts';
import type { TinyIds } from '../ports/tiny-ids.ts';
import type { CurrentRules } from './current-rules.ts';
import type { CurrentWebhooks } from './current-webhooks.ts';
import { judgedBatches, judgementContext, judgementsOf } from './judged-batches.ts';
import { lookUp } from './responder-look-up.ts';
import { webhookCommands } from './webhook-commands.ts';

export interface SettleAlertCommandsPorts {
  readonly ledger: AlertLedger;
  readonly tinyIds: TinyIds;
  readonly rules: Pick<CurrentRules, 'get'>;
  /** Without it, no webhook commands are written. */
  readonly webhooks?: Pick<CurrentWebhooks, 'get'>;
  readonly directory: ResponderDirectory & KnownResponders;
  readonly clock: Clock;
  /** Called for each newly settled command, with the seconds since its acceptance. */
  readonly onSettled: (status: RequestStatus, seconds: number) => void;
}

/** Settles every accepted command, so that its outcome can be read (promise 1). */
export class SettleAlertCommands {
  readonly #ports: SettleAlertCommandsPorts;

  constructor(ports: SettleAlertCommandsPorts) {
    this.#ports = ports;
  }

  /**
   * Settles batches, each of another partition, in one transaction. Before it, responders and tiny ids are fetched once
   * for all batches, and creates are judged by the present policies and maintenance windows. Several batches are
   * refused together if one of them has to settle on its own.
   *
   * @throws UnavailableError when the database is away before the transaction has begun.
   */
  async settle(...batches: readonly ConsumedBatch<AlertCommand>[]): Promise<Settlement> {
    const brought = batches.flatMap(({ records }) => records.map(({ value }) => value));
    const context = await this.#gather(brought);
    let statuses: readonly RequestStatus[] = [];
    const judged = judgedBatches(batches, context.judged);
    const settlement = await this.#ports.ledger.settle(judged, async (commands, stored) => {
      const changes = settleCommands(commands, stored, context);
      statuses = changes.statuses;
      return { ...changes, webhooks: await this.#webhooksOf(changes, context) };
    });
    if (settlement.outcome === 'done') this.#tell(brought, statuses);
    return settlement;
  }

  /** Moves past a command that fails on every try. Its request status says that it failed, and why. */
  async bury(record: BuriedCommand, reason: string): Promise<Settlement> {
    const { clock, ledger } = this.#ports;
    const status = record.value === undefined ? undefined : failedStatus(record.value, reason, clock.now());
    return ledger.bury(record, status);
  }

  async #webhooksOf({ happenings }: Changes, { maintenances, wishes }: Gathered): Promise<readonly WebhookCommand[]> {
    if (wishes === undefined || happenings.length === 0) return [];
    const nameOf: KnownResponders['nameOf'] = (type, id) => this.#ports.directory.nameOf(type, id);
    return webhookCommands(happenings, wishes, { maintenances, nameOf });
  }

  async #gather(commands: readonly AlertCommand[]): Promise<Gathered> {
    const { clock, directory, tinyIds, webhooks } = this.#ports;
    const wishes = webhooks?.get();
    const creates = commands.filter(({ kind }) => kind === 'create').length;
    const references = commands.flatMap(referencesOf);
    const [asSent, firstTinyId, rules] = await Promise.all([
      lookUp(references, directory),
      creates === 0 ? 0 : tinyIds.reserve(creates),
      creates === 0 && wishes === undefined ? undefined : this.#ports.rules.get(),
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
      tellsWebhooks: wishes !== undefined,
      wishes,
      maintenances: rules?.maintenances ?? [],
    };
  }

  #tell(commands: readonly AlertCommand[], statuses: readonly RequestStatus[]): void {
    const { clock, onSettled } = this.#ports;
    const now = clock.now().getTime();
    const accepted = new Map(commands.map((command) => [command.requestId, acceptedAt(command).getTime()]));
    for (const status of statuses) onSettled(status, (now - (accepted.get(status.requestId) ?? now)) / 1_000);
  }
}

/** What is gathered before the transaction. */
interface Gathered extends SettleContext {
  readonly judged: Judgements;
  readonly wishes: WebhookRules | undefined;
  readonly maintenances: readonly Maintenance[];
}

type Judgements = ReadonlyMap<string, Judgement>;

/** The responders that judged creates name besides `known`. */
const addedBy = (judged: Judgements, known: ReadonlySet<ResponderReference>): readonly ResponderReference[] =>
  [...judged.values()].flatMap(({ command }) => referencesOf(command)).filter((reference) => !known.has(reference));

/** The users and responders that a command names. */
function referencesOf(command: AlertCommand): readonly ResponderReference[] {
  if (command.kind === 'create')
    return command.dropped === undefined ? [...command.alert.responders, ...command.alert.visibleTo] : [];
  if ('owner' in command) return [command.owner];
  if ('responder' in command) return [command.responder];
  return 'escalation' in command ? [command.escalation] : [];
}
