import { compileTemplate, type Template, type TemplateFields } from '@tocsin/contracts';
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
 * One sentence where a part of a template is no expression and stands as text (P4); none otherwise. `owner` begins it: the field
 * that the template fills.
 */
export function unreadIn(owner: string, template: string): string[] {
  const { unread } = compiledOnce(template);
  if (unread === undefined) return [];
  return [`${owner}: [${shortened(unread, MAX_TOLD)}] of its template is not understood.`];
}

/** Characters of a template that a sentence tells. */
const MAX_TOLD = 50;

function compiledOnce(template: string): Template {
  let compiled = COMPILED.get(template);
  if (compiled === undefined) {
    if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
    compiled = compileTemplate(template);
    COMPILED.set(template, compiled);
  }
  return compiled;
}
