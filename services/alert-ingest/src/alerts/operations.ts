import { type Clock, longWork } from '@tocsin/core';
import type { AlertActionBody, CreateAlertBody } from '@tocsin/api';
import {
  AlertCommands,
  type AcknowledgeAlert,
  type AlertCommand,
  type AlertIdentifier,
  type MailIdentity,
  type NewAlert,
} from '@tocsin/events';
import type { Publisher } from '@tocsin/kafka';
import { newAlert } from '@tocsin/rules';
import { alertActor, boundTeam, sendingIntegration, type Principal } from '@tocsin/http';
import type { AlertOrder } from './alert-order.ts';
import { evaluate, type Evaluated } from './evaluate.ts';
import type { EvaluatedItem } from '../hooks/hook-alert.ts';
import type { MailedAlert } from '../mail/mailed-alert.ts';
import type { ResponderNames, Rules, SentAlert } from './sent-alert.ts';

export interface AlertWritesOptions {
  readonly publisher: Publisher;
  readonly clock: Clock;
  /** A fresh random UUID each time. */
  readonly newId: () => string;
  /** Whether lists and details over their limit are cut instead of refused (E8). */
  readonly cutExcess: boolean;
  /** The rules of an integration; undefined where it is not known: then what was sent is taken as it is. */
  readonly rulesOf: (integrationId: string) => Promise<Rules | undefined>;
  readonly names: ResponderNames;
  /** The trace of the request that is under way, where it is sampled. */
  readonly currentTrace?: () => string | undefined;
}

/** The body of a create: as it is read, and as it was sent. */
export interface SentBody {
  readonly body: CreateAlertBody;
  readonly payload: unknown;
  /** One sentence for each text of it that was cut (E8). */
  readonly cut: readonly string[];
}

/** The caller, and the id of the request. */
export interface WriteRequest {
  readonly principal: Principal;
  readonly requestId: string;
  readonly callerAddress: string;
}

/** The id of the request that an item is, by its place in the request of a tool. */
export const requestIdOfItem = (requestId: string, index: number): string =>
  index === 0 ? requestId : `${requestId}:${index}`;

/** Together with the wait at the gateway less than the two seconds that a caller may have to wait (F3). */
const PUBLISH_WITHIN_MS = 1_400;

/**
 * Accepts writes to alerts. Each method resolves only when the command is on Kafka with `acks=all` (promise 1), and the
 * writes that name an alert by one identifier are on it in the order in which they were accepted (A14).
 *
 * @throws UnavailableError when it could not be put there in time; TooLargeError when it is too large for Kafka.
 */
export class AlertWrites {
  readonly #options: AlertWritesOptions;

  constructor(options: AlertWritesOptions) {
    this.#options = options;
  }

  /**
   * The result of the actions of the integration for the body (P1): mostly an alert, otherwise another command to an existing one, or
   * nothing; that too becomes a command, whose status has the reason (A8).
   */
  async create({ body, payload, cut }: SentBody, request: WriteRequest): Promise<void> {
    const { newId, cutExcess, rulesOf, names } = this.#options;
    const made = newAlert(body, { alertId: newId(), ownerTeamId: boundTeam(request.principal), cutExcess });
    const alert: NewAlert = cut.length === 0 ? made : { ...made, remarks: [...cut, ...(made.remarks ?? [])] };
    // A person has no actions of an integration.
    const found = request.principal.kind === 'key' ? await rulesOf(request.principal.integrationId) : undefined;
    const evaluated: Evaluated =
      found === undefined
        ? { kind: 'create', alert, alias: body.alias ?? '', ...sentBy(body, request), keepsAttachments: false }
        : evaluate(found, { ...sentAlert(alert, body, request), payload }, names);
    return this.#publish(this.#commandOf(evaluated, { alert, body, request }), true);
  }

  /**
   * As `create`, of a mail to an integration with these rules. Its files are kept first, where an alert comes of it that
   * wants them, so that a command never names a file that is not there (P13).
   */
  async createFromMail(mailed: MailToIntegration, request: WriteRequest): Promise<void> {
    const { newId, names } = this.#options;
    const { body, fields, cut, rules, dropped, keepFiles } = mailed;
    const made = newAlert(body, { alertId: newId(), ownerTeamId: boundTeam(request.principal), cutExcess: true });
    const alert: NewAlert = cut.length === 0 ? made : { ...made, remarks: [...cut] };
    const evaluated: Evaluated =
      dropped === undefined
        ? evaluate(rules, { ...sentAlert(alert, body, request), mail: fields }, names)
        : { kind: 'dropped', rule: dropped };
    const command = this.#commandOf(await withFiles(evaluated, keepFiles), { alert, body, request });
    return this.#publish(ofMail(command, mailed), false);
  }

  /**
   * As `create`, of the items of a request of a tool, in their order. Resolves when all their commands are on Kafka.
   */
  async createFromHook(items: readonly EvaluatedItem[], request: WriteRequest): Promise<void> {
    const published: Promise<void>[] = [];
    for (const [index, item] of items.entries()) {
      if (longWork.isPauseDue()) await longWork.pause();
      const publishing = this.#publish(this.commandOfItem(item, index, request), true);
      // The failure is thrown below, maybe in a later turn of the event loop.
      publishing.catch(() => undefined);
      published.push(publishing);
    }
    await Promise.all(published);
  }

