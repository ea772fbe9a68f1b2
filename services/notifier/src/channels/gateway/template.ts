import { escapedXml } from '../../messages/safe-text.ts';
import type { AttemptReference } from '../channel.ts';
import { internationalNumber } from '../../messages/phone-number.ts';

/** The values that a template of a gateway may name. */
export interface GatewayValues {
  /** `+` and digits. */
  readonly to: string;
  /** The digits alone. */
  readonly digits: string;
  readonly text: string;
  readonly deliveryId: string;
  /** Where the gateway sends the receipt of the message. */
  readonly callbackUrl: string;
}

export type Escape = (value: string) => string;

const PLACEHOLDER = /\{\{\s*(\w*)\s*\}\}/g;
const NAMES: readonly string[] = [
  'to',
  'digits',
  'text',
  'deliveryId',
  'callbackUrl',
] satisfies (keyof GatewayValues)[];

export function gatewayValues(
  message: { readonly to: string; readonly text: string },
  { callbackUrl = '', deliveryId }: AttemptReference,
): GatewayValues {
  const to = internationalNumber(message.to);
  const text = message.text.toWellFormed();
  return { to, digits: to.slice(1), text, deliveryId: deliveryId.toWellFormed(), callbackUrl };
}

/** The template with its values, each escaped for its place. A value is never read as a template. */
export const filledTemplate = (template: string, values: GatewayValues, escape: Escape): string =>
  template.replaceAll(PLACEHOLDER, (_, name: keyof GatewayValues) => escape(values[name]));

/** The names in a template that have no value. */
export const unknownNames = (template: string): readonly string[] =>
  namesIn(template).filter((name) => !NAMES.includes(name));

export const namesIn = (template: string): readonly string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** Within a URL or a form. */
export const inUrl: Escape = encodeURIComponent;

/** Within the value of a header: other characters than printable ASCII are written as in a URL, so that no value begins another header. */
export const inHeader: Escape = (value) => value.replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent);

const inJson: Escape = (value) => JSON.stringify(value).slice(1, -1);
const asItIs: Escape = (value) => value;

/** The escape of values in a body of that type. */
export function inBody(contentType: string): Escape {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (type.trim() === 'application/x-www-form-urlencoded') return inUrl;
  if (/[/+]json$/.test(type.trim())) return inJson;
  return /[/+]xml$/.test(type.trim()) ? escapedXml : asItIs;
}
