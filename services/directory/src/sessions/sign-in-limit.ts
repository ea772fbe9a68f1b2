import type { TooSoon } from '../contacts/verification-code.ts';

const MINUTE_MS = 60_000;
/** The most requests for codes in one minute of the whole installation (K20). */
export const MAX_REQUESTS = 60;
/** How many of them browsers may send that no person of the user name has signed in with. The rest is for the others. */
export const MAX_OF_STRANGERS = 30;
/** How many of these one address or network may send. */
export const MAX_OF_NETWORK = 10;
/** How many of those of known browsers may be for one user name. */
export const MAX_OF_USER = 5;

/** One request for a code. */
export interface CodeRequest {
  /** Whether a person of the user name has signed in with the browser. */
  readonly isKnown: boolean;
  /** Whose share it takes: the user name of a known browser; an address or a network of a stranger. */
  readonly holder: string;
}

/** The requests for codes in one minute by the clock, of all user names. */
export interface SignInMinute {
  readonly startsAt: Date;
  readonly requests: readonly CodeRequest[];
}

export const minuteAt = (now: Date): Date => new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS);

/** The instant from which it has no effect. */
export const minuteEnd = ({ startsAt }: Pick<SignInMinute, 'startsAt'>): Date =>
  new Date(startsAt.getTime() + MINUTE_MS);

/** The minute with a further request, or when to ask again. */
export function withRequest(
  minute: SignInMinute,
  request: CodeRequest,
  now: Date,
): { readonly kind: 'counted'; readonly minute: SignInMinute } | ({ readonly kind: 'too-soon' } & TooSoon) {
  const { requests } = minute;
  const alike = requests.filter(({ isKnown }) => isKnown === request.isKnown);
  const ofHolder = alike.filter(({ holder }) => holder === request.holder);
  const isOver =
    requests.length >= MAX_REQUESTS ||
    (!request.isKnown && alike.length >= MAX_OF_STRANGERS) ||
    ofHolder.length >= (request.isKnown ? MAX_OF_USER : MAX_OF_NETWORK);
  if (!isOver) return { kind: 'counted', minute: { ...minute, requests: [...requests, request] } };
  const waitMs = minuteEnd(minute).getTime() - now.getTime();
  return {
    kind: 'too-soon',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    periodSeconds: MINUTE_MS / 1_000,
  };
}
