import type { ProducerSequence } from '@tocsin/events';
import type { IHeaders } from 'kafkajs';

/** Headers of the records that we write. A record without one of them is as good as one with its default. */
const VERSION = 'v';
const SEQUENCE = 'sequence';
const TRACE = 'traceparent';

const SEQUENCE_FORM = /^([0-9a-f-]{36}):([1-9]\d{0,14})-([1-9]\d{0,14})$/;

/** No header for version 1, which is the default. */
export function versionHeaders(version = 1): IHeaders {
  return version === 1 ? {} : { [VERSION]: String(version) };
}

/** The schema version of the value, 1 or more; 1 where the header is missing or not a version. */
export function versionIn(headers: IHeaders | undefined): number {
  const version = Number(headers?.[VERSION] ?? 1);
  return Number.isSafeInteger(version) && version >= 1 ? version : 1;
}

export function sequenceHeaders(sequence: ProducerSequence | undefined): IHeaders {
  return sequence === undefined ? {} : { [SEQUENCE]: `${sequence.instance}:${sequence.numbers.join('-')}` };
}

/** Undefined where the header is missing or not a sequence. */
export function sequenceIn(headers: IHeaders | undefined): ProducerSequence | undefined {
  const header = headers?.[SEQUENCE];
  if (header === undefined) return undefined;
  const [, instance, first, last] = SEQUENCE_FORM.exec(String(header)) ?? [];
  if (instance === undefined || Number(first) > Number(last)) return undefined;
  return { instance, numbers: [Number(first), Number(last)] };
}

export function traceHeaders(trace: string | undefined): IHeaders {
  return trace === undefined ? {} : { [TRACE]: trace };
}

/** The header as it is, valid or not. */
export function traceIn(headers: IHeaders | undefined): string | undefined {
  const value = headers?.[TRACE];
  return value === undefined ? undefined : String(value);
}
