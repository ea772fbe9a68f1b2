import { MATCH_ALL } from '@tocsin/events';
import type { z } from 'zod';

/** The refusal of a body: each path and its message. */
export const problems = (schema: z.ZodType, body: unknown): [string, string][] =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

/** Bodies with nothing that may be left out, but for `fields`. */
export const v1 = (type: string, fields: object = {}): object => ({ type, name: 'p', enabled: true, ...fields });
export const modify = (fields: object = {}): object => v1('modify', { message: 'm', ...fields });
export const alert = (fields: object = {}): object => ({ type: 'alert', name: 'p', message: 'm', ...fields });
export const notification = (fields: object = {}): object => ({ type: 'notification', name: 'p', ...fields });

export const HOUR = { timeAmount: 1, timeUnit: 'hours' };
export const DEDUPLICATION = { deduplicationActionType: 'value-based', count: 2 };
export const DELAY = { delayOption: 'next-time', untilHour: 8, untilMinute: 30 };

/** The result of a body with only a type and a name. */
export const COMMON = {
  name: 'p',
  enabled: true,
  description: '',
  filter: { set: MATCH_ALL, written: {} },
  timeRestriction: undefined,
};

export const NO_EFFECT = {
  kind: 'notification',
  suppress: false,
  delay: undefined,
  deduplication: undefined,
  autoClose: undefined,
  autoRestart: undefined,
};

/** The result of a modification with only a message. */
export const NO_CHANGE = {
  continue: false,
  message: 'm',
  alias: '{{alias}}',
  description: '{{description}}',
  entity: '{{entity}}',
  source: '{{source}}',
  ignoreOriginalActions: false,
  ignoreOriginalDetails: false,
  ignoreOriginalRecipients: false,
  ignoreOriginalTeams: false,
  ignoreOriginalTags: false,
  actions: [],
  details: [],
  recipients: [],
  tags: [],
  priority: undefined,
};
