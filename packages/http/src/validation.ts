import type { z } from 'zod';
import { InvalidError } from '@tocsin/core';

type Issue = z.core.$ZodIssue;

/** The most fields that one refusal names. */
const MAX_FIELDS = 50;

/**
 * The result of `schema` for `value`; `what` names the whole value, where a problem belongs to no field.
 *
 * @throws InvalidError that names each field by its path, such as `rules[0].recipient`, with one sentence (E1, E4)
 */
export function validated<T>(schema: z.ZodType<T>, value: unknown, what: 'body' | 'query' | 'path'): T {
  const result = schema.safeParse(value, { error: sentenceOf });
  if (result.success) return result.data;
  const fields = new Map<string, string>();
  for (const { path, message } of result.error.issues.flatMap((issue) => innermost(issue, []))) {
    const name = fieldName(path) || what;
    if (!fields.has(name) && fields.size < MAX_FIELDS) fields.set(name, message);
  }
  throw InvalidError.ofFields(Object.fromEntries(fields), { cause: result.error });
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Of a union, the branch that came furthest says what is wrong. */
function innermost(issue: Issue, above: readonly PropertyKey[]): readonly Problem[] {
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ path, message: issue.message }];
  const branches = issue.errors.map((issues) => issues.flatMap((each) => innermost(each, path)));
  const depth = (branch: readonly Problem[]) => Math.min(...branch.map((problem) => problem.path.length));
  const [furthest] = branches.filter((branch) => branch.length > 0).sort((a, b) => depth(b) - depth(a));
  return furthest ?? [{ path, message: issue.message }];
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name === '' ? String(key) : `${name}.${String(key)}`;
  }, '');
}

/** Words for what a schema leaves to us; the others keep their own. */
function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.input === undefined || issue.input === null) return 'should be provided';
  return `should be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
}