  /** The command of an item of a request of a tool. The first has the id of the request, the others that and their place in it. */
  commandOfItem(item: EvaluatedItem, index: number, request: WriteRequest): AlertCommand {
    const { evaluated, alert, body, identity, origin } = item;
    const requestId = requestIdOfItem(request.requestId, index);
    return {
      ...this.#commandOf(evaluated, { alert, body, request: { ...request, requestId } }),
      ...(identity !== undefined && { mail: identity }),
      ...(origin !== undefined && { hook: origin }),
    };
  }

  #commandOf(evaluated: Evaluated, { alert, body, request }: Sent): AlertCommand {
    switch (evaluated.kind) {
      case 'create':
        return {
          kind: 'create',
          ...this.#common(identifierOf(evaluated.alias, evaluated.alert), actorOf(evaluated), request),
          ...(evaluated.matchedAction !== undefined && { matchedAction: evaluated.matchedAction }),
          alert: evaluated.alert,
        };
      case 'dropped': {
        const common = this.#common(identifierOf(body.alias ?? '', alert), body, request);
        return { kind: 'create', ...common, alert, dropped: evaluated.rule };
      }
      case 'close':
      case 'acknowledge':
      case 'add-note': {
        const { kind, alias, matchedAction, user, note } = evaluated;
        const actor = actorOf({ ...sentBy(body, request), user, note });
        return commandOf({ kind }, { ...this.#common({ type: 'alias', value: alias }, actor, request), matchedAction });
      }
    }
  }

  /** Any other write than a create, to the alert that `identifier` names. */
  order(identifier: AlertIdentifier, order: AlertOrder, body: AlertActionBody, request: WriteRequest): Promise<void> {
    return this.#publish(commandOf(order, this.#common(identifier, body, request)), true);
  }

  /** The moment of acceptance that a write gets now. */
  now(): Date {
    return this.#options.clock.now();
  }

  /** A caller who was refused sends another request. A mail never expires, because later deliveries of it change nothing. */
  #publish(command: AlertCommand, expires: boolean): Promise<void> {
    const { currentTrace, publisher } = this.#options;
    const trace = currentTrace?.();
    const sent = trace === undefined ? command : { ...command, trace };
    return publisher.publish(AlertCommands, [sent], { deadlineMs: PUBLISH_WITHIN_MS, expires });
  }

  #common(
    identifier: AlertIdentifier,
    { user, source, note }: AlertActionBody,
    { principal, requestId, callerAddress }: WriteRequest,
  ): Common {
    return {
      requestId,
      identifier,
      integration: sendingIntegration(principal),
      actor: alertActor(user, principal),
      source: source ?? callerAddress,
      ...(note !== undefined && { note }),
      acceptedAt: this.now().toISOString(),
    };
  }
}

type Common = Omit<AcknowledgeAlert, 'kind'>;

/** A note's text is that of its body, which was checked to be there. */
function commandOf(order: AlertOrder, common: Common): AlertCommand {
  return order.kind === 'add-note' ? { ...order, ...common, note: common.note ?? '' } : { ...order, ...common };
}

interface Sent {
  readonly alert: NewAlert;
  readonly body: CreateAlertBody;
  readonly request: WriteRequest;
}

/** A mail as an integration takes it. */
export interface MailToIntegration extends MailedAlert {
  readonly rules: Rules;
  readonly identity: MailIdentity;
  /** Why nothing may come of it, if so. */
  readonly dropped: string | undefined;
  /** The ids of its files, once they are kept, and how many were not kept for want of space. */
  readonly keepFiles: () => Promise<{ readonly ids: readonly string[]; readonly leftOut: number }>;
}

async function withFiles(evaluated: Evaluated, keepFiles: MailToIntegration['keepFiles']): Promise<Evaluated> {
  if (evaluated.kind !== 'create' || !evaluated.keepsAttachments) return evaluated;
  const { ids, leftOut } = await keepFiles();
  const files = {
    ...(ids.length > 0 && { attachments: [...ids] }),
    ...(leftOut > 0 && { attachmentsLeftOut: leftOut }),
  };
  return { ...evaluated, alert: { ...evaluated.alert, ...files } };
}

/** The command with what its mail is known by. Without an alias, deliveries of one mail share a partition by it. */
function ofMail(command: AlertCommand, { identity, recovery }: MailToIntegration): AlertCommand {
  if (command.kind !== 'create') return { ...command, mail: identity };
  const { identifier } = command;
  return {
    ...command,
    ...(identifier.type === 'id' && { identifier: { type: 'id', value: identity.key } }),
    ...(recovery && { recovery }),
    mail: identity,
  };
}

interface Actor {
  readonly user: string;
  readonly source: string;
  readonly note: string;
}

const identifierOf = (alias: string, { alertId }: NewAlert): AlertIdentifier =>
  alias === '' ? { type: 'id', value: alertId } : { type: 'alias', value: alias };

function sentBy({ user = '', source, note = '' }: AlertActionBody, { callerAddress }: WriteRequest): Actor {
  return { user, source: source ?? callerAddress, note };
}

function sentAlert(alert: NewAlert, body: CreateAlertBody, request: WriteRequest): SentAlert {
  const teamKey = boundTeam(request.principal) !== undefined;
  const prioritized = body.priority !== undefined;
  return { alert, alias: body.alias ?? '', ...sentBy(body, request), prioritized, teamKey };
}

/** A field that a template left blank is absent, and has its default (A3). */
function actorOf({ user, source, note }: Actor): AlertActionBody {
  const filled = (text: string) => (text.trim() === '' ? undefined : text);
  return { user: filled(user), source: filled(source), note: filled(note) };
}
