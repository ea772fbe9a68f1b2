import type { KindName } from '../kinds.ts';

/** In place of a secret. */
export const MASK = '*****';

/** Fields whose text is a secret. A condition has a field `key` that is none. */
const SECRET_NAME =
  /(?:access|api|app|application|auth|client|consumer|encryption|integration|private|routing|secret|service|session|shared|signing|subscription)_?key$|token|secret|passcode|passphrase|passwd|password|credential|authorization/i;
const IN_HEADERS = /^headers$/i;
/** Fields of an integration whose text is an address, which may have a secret in it. */
const ADDRESS_NAME = /(?:url|uri|endpoint|webhook|address)$/i;

/** A thing without the secrets that the API shows: those of fields by their name, of headers, and of addresses of integrations. */
export function masked(value: unknown, kind: KindName, name = ''): unknown {
  if (typeof value === 'string') return maskedText(value, kind, name);
  if (typeof value === 'number') return SECRET_NAME.test(name) || IN_HEADERS.test(name) ? MASK : value;
  if (Array.isArray(value)) return value.map((item) => masked(item, kind, name));
  if (typeof value !== 'object' || value === null) return value;
  const isHeaders = IN_HEADERS.test(name);
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => {
      if (!isHeaders) return [field, masked(inner, kind, field)];
      // A header is a field, or an object with its name.
      return [field, field === 'name' ? inner : masked(inner, kind, name)];
    }),
  );
}

function maskedText(text: string, kind: KindName, name: string): string {
  if (text === '') return text;
  if (SECRET_NAME.test(name) || IN_HEADERS.test(name)) return MASK;
  return kind === 'integrations' && ADDRESS_NAME.test(name) && URL.canParse(text) ? maskedAddress(text) : text;
}

/** A part of a path that no person made up: 16 characters or more, of which one is a digit. */
const TOKEN = /^(?=.*\d)[\w~.%-]{16,}$/;

function maskedAddress(text: string): string {
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) return text;
  const user = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  const path = url.pathname
    .split('/')
    .map((part) => (TOKEN.test(part) ? MASK : part))
    .join('/');
  const query = [...url.searchParams.keys()].map((key) => `${encodeURIComponent(key)}=${MASK}`).join('&');
  return `${url.protocol}//${user}${url.host}${path}${query === '' ? '' : `?${query}`}${url.hash === '' ? '' : `#${MASK}`}`;
}
