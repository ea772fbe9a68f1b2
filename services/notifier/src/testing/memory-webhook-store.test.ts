import { describeWebhookStore } from '../storage/webhooks/webhook-store.contract.ts';
import { MemoryWebhookStore } from './memory-webhook-store.ts';

describeWebhookStore('MemoryWebhookStore', () => {
  const store = new MemoryWebhookStore();
  return Promise.resolve({
    store,
    expire: () => {
      store.expire();
      return Promise.resolve();
    },
    decisions: () => Promise.resolve(store.decisions),
    kept: () => Promise.resolve(store.kept()),
  });
});
