import { describeAttachmentStore } from '../storage/attachment-store.contract.ts';
import { MemoryAlertStore } from './memory-alert-store.ts';

describeAttachmentStore('MemoryAttachmentStore', () => {
  const store = new MemoryAlertStore();
  const { ledger, statuses, decisionLog, retained, tinyIds, attachments: files } = store;
  return Promise.resolve({
    ledger,
    reader: store,
    statuses,
    decisionLog,
    retained,
    tinyIds,
    files,
    events: () => Promise.resolve(store.events),
  });
});
