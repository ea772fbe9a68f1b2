export { compileConditions, compilePattern } from './conditions.ts';
export type { ConditionSubject } from './conditions.ts';
