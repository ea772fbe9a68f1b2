import type { Clock } from '@tocsin/clock';
import {
  AlertCommands,
  type AcknowledgeAlert,
  type AlertActionBody,
  type AlertCommand,
  type AlertIdentifier,
  type CreateAlertBody,
  type Stamp,
} from '@tocsin/contracts';
import type { Principal } from '@tocsin/key-auth';
import type { Publisher } from '@tocsin/messaging';
import type { AlertOrder } from '../domain/alert-order.ts';
import { newAlert } from '../domain/new-alert.ts';

export interface AlertWritesPorts {
  readonly publisher: Publisher;
  readonly clock: Clock;
  /** A fresh random UUID each time. */
  readonly newId: () => string;
  /** Names this process and this start of it, so that the numbers of its stamps begin at 1 but once. */
  readonly instance: string;
  /** Whether lists and details over their limit are cut instead of refused (E8). */
  readonly cutExcess: boolean;
}

/** Who asks, and under which request. */
export interface WriteRequest {
  readonly principal: Principal;
  readonly requestId: string;
  readonly callerAddress: string;
}

/** The actor of a write whose body names no `user` (A3). */
const DEFAULT_ACTOR = 'Alert API';

/**
 * Accepts writes to alerts. Each method resolves only when the command is on Kafka with `acks=all` (promise 1), and the
 * writes that name an alert by one identifier are on it in the order in which they were accepted (A14).
 *
 * @throws UnavailableError when it could not be put there in time; TooLargeError when it is too large for Kafka.
 */
export class AlertWrites {
  readonly #ports: AlertWritesPorts;
  readonly #stamped = new Map<number, number>();

  constructor(ports: AlertWritesPorts) {
    this.#ports = ports;
  }

  create(body: CreateAlertBody, request: WriteRequest): Promise<void> {
    const { newId, cutExcess } = this.#ports;
    const alert = newAlert(body, { alertId: newId(), ownerTeamId: request.principal.teamId, cutExcess });
    const identifier: AlertIdentifier =
      body.alias === undefined ? { type: 'id', value: alert.alertId } : { type: 'alias', value: alert.alias };
    return this.#publish({ kind: 'create', ...this.#common(identifier, body, request), alert });
  }

  /** Any other write than a create, to the alert that `identifier` names. */
  order(identifier: AlertIdentifier, order: AlertOrder, body: AlertActionBody, request: WriteRequest): Promise<void> {
    return this.#publish(commandOf(order, this.#common(identifier, body, request)));
  }

  /** The moment of acceptance that a write gets now. */
  now(): Date {
    return this.#ports.clock.now();
  }

  #publish(command: AlertCommand): Promise<void> {
    return this.#ports.publisher.publish(AlertCommands, [command]);
  }

  #common(
    identifier: AlertIdentifier,
    { user, source, note }: AlertActionBody,
    { principal, requestId, callerAddress }: WriteRequest,
  ): Common {
    return {
      requestId,
      identifier,
      integration: {
        id: principal.integrationId,
        name: principal.integrationName,
        type: principal.integrationType,
        ...(principal.teamId !== undefined && { ownerTeamId: principal.teamId }),
      },
      actor: user ?? DEFAULT_ACTOR,
      source: source ?? callerAddress,
      ...(note !== undefined && { note }),
      stamp: this.#stamp(identifier.value),
    };
  }

  #stamp(key: string): Stamp {
    const { publisher, clock, instance } = this.#ports;
    const partition = publisher.partitionFor(AlertCommands, key);
    const seq = (this.#stamped.get(partition) ?? 0) + 1;
    this.#stamped.set(partition, seq);
    return { instance, partition, seq, acceptedAt: clock.now().toISOString() };
  }
}

type Common = Omit<AcknowledgeAlert, 'kind'>;

/** A note's text is that of its body, which was checked to be there. */
function commandOf(order: AlertOrder, common: Common): AlertCommand {
  return order.kind === 'add-note' ? { ...order, ...common, note: common.note ?? '' } : { ...order, ...common };
}
