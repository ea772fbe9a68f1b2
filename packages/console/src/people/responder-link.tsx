import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { PageLink } from '../shell/link.tsx';
import { paths } from '../shell/paths.ts';
import type { ResponderKind } from './people.ts';
import { responderNameQuery } from './queries.ts';
import { knownText } from './responders.ts';

interface ResponderLinkProps {
  readonly responder: { readonly type: 'user' | ResponderKind; readonly id: string };
}

/** The name of a responder, which leads to its page. One that cannot be read, such as one that was deleted, has its id. */
export function ResponderLink({ responder }: ResponderLinkProps): JSX.Element {
  const { data: name } = useQuery(responderNameQuery(responder));
  if (name === undefined) return <>{knownText(responder)}</>;
  return <PageLink to={pathOf(responder, name)}>{knownText(responder, name)}</PageLink>;
}

function pathOf({ id, type }: ResponderLinkProps['responder'], name: string): string {
  return type === 'user' ? paths.person(name) : paths[type](id);
}
