import { describeHeartbeatStore } from '../storage/heartbeat-store.contract.ts';
import { MemoryHeartbeatStore } from './memory-heartbeat-store.ts';

describeHeartbeatStore('MemoryHeartbeatStore', () => {
  const store = new MemoryHeartbeatStore();
  return Promise.resolve({
    store,
    commands: () => Promise.resolve(store.commands),
    passMs: (milliseconds) => {
      store.passMs(milliseconds);
    },
  });
});
