import { useMutation } from '@tanstack/react-query';
import { type JSX, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { announce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import styles from '../ui/ui.module.css';
import { sentCode } from './sign-in-code.ts';
import { type SignInProblem, signInProblem } from './sign-in-problem.ts';

interface SignInFormProps {
  readonly username?: string;
  /** That of the link of a mail. */
  readonly code?: string | undefined;
  readonly onSignedIn: () => void;
}

const ask = (username: string) =>
  call<Answer<'sign-in'>>({ method: 'POST', path: '/console/api/sign-in', body: { username } });
const redeem = (code: string) =>
  call<Answer<'redeem-sign-in'>>({
    method: 'POST',
    path: '/console/api/sign-in/redeem',
    body: { code: sentCode(code) },
  });

const problemOf = (error: unknown) =>
  error === null
    ? undefined
    : signInProblem(error instanceof CallError ? error : new CallError({ status: 500, message: 'The page failed.' }));

type Step = 'username' | 'code';

function otherStepText(step: Step, problem: SignInProblem | undefined): string {
  if (step === 'username') return 'I have a code';
  return problem?.needsNewCode === true ? 'Ask for a new code' : 'Use another user name or code';
}

/** Asks for a user name, sends a code to it, and takes the code. Every refusal keeps what was typed. */
export function SignInForm({ code = '', onSignedIn, username = '' }: SignInFormProps): JSX.Element {
  const [step, setStep] = useState<Step>(code === '' ? 'username' : 'code');
  const { getValues, handleSubmit, register, setFocus, setValue } = useForm({ defaultValues: { username, code } });
  const asking = useMutation({
    mutationFn: ask,
    onSuccess: () => {
      setStep('code');
      setValue('code', '');
      redeeming.reset();
      announce('A code was sent. Type it into the field.');
    },
  });
  const redeeming = useMutation({ mutationFn: redeem, onSuccess: onSignedIn });
  const problem = problemOf(step === 'username' ? asking.error : (redeeming.error ?? asking.error));
  const hasStarted = useRef(false);
  useEffect(() => {
    if (hasStarted.current) setFocus(step);
    hasStarted.current = true;
  }, [step, setFocus]);
  const isBusy = asking.isPending || redeeming.isPending;
  const submit = handleSubmit((input) => {
    if (isBusy) return;
    if (step === 'username') asking.mutate(input.username.trim());
    else redeeming.mutate(input.code);
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {step === 'username' ? (
        <TextField
          {...register('username')}
          label="User name"
          hint="Your mail address in Tocsin."
          type="email"
          autoComplete="username"
          error={problem?.field === 'username' ? problem.text : undefined}
        />
      ) : (
        <CodeField
          sentTo={asking.isSuccess ? getValues('username') : undefined}
          register={register('code')}
          error={problem?.field === 'code' ? problem.text : undefined}
        />
      )}
      {problem && problem.field === undefined && (
        <p role="alert" className={styles['error']}>
          {problem.text}
        </p>
      )}
      <div className={styles['row']}>
        <Button type="submit" look="primary" disabledReason={isBusy ? 'The server is answering.' : undefined}>
          {step === 'username' ? 'Send me a code' : 'Sign in'}
        </Button>
        <Button
          onClick={() => {
            asking.reset();
            redeeming.reset();
            setStep(step === 'username' ? 'code' : 'username');
          }}
        >
          {otherStepText(step, problem)}
        </Button>
      </div>
    </form>
  );
}

interface CodeFieldProps {
  readonly sentTo: string | undefined;
  readonly register: ReturnType<ReturnType<typeof useForm<{ username: string; code: string }>>['register']>;
  readonly error: string | undefined;
}

function CodeField({ error, register, sentTo }: CodeFieldProps): JSX.Element {
  return (
    <>
      {sentTo !== undefined && (
        <p>
          If <strong>{sentTo}</strong> is a user here, a mail with a code is on its way. The code is valid for 10
          minutes, in this browser.
        </p>
      )}
      <TextField
        {...register}
        label="Code"
        hint="From the mail, or from the operator of this installation."
        autoComplete="one-time-code"
        error={error}
      />
    </>
  );
}
