import { describeConfigurationStore } from '../storage/configuration-store.contract.ts';
import { describeForwardingRules } from '../storage/forwarding-rules.contract.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';

const create = () => Promise.resolve(new MemoryConfigurationStore());

describeConfigurationStore('MemoryConfigurationStore', create);
describeForwardingRules('MemoryConfigurationStore', create);
