import { describeConfigurationStore } from './configuration-store.contract.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';

describeConfigurationStore('MemoryConfigurationStore', () => Promise.resolve(new MemoryConfigurationStore()));
