import type { CallError } from '../api/call-error.ts';
import { problemText } from '../api/problem-text.ts';

/** What a person reads of a refused sign-in, and where. */
export interface SignInProblem {
  /** The field that is wrong, where one is. */
  readonly field: 'username' | 'code' | undefined;
  readonly text: string;
  /** Whether only a new code can help. */
  readonly needsNewCode: boolean;
}

/** What happened and what to do, for each way in which a sign-in can be refused (K20, K22). */
export function signInProblem(error: CallError): SignInProblem {
  const { code, username } = error.fields;
  if (code !== undefined) {
    const needsNewCode = code.includes('ask for a new one');
    return { field: 'code', text: `The code ${code}.`, needsNewCode };
  }
  if (username !== undefined) return { field: 'username', text: `The user name ${username}.`, needsNewCode: false };
  if (error.failure === 'forbidden') {
    return {
      field: undefined,
      text: `${error.message} Ask the operator of this installation to do this.`,
      needsNewCode: false,
    };
  }
  const { advice, what } = problemText(error);
  return { field: undefined, text: `${what} ${advice} What you typed stays here.`, needsNewCode: false };
}
