import { beforeEach, describe, expect, it } from '@jest/globals';
import { Decisions, Pages } from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { collectionOf, Outbox } from '@tocsin/mongo';
import { decisionOf } from '../messages/decisions.ts';
import { beginAttempt, applyResult } from '../messages/attempts.ts';
import { ofUser, type UserDelivery } from '../messages/delivery.ts';
import { keepForReceipt, type Receipt, applyReceipt, type ReceiptChange } from './receipt.ts';
import type { Check } from '../queue/message-result.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { type MongoStores, silent } from '../testing/mongo-stores.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { batch, expanded, LATER, NO_SLOTS, sendAll } from '../testing/store-samples.ts';
import { DELIVERIES } from '../messages/delivery-document.ts';
import { RecipientQueues } from '../queue/recipient-queue-store.ts';
import { ReceiptStore } from './store.ts';

const PROVIDERS = ['one', 'two'];
const about = deliveryOf(page(), { dueAt: LATER });
const failure: Receipt = { ...about, attempt: 1, provider: 'one', outcome: 'failed', said: 'no' };
const FIRST = about.deliveryId;
const SECOND = `${FIRST}@2`;

const open = useStores();
let stores: MongoStores;

beforeEach(async () => {
  stores = await open();
  await stores.settlePages([batch(Pages.name, [about.page])], () => expanded(about), NO_SLOTS);
  const begin: Check = (delivery) => ({ delivery: beginAttempt(delivery) });
  const [begun] = (await stores.deliveries.begin(await stores.claim(LATER), LATER, begin)).begun;
  if (begun === undefined) throw new Error('nothing was due');
  const { delivery } = applyResult(ofUser(begun.delivery), { kind: 'accepted', response: 'ok' }, LATER, 0);
  await stores.deliveries.recordResults(
    [{ queue: begun.queue, delivery: keepForReceipt(delivery, 'one', PROVIDERS, LATER) }],
    LATER,
  );
});

const decide = (delivery: UserDelivery): ReceiptChange => {
  const change = applyReceipt(delivery, failure, PROVIDERS, LATER);
  return change.kind === 'taken' ? { ...change, decision: decisionOf(change, LATER) } : {};
};

async function statesOf(): Promise<Readonly<Record<string, unknown>>> {
  const rows = await collectionOf<{ _id: string; state: string }>(stores.connection, DELIVERIES).find({}).toArray();
  return Object.fromEntries(rows.map(({ _id, state }) => [_id, state]));
}

/** A store whose process dies when it does `at` of a receipt. */
function dying(at: 'enqueue' | 'decide'): ReceiptStore {
  const { connection } = stores;
  const outbox = new Outbox({ connection, publisher: new RecordingPublisher(), topics: [Decisions], logger: silent });
  const queues = new RecipientQueues(connection, 60_000);
  const dies = () => Promise.reject(new Error('the process died'));
  const enqueue: RecipientQueues['enqueue'] = (...of) => (at === 'enqueue' ? dies() : queues.enqueue(...of));
  if (at === 'decide') outbox.add = dies;
  return new ReceiptStore({ connection, outbox, queues: { enqueue }, onWaiting: () => undefined });
}

describe('a process that dies while it takes a receipt', () => {
  it.each(['enqueue', 'decide'] as const)(
    'has changed nothing at its %s, and the receipt that comes again is taken whole',
    async (at) => {
      await expect(dying(at).receive(FIRST, LATER, decide)).rejects.toThrow('the process died');
      expect(await statesOf()).toEqual({ [FIRST]: 'sent' });
      expect(await stores.decisions()).toHaveLength(1);
      await stores.receipts.receive(FIRST, LATER, decide);
      expect(await statesOf()).toEqual({ [FIRST]: 'failed', [SECOND]: 'waiting' });
      expect((await stores.decisions()).map(({ decisionId }) => decisionId)).toContain(`deliver:${FIRST}:1:failed`);
      expect(await sendAll(stores.deliveries, LATER)).toEqual([SECOND]);
    },
  );
});

describe('many receipts of one message at once', () => {
  it('are taken one after the other: one failure, one message to the next provider', async () => {
    const kinds = await Promise.all(
      Array.from({ length: 8 }, () =>
        stores.receipts.receive(FIRST, LATER, decide).then(([each]) => each?.delivery?.state),
      ),
    );
    expect(kinds.filter((state) => state === 'failed')).toHaveLength(1);
    expect(await sendAll(stores.deliveries, LATER)).toEqual([SECOND]);
  });

  it('and the answer of the provider, which comes meanwhile, leave it with one end', async () => {
    const delivered = stores.receipts.receive(FIRST, LATER, (delivery): ReceiptChange => {
      const change = applyReceipt(delivery, { ...failure, outcome: 'delivered' }, PROVIDERS, LATER);
      return change.kind === 'taken' ? change : {};
    });
    await Promise.all([delivered, stores.receipts.receive(FIRST, LATER, decide), stores.receipts.forget(LATER)]);
    expect((await statesOf())[FIRST]).toBe('delivered');
  });
});

it('finds contents to erase by an index', async () => {
  const { executionStats } = await collectionOf(stores.connection, DELIVERIES)
    .find({ keptUntil: { $exists: true, $lte: LATER } })
    .explain('executionStats');
  expect(JSON.stringify(executionStats)).toContain('"keptUntil_1"');
});
