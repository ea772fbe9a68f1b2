import { compileTemplate, type Template, type TemplateFields } from '@tocsin/events';
import { shortened } from './excess.ts';
import type { PatternBudget } from './pattern-budget.ts';

const COMPILED = new Map<string, Template>();
const MAX_COMPILED = 10_000;

/** Fills a template (P4). Never throws. */
export const filled = (template: string, fields: TemplateFields): string => compiledOnce(template)(fields);

/** As `filled`; undefined where the budget has no room for it (P3). */
export const filledWithin = (template: string, fields: TemplateFields, budget: PatternBudget): string | undefined =>
  compiledOnce(template)(fields, budget);

/**
 * One sentence about the first invalid expression of a template, which uses it as text (P4); none for a valid template. `owner`:
 * the field that the template fills.
 */
export function invalidExpressionIn(owner: string, template: string): string[] {
  const { unread } = compiledOnce(template);
  if (unread === undefined) return [];
  return [`${owner}: [${shortened(unread, MAX_QUOTED)}] of its template is not understood.`];
}

/** The sentence quotes at most this many characters of a template. */
const MAX_QUOTED = 50;

function compiledOnce(template: string): Template {
  let compiled = COMPILED.get(template);
  if (compiled === undefined) {
    if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
    compiled = compileTemplate(template);
    COMPILED.set(template, compiled);
  }
  return compiled;
}
