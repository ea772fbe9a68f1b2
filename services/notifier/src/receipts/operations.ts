import type { Clock } from '@tocsin/core';
import type { ContactMethod } from '@tocsin/events';
import { isPage, type UserDelivery } from '../messages/delivery.ts';
import { applyReceipt, receiptFor, type Receipt, type ReceiptOutcomeOf, type ReceiptChange } from './receipt.ts';
import type { Channel } from '../channels/channel.ts';
import { type NoticeListener, overtakenDecision, withDecision, notifyOutcome } from '../messages/decisions.ts';
import type { ReceiptStore } from './store.ts';

/** The result of a receipt: the new state of its message, or why the state stays. */
export type ReceiptOutcome = Receipt['outcome'] | 'overtaken' | 'unchanged' | 'unknown';

export interface TakeReceiptsPorts {
  readonly store: Pick<ReceiptStore, 'receive'>;
  readonly channels: ReadonlyMap<ContactMethod, Pick<Channel, 'providers'>>;
  readonly clock: Clock;
  /** Called once for each message that arrived, with the seconds since it was due. */
  readonly onDelivered: (seconds: number) => void;
  /** Called with the result of each notice. */
  readonly onNotice: NoticeListener;
}

interface AppliedReceipt extends ReceiptChange {
  readonly kind: ReceiptOutcomeOf['kind'];
}

/** Applies receipts of providers to deliveries (U18). A receipt that comes twice has one effect. */
export class TakeReceipts {
  readonly #ports: TakeReceiptsPorts;

  constructor(ports: TakeReceiptsPorts) {
    this.#ports = ports;
  }

  /** @throws what the store throws; then nothing has changed. */
  async take(receipt: Receipt): Promise<ReceiptOutcome> {
    const { clock, store } = this.#ports;
    const now = clock.now();
    const changes = await store.receive(receipt.deliveryId, now, (delivery) =>
      this.#changeOf(delivery, receiptFor(delivery, receipt), now),
    );
    const taken = changes.filter(({ kind }) => kind === 'taken');
    for (const change of taken) this.#notify(change, now);
    const [first] = changes;
    return taken.length > 0 || first?.kind === 'taken' ? receipt.outcome : (first?.kind ?? 'unknown');
  }

  #changeOf(delivery: UserDelivery, receipt: Receipt, now: Date): AppliedReceipt {
    const providers = this.#ports.channels.get(delivery.method)?.providers ?? [];
    const change = applyReceipt(delivery, receipt, providers, now);
    switch (change.kind) {
      case 'taken':
        return withDecision(change, now);
      case 'overtaken':
        return { ...change, decision: overtakenDecision(delivery, receipt, now) };
      case 'unchanged':
        return change;
    }
  }

  #notify({ decision, delivery }: AppliedReceipt, now: Date): void {
    if (delivery === undefined) return;
    if (delivery.state === 'delivered')
      this.#ports.onDelivered(Math.max(0, now.getTime() - delivery.dueAt.getTime()) / 1_000);
    if (!isPage(delivery)) notifyOutcome(delivery, decision?.findings ?? [], this.#ports.onNotice);
  }
}
