import type { Stamp } from '@tocsin/contracts';
import type { IHeaders } from 'kafkajs';

const HEADER = 'stamp';
const FORM = /^([0-9a-f-]{36}):([1-9]\d{0,14})-([1-9]\d{0,14})$/;

/** The header with a stamp; none without it. */
export function stampHeaders(stamp: Stamp | undefined): IHeaders {
  return stamp === undefined ? {} : { [HEADER]: `${stamp.instance}:${stamp.numbers.join('-')}` };
}

/** The stamp in `headers`; undefined where there is none, or none of ours. */
export function stampIn(headers: IHeaders | undefined): Stamp | undefined {
  const header = headers?.[HEADER];
  if (header === undefined) return undefined;
  const [, instance, first, last] = FORM.exec(String(header)) ?? [];
  if (instance === undefined || Number(first) > Number(last)) return undefined;
  return { instance, numbers: [Number(first), Number(last)] };
}
