import { MemoryRunStore } from './memory-run-store.ts';
import { describeRunStore } from './run-store.contract.ts';

describeRunStore('MemoryRunStore', () => {
  const store = new MemoryRunStore();
  return Promise.resolve({
    store,
    claim: (at) => Promise.resolve(store.claimsAt(at)),
    pages: () => Promise.resolve(store.pages),
    commands: () => Promise.resolve(store.commands),
  });
});
