import { z } from 'zod';
import { oneOf, optional } from '../primitives.ts';
import { DurationBody, durationMs } from './durations.ts';
import {
  DELAY_OPTIONS,
  type AutoRestart,
  type Deduplication,
  type Delay,
  type NotificationEffects,
} from './policy-effects.ts';

const REQUIRED = 'should be provided';

const wholeNumber = (min: number, max: number) => {
  const message = `should be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
};

export const autoCloseFields = { duration: DurationBody };

const MINUTE_MS = 60_000;

/** Not more often than each minute: every restart pages everybody anew (P7). Clients leave a zero out. */
export const autoRestartFields = {
  duration: DurationBody.refine((duration) => durationMs(duration) >= MINUTE_MS, {
    path: ['timeAmount'],
    message: 'should be at least 1 minute',
  }),
  maxRepeatCount: optional(wholeNumber(0, 20)),
};

export const autoRestartOf = ({ duration, maxRepeatCount = 0 }: Fields<typeof autoRestartFields>): AutoRestart => ({
  duration,
  maxRepeatCount,
});

/** The type has an older name too (wire facts 5). */
export const deduplicationFields = {
  deduplicationActionType: optional(oneOf(['value-based', 'frequency-based'])),
  deduplicationType: optional(oneOf(['value-based', 'frequency-based'])),
  count: wholeNumber(2, 100),
  duration: optional(DurationBody),
};

const DURATION = { duration: { type: ['object', 'integer'] } };
const deduplicating = (...types: readonly string[]) => ({
  anyOf: [
    { properties: { deduplicationActionType: { enum: types } }, required: ['deduplicationActionType'] },
    {
      properties: { deduplicationActionType: { type: 'null' }, deduplicationType: { enum: types } },
      required: ['deduplicationType'],
    },
  ],
});

/** What of these fields has to be there, as JSON Schema. */
export const DEDUPLICATION = {
  anyOf: [
    deduplicating('value-based'),
    { properties: DURATION, required: ['duration'], ...deduplicating('value-based', 'frequency-based') },
  ],
};

export function deduplicationOf(
  { deduplicationActionType, deduplicationType, count, duration }: Fields<typeof deduplicationFields>,
  context: z.RefinementCtx,
): Deduplication {
  const type = deduplicationActionType ?? deduplicationType;
  if (type === undefined) return lacking('deduplicationActionType', context);
  if (type === 'value-based') return { type, count };
  return duration === undefined ? lacking('duration', context) : { type, count, duration };
}

/** Clients leave a zero out. */
export const delayFields = {
  delayOption: oneOf(DELAY_OPTIONS),
  untilHour: optional(wholeNumber(0, 23)),
  untilMinute: optional(wholeNumber(0, 59)),
  duration: optional(DurationBody),
};

/** What of these fields has to be there, as JSON Schema. */
export const DELAY = {
  anyOf: [
    { properties: { delayOption: { enum: DELAY_OPTIONS.filter((option) => option !== 'for-duration') } } },
    { properties: DURATION, required: ['duration'] },
  ],
};

export function delayOf(
  { delayOption: option, untilHour = 0, untilMinute = 0, duration }: Fields<typeof delayFields>,
  context: z.RefinementCtx,
): Delay {
  if (option !== 'for-duration') return { option, untilHour, untilMinute };
  return duration === undefined ? lacking('duration', context) : { option, duration };
}

function lacking(field: string, context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', path: [field], message: REQUIRED });
  return z.NEVER;
}

/** The effects of a notification policy that has these alone. */
export const notificationEffects = (effects: Partial<NotificationEffects>): NotificationEffects => ({
  kind: 'notification',
  suppress: false,
  delay: undefined,
  deduplication: undefined,
  autoClose: undefined,
  autoRestart: undefined,
  ...effects,
});

type Fields<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
