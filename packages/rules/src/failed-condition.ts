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

/** Why conditions do not hold, as bounded text for a log. */
export interface Failure {
  /**
   * The failed condition, such as `message contains […]`, without its expected value, which not every reader of the log may know.
   * Or that none of several alternatives holds.
   */
  readonly condition: string;
  /** The expected value; absent where there is none, or there are several conditions. */
  readonly expected?: string;
  /** The tested value; absent where there are several conditions. */
  readonly met?: string;
}

/** Most items of a list or a map in the text. */
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

/** None of `count` alternatives holds. */
export const noneHolds = (count: number): Failure => ({ condition: `none of ${count} conditions holds` });

function inWords(value: FieldValue): string {
  if (isList(value)) return value.slice(0, ITEMS).join(', ');
  if (!isMap(value)) return asText(value);
  return Object.entries(value)
    .slice(0, ITEMS)
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ');
}
