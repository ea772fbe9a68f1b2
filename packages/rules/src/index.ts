export { compilePattern } from '@tocsin/contracts';
export { alertSubject } from './alert-subject.ts';
export type { DescribedAlert } from './alert-subject.ts';
export { compileConditions } from './conditions.ts';
export type { ConditionSubject } from './conditions.ts';
export { compileTimeRestriction } from './time-restrictions.ts';
