import { z } from 'zod';
import { NOT_AN_OBJECT } from './refusals.ts';

type BodyOfType = z.core.$ZodTypeDiscriminable;

/**
 * The one of `bodies` whose literal `type` a body has, without regard to case (E5). `types` are those that a refusal names;
 * `notAnObject` is the refusal of a value that is no object.
 */
export function byType<const Bodies extends readonly [BodyOfType, ...BodyOfType[]]>(
  types: readonly string[],
  bodies: Bodies,
  notAnObject: string = NOT_AN_OBJECT,
): z.ZodType<z.output<Bodies[number]>> {
  const error = ({ input }: { readonly input?: unknown }) =>
    isObject(input) ? `should be one of [ ${types.join(', ')} ]` : notAnObject;
  return z.preprocess(withPlainType, z.discriminatedUnion('type', bodies, { error }));
}

function withPlainType(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { type } = value as { readonly type?: unknown };
  return { ...value, type: typeof type === 'string' ? type.trim().toLowerCase() : type };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
