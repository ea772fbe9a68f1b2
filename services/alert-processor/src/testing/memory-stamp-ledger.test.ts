import { describeStampLedger } from '../storage/stamp-ledger.contract.ts';
import { MemoryStampLedger } from './memory-stamp-ledger.ts';

describeStampLedger('MemoryStampLedger', () => {
  const ledger = new MemoryStampLedger();
  return Promise.resolve({
    ledger,
    bring: (partition, instance, numbers) => {
      ledger.bring(partition, { instance, numbers });
      return Promise.resolve();
    },
  });
});
