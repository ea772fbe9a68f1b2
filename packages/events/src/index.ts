export * from './alert-limits.ts';
export * from './all-topics.ts';
export * from './consumption.ts';
export * from './mail-headers.ts';
export * from './messages/index.ts';
export * from './naming.ts';
export * from './number-ranges.ts';
export { compilePattern, Pattern } from './patterns.ts';
export * from './primitives.ts';
export {
  compileTemplate,
  fieldAndPath,
  isPathField,
  MAX_TEXT_AT_PATH,
  PATH_FIELDS,
  PATH_STEPS,
  type PathField,
  type PathReader,
  type StepBudget,
  type Template,
  type TemplateFields,
} from './templates.ts';
export * from './producer-sequences.ts';
export * from './topics.ts';
export * from './services.ts';
export { alsoTaking, USABLE_NAME, given, ofType } from './described.ts';
export { patternProblem, refusalSteps } from './patterns.ts';
export { MAX_VALUE_LENGTH } from './template-parts.ts';
export { templateWork } from './templates.ts';
export { wholeNumber, fromDigits, digitsFrom } from './whole-numbers.ts';
