import { Link, useNavigate } from '@tanstack/react-router';
import { type ComponentProps, type JSX, useCallback } from 'react';
import { partsOfAddress } from './paths.ts';

interface PageLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'target'> {
  /** Of `paths`. */
  readonly to: string;
}

/** What the router adds to a link whose page is shown; here each link says so itself. */
const NO_MARK = { 'aria-current': undefined, className: undefined };

/** A link to a page of the console. */
export function PageLink({ to, ...rest }: PageLinkProps): JSX.Element {
  return <Link {...partsOfAddress(to)} activeProps={NO_MARK} {...rest} />;
}

/** Goes to a page of the console. */
export function useGo(): (to: string, options?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (to, { replace = false } = {}) => {
      void navigate({ ...partsOfAddress(to), replace });
    },
    [navigate],
  );
}
