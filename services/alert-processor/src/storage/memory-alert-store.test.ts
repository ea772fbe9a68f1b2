import { describeAlertStorage } from './alert-storage.contract.ts';
import { MemoryAlertStore } from './memory-alert-store.ts';

describeAlertStorage('MemoryAlertStore', () => {
  const store = new MemoryAlertStore();
  const { ledger, statuses, decisionLog, tinyIds } = store;
  return Promise.resolve({
    ...{ ledger, reader: store, statuses, decisionLog, tinyIds },
    events: () => Promise.resolve(store.events),
    timers: () => Promise.resolve(store.timers),
  });
});
