import type { Profile, Profiles } from './profiles.ts';
import { EXIT, CliError } from './cli-error.ts';

/** An http or https URL without a slash at its end. @throws CliError (usage) for any other text. */
export function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new CliError(EXIT.usage, `[${text}] is not the URL of an installation, such as https://tocsin.example.com.`);
  if (url.username !== '' || url.password !== '')
    throw new CliError(EXIT.usage, 'The URL must not carry a password: the key is all that is sent.');
  return url.href.replace(/\/+$/, '');
}

/** A key without the white space around it. @throws CliError (usage) for what no header can carry. */
export function keyText(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new CliError(EXIT.usage, key === '' ? 'The key is empty.' : 'That is no key: a key has no white space in it.');
}

/** Whether a key that is sent to `url` can be read on the way. */
export function isOpenOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * The installation of a command: the profile of `name`; else `TOCSIN_URL` and `TOCSIN_KEY`; else the current profile, with `TOCSIN_KEY`
 * in place of its key. The key of a profile is never sent to a URL that is not its own.
 *
 * @throws CliError (usage) where nothing is named, or a URL without a key.
 */
export function connectionOf(
  profiles: Profiles,
  env: Readonly<Record<string, string | undefined>>,
  name?: string,
): Profile {
  if (name !== undefined) return checked(profiles.get(name));
  const [url, key] = [filled(env['TOCSIN_URL']), filled(env['TOCSIN_KEY'])];
  if (url === undefined) {
    const profile = profiles.get();
    return checked(key === undefined ? profile : { ...profile, key });
  }
  if (key !== undefined) return checked({ url, key });
  throw new CliError(EXIT.usage, 'TOCSIN_URL is set and TOCSIN_KEY is not.', [
    'The key of a profile is sent to the URL of that profile alone.',
  ]);
}

const checked = ({ url, key }: Profile): Profile => ({ url: webAddress(url), key: keyText(key) });

const filled = (value: string | undefined): string | undefined => (value === '' ? undefined : value);
