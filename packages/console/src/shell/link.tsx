import { createLink, useNavigate } from '@tanstack/react-router';
import { type ComponentProps, type JSX, useCallback } from 'react';
import { partsOfAddress } from './paths.ts';

interface PageLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'target'> {
  /** Of `paths`. */
  readonly to: string;
}

interface AnchorProps extends ComponentProps<'a'> {
  readonly mark: PageLinkProps['aria-current'];
}

/** The router marks each link whose page, or one below it, is shown. Here each link says so itself. */
const RouterLink = createLink(({ children, mark, ...rest }: AnchorProps) => (
  <a {...rest} aria-current={mark}>
    {children}
  </a>
));

const NO_CLASS = {};

/** A link to a page of the console. */
export function PageLink({ 'aria-current': mark, to, ...rest }: PageLinkProps): JSX.Element {
  return <RouterLink {...partsOfAddress(to)} activeProps={NO_CLASS} mark={mark} {...rest} />;
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
