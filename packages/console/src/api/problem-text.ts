import { NewVersionError } from '../shell/new-version.ts';
import { lengthText } from '../ui/time.ts';
import { CallError } from './call-error.ts';

/** What a person reads of a failure. */
export interface ProblemText {
  readonly what: string;
  readonly advice: string;
  readonly requestId: string | undefined;
}

/** What happened and what to do, of anything that was thrown. */
export function problemText(error: unknown): ProblemText {
  if (error instanceof NewVersionError) {
    return { what: error.message, advice: 'Save what you typed, then reload.', requestId: undefined };
  }
  if (!(error instanceof CallError)) {
    return {
      what: 'This part of the page failed.',
      advice: 'Try again. If it fails again, reload the page.',
      requestId: undefined,
    };
  }
  const text = textOf(error);
  return { ...text, ...(error.mayBeAccepted && { advice: LOST_ANSWER }), requestId: error.requestId };
}

const LOST_ANSWER = 'It may have been accepted. Look at the log before you repeat it.';

function textOf(error: CallError): Omit<ProblemText, 'requestId'> {
  const { failure, fields, message } = error;
  switch (failure) {
    case 'offline':
      return { what: 'The server cannot be reached.', advice: 'Check the connection of this device, and try again.' };
    case 'unavailable':
      return { what: 'The server cannot answer this at present.', advice: 'Try again in a moment.' };
    case 'throttled':
      return { what: message, advice: `Try again ${waitText(error)}.` };
    case 'ended':
      return { what: 'Your session has ended.', advice: 'Sign in again.' };
    case 'forbidden':
      return { what: message, advice: 'If you need this, ask an admin of your account.' };
    case 'missing':
      return { what: message, advice: 'It may have been deleted, or the address may be wrong.' };
    case 'invalid':
      return { what: [message, ...fieldTexts(fields)].join(' '), advice: 'Change it, and try again.' };
    case 'other':
      return error.status < 500
        ? { what: message, advice: 'Change it, or try again.' }
        : {
            what: 'The server failed.',
            advice: 'Try again. If it fails again, give an admin the request id.',
          };
  }
}

/** What is wrong with a field, as a sentence: the server says it in one, or as what follows the name of the field. */
export const fieldText = (label: string, fault: string): string => (fault.endsWith('.') ? fault : `${label} ${fault}.`);

/** What the server says of a field of a request, as a sentence with its label; undefined where it says nothing of it. */
export function faultAt(error: unknown, name: string, label: string): string | undefined {
  const fault = error instanceof CallError ? error.fields[name] : undefined;
  return fault === undefined ? undefined : fieldText(label, fault);
}

/**
 * What the server says of a field or of a part of it, as a sentence with its label; undefined where it says nothing of it. Items of a list
 * are counted from 1.
 */
export function faultUnder(fields: Readonly<Record<string, string>>, name: string, label: string): string | undefined {
  for (const [path, fault] of Object.entries(fields)) {
    const part = path.startsWith(name) ? path.slice(name.length) : undefined;
    const place = /^\[(\d+)\]/.exec(part ?? '')?.[1];
    if (place !== undefined) return fieldText(`${label}, number ${Number(place) + 1},`, fault);
    if (part === '' || part?.startsWith('.') === true) return fieldText(label, fault);
  }
  return undefined;
}

const waitText = ({ retryAfterSeconds }: CallError): string =>
  retryAfterSeconds === undefined ? 'later' : `in ${lengthText(retryAfterSeconds * 1_000)}`;

const fieldTexts = (fields: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(fields).map(([name, fault]) => fieldText(name, fault));
