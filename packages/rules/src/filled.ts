import { compileTemplate, type Template, type TemplateFields } from '@tocsin/contracts';
import type { PatternBudget } from './pattern-budget.ts';

const COMPILED = new Map<string, Template>();
const MAX_COMPILED = 10_000;

/** Fills a template (P4). Never throws. A template that does not compile gives an empty text; writes refuse such templates. */
export const filled = (template: string, fields: TemplateFields): string => compiledOnce(template)(fields);

/** As `filled`; undefined where the budget has no room for it (P3). */
export const filledWithin = (template: string, fields: TemplateFields, budget: PatternBudget): string | undefined =>
  compiledOnce(template)(fields, budget);

function compiledOnce(template: string): Template {
  let compiled = COMPILED.get(template);
  if (compiled === undefined) {
    if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
    compiled = compileTemplate(template) ?? (() => '');
    COMPILED.set(template, compiled);
  }
  return compiled;
}
