import { describeIntegrationStore } from '../storage/integration-store.contract.ts';
import { MemoryIntegrationStore } from './memory-integration-store.ts';

describeIntegrationStore('MemoryIntegrationStore', () => Promise.resolve(new MemoryIntegrationStore()));
