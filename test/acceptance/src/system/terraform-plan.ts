import type { Fields } from './policies.ts';

/** A field that is not there, or null, is what the provider takes it for: empty, zero or false. */
type Reading = (value: unknown) => unknown;

const text: Reading = (value) => value ?? '';
const number: Reading = (value) => value ?? 0;
const flag: Reading = (value) => value ?? false;
const asIs: Reading = (value) => value ?? undefined;

const block =
  (fields: Readonly<Record<string, Reading>>): Reading =>
  (value) =>
    value === undefined || value === null ? undefined : read(fields, value as Fields);

/** Its items in any order. */
const set =
  (item: Reading): Reading =>
  (value) =>
    ((value ?? []) as readonly unknown[]).map((each) => JSON.stringify(item(each))).sort();

const read = (fields: Readonly<Record<string, Reading>>, data: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, reading]) => [name, reading(data[name])]));

const duration = block({ timeAmount: number, timeUnit: text });
const condition = block({ field: text, operation: text, key: text, not: flag, expectedValue: text, order: number });
const hours = { startHour: number, startMin: number, endHour: number, endMin: number };
const daily = block(hours);

/** The only hours of the day are looked at where there are no weekdays. */
const timeRestriction: Reading = (value) => {
  const { type, restrictions, restriction } = (value ?? {}) as Fields;
  if (type === undefined || type === '') return undefined;
  if (Array.isArray(restrictions) && restrictions.length > 0)
    return { type, restrictions: set(block({ startDay: text, endDay: text, ...hours }))(restrictions) };
  return { type, restriction: daily(restriction) };
};

const COMMON = {
  name: text,
  enabled: flag,
  policyDescription: text,
  filter: block({ type: text, conditions: set(condition) }),
  timeRestrictions: timeRestriction,
};

/** The fields that each resource of the provider compares with its configuration. */
const RESOURCES = {
  opsgenie_alert_policy: {
    ...COMMON,
    message: text,
    continue: flag,
    alias: text,
    description: text,
    entity: text,
    source: text,
    ignoreOriginalActions: flag,
    ignoreOriginalDetails: flag,
    ignoreOriginalResponders: flag,
    ignoreOriginalTags: flag,
    actions: set(asIs),
    tags: set(asIs),
    responders: set(block({ type: text, id: text, name: text, username: text })),
  },
  opsgenie_notification_policy: {
    ...COMMON,
    suppress: flag,
    autoCloseAction: block({ duration }),
    autoRestartAction: block({ duration, maxRepeatCount: number }),
    deduplicationAction: block({ deduplicationActionType: text, count: number, duration }),
    delayAction: block({ delayOption: text, untilHour: number, untilMinute: number, duration }),
  },
  opsgenie_maintenance: {
    description: text,
    time: block({ type: text, startDate: text, endDate: text }),
    rules: asIs,
  },
} as const;
export type Resource = keyof typeof RESOURCES;

/**
 * The fields of a resource that Terraform's provider reads from `data`: from a body that it sends, or from an answer. A plan is empty
 * where both are equal.
 */
export const known = (resource: Resource, data: Fields): Fields => read(RESOURCES[resource], data);
