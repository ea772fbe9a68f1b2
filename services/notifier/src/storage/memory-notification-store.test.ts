import { describeNotificationStore } from './notification-store.contract.ts';
import { MemoryNotificationStore } from './memory-notification-store.ts';

describeNotificationStore('MemoryNotificationStore', () => {
  const store = new MemoryNotificationStore();
  return Promise.resolve({
    store,
    claim: (at) => Promise.resolve([...store.timers].filter(([, dueAt]) => dueAt <= at).map(([id]) => ({ id }))),
    decisions: () => Promise.resolve(store.decisions),
  });
});
