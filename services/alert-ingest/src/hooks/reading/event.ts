import { EVENT_ACTIONS, MAX_DEDUP_KEY } from '@tocsin/api';
import { InvalidError, inSteps, MalformedError } from '@tocsin/core';
import { decodedText, HOOK_BOUNDS, jsonInSteps, type WholeBody } from '@tocsin/http';

/** An event of the Events API v2 of PagerDuty (Q7), without the key of its integration. */
export type PagerDutyEvent = Readonly<Record<string, unknown>> & { readonly dedup_key: string };

/**
 * The event that the body is. One that opens an alert and names no key has that of `newKey`.
 *
 * @throws MalformedError where it is no JSON object; InvalidError, with the fields, where it is no event or over the bounds (Q1).
 */
export async function readEvent({ bytes, type }: WholeBody, newKey: () => string): Promise<PagerDutyEvent> {
  const event = await inSteps(jsonInSteps(decodedText(bytes, type), HOOK_BOUNDS));
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw new MalformedError('Request body should be one event, a JSON object.');
  const {
    routing_key: _,
    event_action: action,
    dedup_key: key,
    ...others
  } = event as Readonly<Record<string, unknown>>;
  if (!EVENT_ACTIONS.some((each) => each === action))
    throw InvalidError.ofFields({ event_action: `should be one of ${EVENT_ACTIONS.join(', ')}` });
  return { ...others, event_action: action, dedup_key: keyOf(key, action) ?? newKey() };
}

function keyOf(key: unknown, action: unknown): string | undefined {
  const isBlank = key === undefined || key === null || (typeof key === 'string' && key.trim() === '');
  if (isBlank && action === 'trigger') return undefined;
  if (isBlank) throw InvalidError.ofFields({ dedup_key: 'should name what the event acknowledges or resolves' });
  if (typeof key === 'string' && key.length <= MAX_DEDUP_KEY) return key;
  throw InvalidError.ofFields({ dedup_key: `should be a text of at most ${MAX_DEDUP_KEY} characters` });
}
