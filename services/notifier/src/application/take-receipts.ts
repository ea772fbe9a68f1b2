import type { Clock } from '@tocsin/clock';
import type { ContactMethod } from '@tocsin/contracts';
import { isPage, type Delivery } from '../domain/delivery.ts';
import { received, receiptFor, type Receipt, type Received } from '../domain/receipt.ts';
import type { Channel } from '../ports/channel.ts';
import type { NoticeListener } from '../ports/notice-listener.ts';
import type { ReceiptChange, ReceiptStore } from '../ports/receipt-store.ts';
import { overtakenDecision, withDecision } from './delivery-decision.ts';
import { tellNotice } from './tell-notice.ts';

/** What came of a receipt: the new state of its message, or why it has none. */
export type ReceiptOutcome = Receipt['outcome'] | 'overtaken' | 'unchanged' | 'unknown';

export interface TakeReceiptsPorts {
  readonly store: ReceiptStore;
  readonly channels: ReadonlyMap<ContactMethod, Pick<Channel, 'providers'>>;
  readonly clock: Clock;
  /** Called once for each message that arrived, with the seconds since it was due. */
  readonly onDelivered: (seconds: number) => void;
  /** Hears what became of each notice. */
  readonly onNotice: NoticeListener;
}

interface TakenReceipt extends ReceiptChange {
  readonly kind: Received['kind'];
}

/** Moves deliveries on by what providers tell of them later (U7). The same receipt twice is once. */
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
    for (const change of taken) this.#tell(change, now);
    const [first] = changes;
    return taken.length > 0 || first?.kind === 'taken' ? receipt.outcome : (first?.kind ?? 'unknown');
  }

  #changeOf(delivery: Delivery, receipt: Receipt, now: Date): TakenReceipt {
    const providers = this.#ports.channels.get(delivery.method)?.providers ?? [];
    const change = received(delivery, receipt, providers, now);
    switch (change.kind) {
      case 'taken':
        return withDecision(change, now);
      case 'overtaken':
        return { ...change, decision: overtakenDecision(delivery, receipt, now) };
      case 'unchanged':
        return change;
    }
  }

  #tell({ decision, delivery }: TakenReceipt, now: Date): void {
    if (delivery === undefined) return;
    if (delivery.state === 'delivered')
      this.#ports.onDelivered(Math.max(0, now.getTime() - delivery.dueAt.getTime()) / 1_000);
    if (!isPage(delivery)) tellNotice(delivery, decision?.verdicts ?? [], this.#ports.onNotice);
  }
}
