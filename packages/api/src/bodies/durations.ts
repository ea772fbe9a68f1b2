import { alsoTaking, digitsFrom, fromDigits, oneOf, optional, wholeNumber } from '@tocsin/events';
import { z } from 'zod';

const MINUTE_MS = 60_000;
/** The milliseconds of each unit; milliseconds in every spelling that clients send (P8, wire facts 5). */
const UNITS = {
  days: 24 * 60 * MINUTE_MS,
  hours: 60 * MINUTE_MS,
  minutes: MINUTE_MS,
  seconds: 1_000,
  milliseconds: 1,
  miliseconds: 1,
  millis: 1,
} as const;
type Unit = keyof typeof UNITS;
const timeUnit = z
  .preprocess(inThePlural, optional(oneOf(Object.keys(UNITS) as [Unit, ...Unit[]])))
  .meta({ description: 'Minutes by default; in the singular too.', ...alsoTaking({ const: '' }) });
const NOT_A_DURATION = 'should be an object with timeAmount and timeUnit';

/** A duration as it was written (P8, E10). */
export interface Duration {
  readonly timeAmount: number;
  readonly timeUnit: DurationUnit;
}
export type DurationUnit = 'days' | 'hours' | 'minutes' | 'seconds' | 'milliseconds';

/** The unit that each spelling means. */
const MEANT: Readonly<Record<Unit, DurationUnit>> = {
  days: 'days',
  hours: 'hours',
  minutes: 'minutes',
  seconds: 'seconds',
  milliseconds: 'milliseconds',
  miliseconds: 'milliseconds',
  millis: 'milliseconds',
};

/** `duration` in milliseconds. */
export const durationMs = ({ timeAmount, timeUnit }: Duration): number => timeAmount * UNITS[timeUnit];

/** No policy waits longer. */
const MAX_DAYS = 365;
const AMOUNT = 'should be a whole number of at least 1';

/**
 * A duration `{timeAmount, timeUnit?}`, or its bare amount, in the unit that it was written in: at least one of it, and at
 * most 365 days (P8, E10). The unit is minutes by default, and may be in the singular.
 */
export const DurationBody: z.ZodType<Duration> = bareOrNot(
  z
    .object({ timeAmount: wholeNumber({ min: 1, refusal: AMOUNT }), timeUnit }, NOT_A_DURATION)
    .transform(({ timeAmount, timeUnit: unit = 'minutes' }) => ({ timeAmount, timeUnit: MEANT[unit] }))
    .refine((duration) => durationMs(duration) <= MAX_DAYS * UNITS.days, {
      path: ['timeAmount'],
      message: `should be at most ${MAX_DAYS} days`,
    }),
  { min: 1, max: MAX_DAYS * (UNITS.days / MINUTE_MS) },
  (unitMs) => ({ minimum: 1, maximum: Math.floor((MAX_DAYS * UNITS.days) / unitMs) }),
);

const WHOLE = 'should be a whole number of minutes';

/** A duration as it is answered: minutes and their unit (P8, E10). */
export interface MinutesView {
  readonly timeAmount: number;
  readonly timeUnit: 'minutes';
}

/** `minutes` as a duration in a response. */
export const minutesView = (minutes: number): MinutesView => ({ timeAmount: minutes, timeUnit: 'minutes' });

/**
 * A duration `{timeAmount, timeUnit?}`, or its bare amount, in whole minutes from `min` to `max`, both inclusive (P8).
 *
 * The unit is minutes by default, and may be in the singular. An absent amount is 0: clients leave a zero out. What is not
 * a whole number of minutes is refused, never rounded.
 */
export function minutesBody({ min, max }: Minutes): z.ZodType<number> {
  const Duration = z.object(
    { timeAmount: optional(z.preprocess(fromDigits, z.int(WHOLE).meta({ type: ['integer', 'string'] }))), timeUnit },
    NOT_A_DURATION,
  );
  return bareOrNot(
    Duration.transform(({ timeAmount = 0, timeUnit: unit = 'minutes' }, context) => {
      const minutes = (timeAmount * UNITS[unit]) / MINUTE_MS;
      const message = obstacle(minutes, min, max);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['timeAmount'], message });
      return minutes;
    }),
    { min, max },
    (unitMs) => ({
      minimum: Math.ceil((min * MINUTE_MS) / unitMs),
      maximum: Math.floor((max * MINUTE_MS) / unitMs),
      multipleOf: Math.max(1, MINUTE_MS / unitMs),
    }),
  );
}

interface Minutes {
  readonly min: number;
  readonly max: number;
}

/**
 * JSON Schema applies bounds to numbers and properties to objects, so one schema says both. What is wrong with a bare amount is said
 * of the field itself: its caller sent no `timeAmount`.
 */
function bareOrNot<T>(duration: z.ZodType<T>, { min, max }: Minutes, amountOf: AmountOf): z.ZodType<T> {
  const amounts = Object.entries(UNITS).map(([unit, unitMs]) => {
    const isUsual = unitMs === MINUTE_MS;
    const amount = amountOf(unitMs);
    const properties = {
      timeUnit: { enum: isUsual ? [unit, '', null] : [unit] },
      timeAmount: { ...amount, ...asText(amount) },
    };
    return { properties, ...(!isUsual && { required: ['timeUnit'] }) };
  });
  return z
    .preprocess((value, context) => {
      const amount = fromDigits(value);
      if (typeof amount !== 'number') return value;
      const { error } = duration.safeParse({ timeAmount: amount });
      for (const { message } of error?.issues ?? []) context.addIssue({ code: 'custom', message });
      return { timeAmount: amount };
    }, duration)
    .meta({
      type: ['object', 'integer', 'string'],
      minimum: min,
      maximum: max,
      pattern: digitsFrom(min, max),
      anyOf: amounts,
    });
}

/** The JSON Schema of the amount in a unit of so many milliseconds. */
type AmountOf = (unitMs: number) => {
  readonly minimum: number;
  readonly maximum: number;
  readonly multipleOf?: number;
};

/** The schema of an amount in a string. Without a string form when the amount is a multiple or its minimum has two digits: no pattern says that. */
function asText({ minimum, maximum, multipleOf = 1 }: ReturnType<AmountOf>): object {
  if (multipleOf > 1 || minimum > 9) return { type: ['integer', 'null'] };
  return { pattern: digitsFrom(minimum, maximum) };
}

/** Clients send the unit of a step as `minute`. */
function inThePlural(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  const plural = `${value.trim().toLowerCase()}s`;
  return Object.hasOwn(UNITS, plural) ? plural : value;
}

function obstacle(minutes: number, min: number, max: number): string | undefined {
  if (!Number.isSafeInteger(minutes)) return WHOLE;
  if (minutes < min) return `should be at least ${min} minutes`;
  return minutes > max ? `should be at most ${max} minutes` : undefined;
}
