import { useMutation, useQuery } from '@tanstack/react-query';
import { type JSX, useEffect } from 'react';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/problem.tsx';
import { keepSignIn } from './openid.ts';

/** The way to sign in over an OpenID provider, where the installation has one. */
export function OpenIdSignIn({ pageAfterwards }: { readonly pageAfterwards: string }): JSX.Element | undefined {
  const ways = useQuery({
    queryKey: ['ways-to-sign-in'],
    queryFn: ({ signal }) => call<Answer<'get-ways-to-sign-in'>>({ path: '/console/api/sign-in', signal }),
    staleTime: Infinity,
  });
  const begin = useMutation({
    mutationFn: () => call<Answer<'sign-in-by-openid'>>({ method: 'POST', path: '/console/api/sign-in/openid' }),
    onSuccess: ({ data }) => {
      keepSignIn(pageAfterwards, data.url);
      window.location.assign(data.url);
    },
  });
  const { reset } = begin;
  useEffect(() => {
    // The browser keeps the page as it was left, and shows it again on the way back.
    window.addEventListener('pageshow', reset);
    return () => {
      window.removeEventListener('pageshow', reset);
    };
  }, [reset]);
  // Where the ways cannot be read, the form says why a code cannot be sent.
  if (ways.data?.data.ways.includes('openid') !== true) return undefined;
  return (
    <>
      <p>
        <Button
          disabledReason={begin.isPending || begin.isSuccess ? 'The browser is on its way to the provider.' : undefined}
          onClick={() => {
            begin.mutate();
          }}
        >
          Sign in with {ways.data.data.provider ?? 'the provider of this installation'}
        </Button>
      </p>
      {begin.error !== null && <Problem error={begin.error} />}
      <p>Or by a code that is mailed to you:</p>
    </>
  );
}
