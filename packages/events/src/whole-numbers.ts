import { z } from 'zod';

interface WholeNumberRange {
  /** From 0 to 9. */
  readonly min: number;
  readonly max?: number;
  /** The error for a value that is no whole number. */
  readonly refusal: string;
  /** The errors for numbers below `min` and above `max`; `refusal` by default. */
  readonly tooSmall?: string;
  readonly tooLarge?: string;
}

/** A whole number from `min` to `max`, both inclusive, or its digits as a string (E12). */
export function wholeNumber(range: WholeNumberRange): z.ZodType<number> {
  const { min, max = Number.MAX_SAFE_INTEGER, refusal, tooSmall = refusal, tooLarge = refusal } = range;
  const number = z.int(refusal).min(min, tooSmall).max(max, tooLarge);
  return z.preprocess(fromDigits, number.meta({ type: ['integer', 'string'], pattern: digitsFrom(min, max) }));
}

/** The number in a string of up to 19 digits; returns any other value unchanged. */
export const fromDigits = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,19}$/.test(value) ? Number(value) : value;

/** A JSON Schema pattern for the numbers from `min`, at most 9, to `max`, both inclusive. */
export function digitsFrom(min: number, max: number): string {
  if (max === Number.MAX_SAFE_INTEGER) return min === 0 ? '^[0-9]{1,15}$' : `^0{0,3}(?:[${min}-9]|[1-9][0-9]{1,14})$`;
  const digits = String(max);
  const shorter = Array.from({ length: digits.length - 1 }, (_, rest) =>
    rest === 0 ? `[${min}-9]` : `[1-9]${any(rest)}`,
  );
  const least = digits.length === 1 ? min : 1;
  const smaller = Array.from(digits, (digit, at) => {
    const from = at === 0 ? least : 0;
    return Number(digit) > from
      ? [`${digits.slice(0, at)}[${from}-${Number(digit) - 1}]${any(digits.length - at - 1)}`]
      : [];
  });
  return `^0{0,3}(?:${[...shorter, ...smaller.flat(), digits].join('|')})$`;
}

const any = (digits: number): string => (digits === 0 ? '' : `[0-9]{${digits}}`);
