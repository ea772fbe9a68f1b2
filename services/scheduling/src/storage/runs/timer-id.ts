import type { RuleTimer } from '../../domain/runs/effects.ts';

/** One timer per rule of a branch and epoch, however often it is set. */
export const timerId = ({ alertId, branchId, epoch, ruleIndex }: RuleTimer): string =>
  `${alertId}:${epoch}:${branchId}#${ruleIndex}`;
