import { createHash } from 'node:crypto';
import type { Json } from '../api-client.ts';

export type { Json };

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text that is not empty; a number as its digits; else undefined. */
export function textIn(item: unknown, name: string): string | undefined {
  const value = isJson(item) ? item[name] : undefined;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A number, also where Opsgenie writes it as text; else undefined. */
export function numberIn(item: unknown, name: string): number | undefined {
  const text = textIn(item, name);
  const value = text === undefined ? NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The objects of a list; none where it is null or missing. */
export const objectsIn = (item: unknown, name: string): readonly Json[] => {
  const value = isJson(item) ? item[name] : undefined;
  return Array.isArray(value) ? value.filter(isJson) : [];
};

export const objectIn = (item: unknown, name: string): Json | undefined => {
  const value = isJson(item) ? item[name] : undefined;
  return isJson(value) ? value : undefined;
};

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
