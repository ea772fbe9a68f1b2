import { compileTemplate, type Template, type TemplateFields } from '@tocsin/contracts';

const COMPILED = new Map<string, Template>();
const MAX_COMPILED = 10_000;

/** A template filled in (P4), never throws; each is compiled once. One that does not compile, which was refused when it was written, is empty. */
export function filled(template: string, fields: TemplateFields): string {
  let compiled = COMPILED.get(template);
  if (compiled === undefined) {
    if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
    compiled = compileTemplate(template) ?? (() => '');
    COMPILED.set(template, compiled);
  }
  return compiled(fields);
}
