import { describeShiftTimers } from '../storage/shift-notices/shift-timers.contract.ts';
import { MemoryShiftTimers } from './memory-shift-timers.ts';

describeShiftTimers('MemoryShiftTimers', () => {
  const timers = new MemoryShiftTimers();
  return Promise.resolve({
    timers,
    touch: (touched, now) => {
      timers.touched(touched, now);
      return Promise.resolve();
    },
    claim: (at: Date) => Promise.resolve(timers.claimsAt(at)),
    notices: () => Promise.resolve(timers.notices),
    decisions: () => Promise.resolve(timers.decisions),
  });
});
