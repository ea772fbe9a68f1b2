export { alertSubject } from './alert-subject.ts';
export type { DescribedAlert } from './alert-subject.ts';
export { compileConditions, compilePattern } from './conditions.ts';
export type { ConditionSubject } from './conditions.ts';
