import { InvalidError, inSteps, MalformedError, type Steps } from '@tocsin/core';
import {
  decodedText,
  type FormValues,
  HOOK_BOUNDS,
  isMultipart,
  jsonInSteps,
  readFormValues,
  type WholeBody,
} from '@tocsin/http';
import type { HookRequest } from '../item.ts';

type Read = Pick<HookRequest, 'payload' | 'envelope'>;

/**
 * What a tool sent, whatever its content type says: JSON, a form, or the query where there is no body. A value of a form or a query that is
 * an object or a list in JSON is read as such; one named `data` or `payload` is the payload, and the form its envelope. The key in it, if any,
 * is dropped (Q2).
 *
 * @throws MalformedError where it is none of these; InvalidError and TooLargeError where it is over the bounds (Q1).
 */
export async function readPayload(body: WholeBody, query: HookRequest['query']): Promise<Read> {
  const read = await readBody(body);
  if (read.kind !== 'json') return unwrapped(await withJson(read.kind === 'form' ? read.values : query));
  if (typeof read.value !== 'object' || read.value === null)
    throw new MalformedError('Request body should be a JSON object or list, or a form.');
  return { payload: withoutKey(read.value) };
}

/** The body of a request by its content. */
type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly values: FormValues }
  | { readonly kind: 'none' };

/** @throws as {@link readPayload}. */
export async function readBody(body: WholeBody): Promise<ReadBody> {
  if (isMultipart(body.type)) return { kind: 'form', values: await readFormValues(body) };
  const text = decodedText(body.bytes, body.type);
  const [first = ''] = text.trimStart();
  if (first === '') return { kind: 'none' };
  if (isForm(text)) return { kind: 'form', values: await readFormValues(body) };
  return { kind: 'json', value: (await inSteps(jsonInSteps(text, HOOK_BOUNDS, AS_WRITTEN))) ?? {} };
}

/** Whether a text begins as a form does, and not as JSON. */
export const isForm = (text: string): boolean => IS_FORM.test(text);

/** A name without the marks of JSON, and a value. */
const IS_FORM = /^[^\s"'{}[\]=&]+=/;
const IS_JSON = /^\s*[{[]/;
/** Keys of alerts are often numbers of more digits than JavaScript has. */
const AS_WRITTEN = { writtenNumbers: true } as const;
const PAYLOADS = ['payload', 'data'] as const;

/** The values, of which those that are objects or lists in JSON are read. A text that only looks like JSON stays as it is. */
async function withJson(values: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  const read = Object.entries(values).map(
    async ([name, value]) => [name, IS_JSON.test(value) ? ((await inSteps(objectIn(value))) ?? value) : value] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

/** The object or list that a text is in JSON; undefined where it is none, or one over the bounds. In steps. */
export function* objectIn(text: string): Steps<object | undefined> {
  try {
    const value = yield* jsonInSteps(text, HOOK_BOUNDS, AS_WRITTEN);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof MalformedError || error instanceof InvalidError) return undefined;
    throw error;
  }
}

function unwrapped(form: Readonly<Record<string, unknown>>): Read {
  const payload = PAYLOADS.map((name) => form[name]).find((value) => typeof value === 'object');
  return typeof payload === 'object' && payload !== null
    ? { payload: withoutKey(payload), envelope: withoutKey(form) }
    : { payload: withoutKey(form) };
}

function withoutKey(payload: object): unknown {
  if (Array.isArray(payload) || !Object.hasOwn(payload, 'apiKey')) return payload;
  const { apiKey: _, ...others } = payload as { readonly apiKey: unknown };
  return others;
}
