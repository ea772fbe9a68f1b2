import {
  asText,
  isList,
  isMap,
  valueOf,
  type Condition,
  type ConditionSubject,
  type FieldValue,
} from './condition-subject.ts';
import { abbreviated } from './abbreviated.ts';

/** Why conditions do not hold, in words for a log: bounded, whatever was written and whatever was met. */
export interface Failure {
  /**
   * The condition that failed, such as `message contains […]`: without the value that it wants, which not everybody may know who
   * may read the log. That none of several holds, where one would do.
   */
  readonly condition: string;
  /** The value that it wants; absent where it wants none, or is about several. */
  readonly expected?: string;
  /** The value that it met; absent where it is about several. */
  readonly met?: string;
}

/** Items of a list or a map that are told at most. */
const ITEMS = 5;

/** `condition`, which does not hold for `subject`. */
export function failedCondition(condition: Condition, subject: ConditionSubject): Failure {
  const { field, key, not, operation, expectedValue } = condition;
  const path = key === undefined || key === '' ? field : `${field}.${abbreviated(key)}`;
  const wanted = operation === 'is-empty' ? undefined : abbreviated(expectedValue);
  return {
    condition: `${path} ${not ? 'not ' : ''}${operation}${wanted === undefined ? '' : ' […]'}`,
    ...(wanted !== undefined && { expected: wanted }),
    met: abbreviated(inWords(valueOf(subject, condition))),
  };
}

/** Of `count` conditions one would do. */
export const noneHolds = (count: number): Failure => ({ condition: `none of ${count} conditions holds` });

function inWords(value: FieldValue): string {
  if (isList(value)) return value.slice(0, ITEMS).join(', ');
  if (!isMap(value)) return asText(value);
  return Object.entries(value)
    .slice(0, ITEMS)
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ');
}
