import { readStored, writeStored } from '../shell/stored.ts';

/** What an OpenID provider added to the address of the page to which it led back. */
export type ProviderAnswer =
  | { readonly kind: 'signed-in'; readonly code: string; readonly state: string; readonly iss?: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'none' };

/** How many characters of the reason of a refusal are shown. */
const MAX_REASON_LENGTH = 200;
/** What would move the text around it. */
const STEERING = /[\s\p{C}]+/gu;

/**
 * Reads the answer of a provider from the query of an address. Anyone can send a person a link with an error: it counts only with the state of
 * the sign-in that this tab has begun, and is shown as one line of text.
 */
export function providerAnswer(search: string, begunState: string | undefined): ProviderAnswer {
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name) ?? '';
  const [code, state, iss, error] = [text('code'), text('state'), text('iss'), text('error')];
  if (error !== '') {
    if (state === '' || state !== begunState) return { kind: 'none' };
    const reason = (text('error_description') || error).replaceAll(STEERING, ' ').trim();
    return { kind: 'refused', reason: reason.slice(0, MAX_REASON_LENGTH) };
  }
  if (code === '' || state === '') return { kind: 'none' };
  return { kind: 'signed-in', code, state, ...(iss !== '' && { iss }) };
}

const KEY = 'tocsin-after-sign-in';
const STATE_KEY = 'tocsin-sign-in-state';

/** Keeps the page to go to after the way over the provider, and the state in the address of the provider, in this tab alone. */
export function keepSignIn(page: string, providerUrl: string): void {
  writeStored('tab', KEY, page);
  writeStored('tab', STATE_KEY, new URL(providerUrl).searchParams.get('state') ?? undefined);
}

/** The state of the sign-in that this tab began last. */
export const begunState = (): string | undefined => readStored('tab', STATE_KEY);

export function takePageAfterSignIn(): string | undefined {
  const page = readStored('tab', KEY);
  writeStored('tab', KEY, undefined);
  return page;
}
