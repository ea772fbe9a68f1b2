import { describeConfigurationStore } from '../storage/configuration-store.contract.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';

describeConfigurationStore('Memory', () => {
  const store = new MemoryConfigurationStore();
  return Promise.resolve({ open: () => store });
});
