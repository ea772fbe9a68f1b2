/** Why a call has no result. `offline`: no answer came. `ended`: no session. */
export type CallFailure =
  'offline' | 'ended' | 'forbidden' | 'missing' | 'invalid' | 'throttled' | 'unavailable' | 'other';

/** A call that was refused, or that nothing answered. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly failure: CallFailure;
  readonly status: number;
  /** What support asks for. */
  readonly requestId: string | undefined;
  /** After which to try again, where the answer says so. */
  readonly retryAfterSeconds: number | undefined;
  /** What is wrong with each field of the request, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the call can have been accepted, and would be done twice if it were sent again. */
  readonly mayBeAccepted: boolean;

  constructor({ fields = {}, mayBeAccepted = false, message, requestId, retryAfterSeconds, status }: CallErrorFacts) {
    super(message);
    this.status = status;
    this.failure = failureOf(status);
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.fields = fields;
    this.mayBeAccepted = mayBeAccepted;
  }
}

interface CallErrorFacts {
  readonly message: string;
  /** 0 where no answer came. */
  readonly status: number;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly fields?: Readonly<Record<string, string>>;
  readonly mayBeAccepted?: boolean;
}

const BY_STATUS: Readonly<Record<number, CallFailure>> = {
  0: 'offline',
  401: 'ended',
  403: 'forbidden',
  404: 'missing',
  400: 'invalid',
  422: 'invalid',
  429: 'throttled',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

const failureOf = (status: number): CallFailure => BY_STATUS[status] ?? 'other';

/** The failure of a call that the server does again each time that it is sent. Where its answer is lost, it can have been accepted (E2). */
export function failureOfLostWrite(error: unknown): unknown {
  if (!(error instanceof CallError)) return error;
  const { fields, message, requestId, retryAfterSeconds, status } = error;
  const mayBeAccepted = status === 0 || (status >= 500 && status !== REFUSED_BEFORE);
  return new CallError({ fields, message, requestId, retryAfterSeconds, status, mayBeAccepted });
}

/** A request with this answer was not accepted (F3). */
const REFUSED_BEFORE = 503;

/** Whether a failed read says that what was read before is not to be shown any more: it is deleted, or hidden from this person. */
export const hidesData = (error: unknown): boolean =>
  error instanceof CallError && (error.failure === 'forbidden' || error.failure === 'missing');

/** The error of an answer with a status from 400 on. Its body may be anything: a proxy can have written it. */
export function refusalOf(status: number, header: (name: string) => string | null, body: unknown): CallError {
  const { errors, message } = partsOf(body);
  const seconds = Number(header('Retry-After') ?? Number.NaN);
  return new CallError({
    status,
    message: typeof message === 'string' ? message : `The server answered with status ${status}.`,
    requestId: header('X-Request-ID') ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    fields: textsOf(errors),
  });
}

const partsOf = (body: unknown): { readonly message?: unknown; readonly errors?: unknown } =>
  typeof body === 'object' && body !== null ? body : {};

function textsOf(errors: unknown): Readonly<Record<string, string>> {
  if (typeof errors !== 'object' || errors === null) return {};
  return Object.fromEntries(
    Object.entries(errors).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
