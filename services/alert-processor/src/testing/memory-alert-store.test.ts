import { describeAlertStorage } from '../storage/alert-storage.contract.ts';
import { describeBuriedCommands } from '../storage/buried-commands.contract.ts';
import { describeDeliveredTwice } from '../storage/delivered-twice.contract.ts';
import { MemoryAlertStore } from './memory-alert-store.ts';

function make() {
  const store = new MemoryAlertStore();
  const { ledger, statuses, decisionLog, retained, tinyIds } = store;
  return Promise.resolve({
    ledger,
    reader: store,
    statuses,
    decisionLog,
    retained,
    tinyIds,
    events: () => Promise.resolve(store.events),
  });
}

describeAlertStorage('MemoryAlertStore', make);
describeBuriedCommands('MemoryAlertStore', make);
describeDeliveredTwice('MemoryAlertStore', make);
