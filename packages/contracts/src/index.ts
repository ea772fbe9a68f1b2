export * from './all-topics.ts';
export * from './bodies/index.ts';
export * from './consumption.ts';
export * from './messages/index.ts';
export * from './operations/index.ts';
export { compilePattern } from './patterns.ts';
export * from './primitives.ts';
export { compileTemplate, type Template, type TemplateFields } from './templates.ts';
export * from './topics.ts';
