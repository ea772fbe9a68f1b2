import { describeActStore } from '../storage/act-store.contract.ts';
import { MemoryActStore } from './memory-act-store.ts';

describeActStore('MemoryActStore', () => {
  const acts = new MemoryActStore();
  return Promise.resolve({
    acts,
    commands: () => Promise.resolve(acts.commands),
    decisions: () => Promise.resolve(acts.decisions),
  });
});
