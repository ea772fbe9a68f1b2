import { readStored, writeStored } from '../shell/stored.ts';

/** What an OpenID provider added to the address of the page to which it led back. */
export type ProviderAnswer =
  | { readonly kind: 'signed-in'; readonly code: string; readonly state: string; readonly iss?: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'none' };

/** Reads the answer of a provider from the query of an address. */
export function providerAnswer(search: string): ProviderAnswer {
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name) ?? '';
  if (text('error') !== '') return { kind: 'refused', reason: text('error_description') || text('error') };
  const [code, state, iss] = [text('code'), text('state'), text('iss')];
  if (code === '' || state === '') return { kind: 'none' };
  return { kind: 'signed-in', code, state, ...(iss !== '' && { iss }) };
}

const KEY = 'tocsin-after-sign-in';

/** Keeps the page to go to after the way over the provider, in this tab alone. */
export function keepPageAfterSignIn(page: string): void {
  writeStored('tab', KEY, page);
}

export function takePageAfterSignIn(): string | undefined {
  const page = readStored('tab', KEY);
  writeStored('tab', KEY, undefined);
  return page;
}
