import type { MemoryGroups } from './groups.ts';
import type { MemoryLog } from './log.ts';

/** A cluster, in memory. */
export interface MemoryKafka {
  readonly log: MemoryLog;
  readonly groups: MemoryGroups;
}
