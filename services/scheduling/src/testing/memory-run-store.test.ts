import { MemoryRunStore } from './memory-run-store.ts';
import { describeRetainedRuns } from '../storage/runs/retained-runs.contract.ts';
import { describeRunStore } from '../storage/runs/run-store.contract.ts';

function create() {
  const store = new MemoryRunStore();
  return Promise.resolve({
    store,
    pages: () => Promise.resolve(store.pages),
    commands: () => Promise.resolve(store.commands),
    decisions: () => Promise.resolve(store.decisions),
  });
}

describeRunStore('MemoryRunStore', create);
describeRetainedRuns('MemoryRunStore', create);
