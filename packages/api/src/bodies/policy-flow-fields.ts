import { oneOf, optional, wholeNumber } from '@tocsin/events';
import { z } from 'zod';
import { DurationBody, durationMs } from './durations.ts';
import {
  type AutoRestart,
  type Deduplication,
  type Delay,
  DELAY_OPTIONS,
  type NotificationEffects,
} from './policy-effects.ts';

const REQUIRED = 'should be provided';

const numberFrom = (min: number, max: number): z.ZodType<number> =>
  wholeNumber({ min, max, refusal: `should be a whole number from ${min} to ${max}` });

export const autoCloseFields = { duration: DurationBody };

const MINUTE_MS = 60_000;

/** At least a minute, because each restart pages all recipients again (P7). */
const restartDuration = DurationBody.refine((duration) => durationMs(duration) >= MINUTE_MS, {
  path: ['timeAmount'],
  message: 'should be at least 1 minute',
});
const maxRepeatCount = numberFrom(0, 20);

/** The fields of version 2, whose clients omit zeros. */
export const autoRestartFields = { duration: restartDuration, maxRepeatCount: optional(maxRepeatCount) };

/** The fields of version 1, which are all required (part 1, 2.8). */
export const autoRestartV1Fields = { duration: restartDuration, maxRepeatCount };

export const autoRestartOf = ({ duration, maxRepeatCount = 0 }: Fields<typeof autoRestartFields>): AutoRestart => ({
  duration,
  maxRepeatCount,
});

/** The type has an older name too (wire facts 5). */
export const deduplicationFields = {
  deduplicationActionType: optional(oneOf(['value-based', 'frequency-based'])),
  deduplicationType: optional(oneOf(['value-based', 'frequency-based'])),
  count: numberFrom(2, 100),
  duration: optional(DurationBody),
};

const DURATION = { duration: { type: ['object', 'integer', 'string'] } };
const deduplicating = (...types: readonly string[]) => ({
  anyOf: [
    { properties: { deduplicationActionType: { enum: types } }, required: ['deduplicationActionType'] },
    {
      properties: { deduplicationActionType: { type: 'null' }, deduplicationType: { enum: types } },
      required: ['deduplicationType'],
    },
  ],
});

/** The required ones of these fields, as JSON Schema. */
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

/** Version 1 requires hour and minute of a time of day (part 1, 2.8). Clients of version 2 omit zeros. */
export const delayFields = {
  delayOption: oneOf(DELAY_OPTIONS),
  untilHour: optional(numberFrom(0, 23)),
  untilMinute: optional(numberFrom(0, 59)),
  duration: optional(DurationBody),
};

const AT_A_TIME = { delayOption: { enum: DELAY_OPTIONS.filter((option) => option !== 'for-duration') } };
const WHOLE_NUMBER = { type: ['integer', 'string'] };

/** The required ones of these fields, as JSON Schema. */
export const DELAY = {
  anyOf: [{ properties: AT_A_TIME }, { properties: DURATION, required: ['duration'] }],
};

/** The schema of a delay in version 1. */
export const DELAY_V1 = {
  anyOf: [
    {
      properties: { ...AT_A_TIME, untilHour: WHOLE_NUMBER, untilMinute: WHOLE_NUMBER },
      required: ['untilHour', 'untilMinute'],
    },
    { properties: { delayOption: { enum: ['for-duration'] }, ...DURATION }, required: ['duration'] },
  ],
};

export function delayOf(
  { delayOption: option, untilHour = 0, untilMinute = 0, duration }: Fields<typeof delayFields>,
  context: z.RefinementCtx,
): Delay {
  if (option !== 'for-duration') return { option, untilHour, untilMinute };
  return duration === undefined ? lacking('duration', context) : { option, duration };
}

/** As {@link delayOf}, of version 1. */
export function delayV1Of(body: Fields<typeof delayFields>, context: z.RefinementCtx): Delay {
  if (body.delayOption !== 'for-duration')
    for (const field of ['untilHour', 'untilMinute'] as const) if (body[field] === undefined) lacking(field, context);
  return delayOf(body, context);
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
