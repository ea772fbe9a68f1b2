import { SAMPLE_LIMITS } from '@tocsin/api';
import { AppError, inSteps } from '@tocsin/core';
import { decodedText, type FormValues, isMultipart, type WholeBody } from '@tocsin/http';
import { shortened } from '@tocsin/rules';
import type { HookResult } from '../../hooks/hook-alert.ts';
import type { AnsweredHook } from '../../hooks/operations.ts';
import { isForm, readBody } from '../../hooks/reading/payload.ts';
import type { Sample, SampleRequest } from '../sample.ts';
import { Redaction } from './redaction.ts';
import { type IsKey, withoutSecrets } from './secrets.ts';

/** A sample without secrets of a request to an integration whose keys `isKey` knows. The event loop runs in between. */
export async function sampleOf({ requestId, receivedAt, sent, result }: AnsweredHook, isKey: IsKey): Promise<Sample> {
  const redaction = new Redaction(SAMPLE_LIMITS.length, isKey);
  const { preset, vendor } = sent;
  const { 'content-type': _, ...headers } = sent.headers;
  // First, because they are short.
  const parts = {
    ...(preset !== undefined && { preset: redaction.text(preset) }),
    ...(vendor !== undefined && { vendor: redaction.text(vendor) }),
    headers: await fieldsOf(headers, redaction),
    query: await fieldsOf(sent.query, redaction),
  };
  const request = { ...(await bodyOf(sent.body, redaction)), ...parts };
  return {
    id: requestId,
    receivedAt,
    result: withoutSecretsOf(result, isKey),
    isTruncated: redaction.isTruncated,
    request,
  };
}

const FORM = 'application/x-www-form-urlencoded';

async function bodyOf(body: WholeBody, redaction: Redaction): Promise<Pick<SampleRequest, 'raw' | 'contentType'>> {
  const type = redaction.text(body.type.replace(/;.*$/s, '').trim());
  const contentType = type === '' ? {} : { contentType: type };
  try {
    const read = await readBody(body);
    if (read.kind === 'form') return { raw: formOf(await fieldsOf(read.values, redaction)), contentType: FORM };
    return { raw: read.kind === 'json' ? await inSteps(redaction.json(read.value)) : '', ...contentType };
  } catch (error) {
    if (error instanceof AppError) return { raw: await unreadable(body, redaction), ...contentType };
    throw error;
  }
}

/** The beginning of a body that cannot be read. Of a form in parts nothing: its names are apart from their values. */
async function unreadable(body: WholeBody, redaction: Redaction): Promise<string> {
  if (isMultipart(body.type)) return redaction.text('');
  const text = decodedText(body.bytes.subarray(0, SAMPLE_LIMITS.bytesRead), body.type);
  if (!isForm(text)) return redaction.text(text);
  const fields = Object.fromEntries(new URLSearchParams(text.slice(0, SAMPLE_LIMITS.length)));
  return formOf(await fieldsOf(fields, redaction));
}

/** The fields that have space, each shortened to what a trial takes. */
async function fieldsOf(fields: FormValues, redaction: Redaction): Promise<Readonly<Record<string, string>>> {
  const kept: (readonly [string, string])[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (!redaction.hasSpace()) break;
    kept.push([await inSteps(redaction.textOrJson(name)), await inSteps(redaction.field(name, value))]);
  }
  return Object.fromEntries(kept);
}

const formOf = (fields: Readonly<Record<string, string>>): string => String(new URLSearchParams(fields));

/** Aliases and reasons have texts of the request. */
function withoutSecretsOf(result: HookResult, isKey: IsKey): HookResult {
  const text = (written: string) => shortened(withoutSecrets(written, isKey), SAMPLE_LIMITS.textLength);
  if ('refusal' in result) return { refusal: text(result.refusal) };
  const items = result.items.map(({ alias, reason, ...item }) => ({
    ...item,
    alias: text(alias),
    ...(reason !== undefined && { reason: text(reason) }),
  }));
  return { ...result, items };
}
