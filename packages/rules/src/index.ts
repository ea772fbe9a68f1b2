export { alertSubject } from './alert-subject.ts';
export type { DescribedAlert } from './alert-subject.ts';
export { compileConditions } from './conditions.ts';
export type { ConditionSubject, Verdict } from './conditions.ts';
export { firstTen } from './first-ten.ts';
export { PatternBudget } from './pattern-budget.ts';
export { compileTimeRestriction } from './time-restrictions.ts';
export { WallClock } from './wall-clock.ts';
