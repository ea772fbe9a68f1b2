import type { BundleLimits } from '../domain/next-message.ts';
import type { ExpandRepetition } from '../ports/flow-store.ts';
import { describeBegunAtInsertion } from '../storage/begun-at-insertion.contract.ts';
import { describeBundles } from '../storage/bundles.contract.ts';
import { describeDeliveryStore } from '../storage/delivery-store.contract.ts';
import { describeErasedAlerts } from '../storage/erased-alerts.contract.ts';
import { describeFlowStore } from '../storage/flow-store.contract.ts';
import { describeReceipts } from '../storage/receipts.contract.ts';
import { describeSuccessors } from '../storage/successors.contract.ts';
import { MemoryNotificationStore } from './memory-notification-store.ts';

const create = (limits?: BundleLimits) => {
  const store = new MemoryNotificationStore(limits);
  return Promise.resolve({
    flows: store,
    deliveries: store,
    standings: store,
    receipts: store,
    claim: (at: Date) => store.claim(at, 100),
    expire: () => {
      store.turns.expire();
      return Promise.resolve();
    },
    repeatDue: (at: Date, expand: ExpandRepetition) => {
      store.repeat(store.dueRepetitions(at), expand, at);
      return Promise.resolve();
    },
    kept: () => Promise.resolve(JSON.stringify([[...store.deliveries], [...store.repetitions]])),
    decisions: () => Promise.resolve(store.decisions),
    verifications: () => Promise.resolve(store.verifications),
  });
};

describeBegunAtInsertion('MemoryNotificationStore', () => create());
describeBundles('MemoryNotificationStore', create);
describeDeliveryStore('MemoryNotificationStore', () => create());
describeErasedAlerts('MemoryNotificationStore', () => create());
describeFlowStore('MemoryNotificationStore', () => create());
describeReceipts('MemoryNotificationStore', () => create());
describeSuccessors('MemoryNotificationStore', () => create());
